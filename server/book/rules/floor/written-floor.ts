import type { Floor, FloorPlan, Outage } from './floor.ts'

/*
 * A floor as documents and CSV files write it: rooms by their names, tables by their labels. Which of both are the same
 * as before follows from these, so a table keeps its bookings when the document comes back with another size for it.
 */

export type WrittenFloor = {
  readonly turnoverMinutes: number
  readonly rooms: readonly { readonly name: string; readonly isOn: boolean }[]
  readonly tables: readonly WrittenTable[]
  readonly combinations: readonly {
    readonly tables: readonly string[]
    readonly least: number
    readonly most: number
  }[]
  readonly outages: readonly (Omit<Outage, 'table'> & { readonly table: string })[]
  readonly plans: readonly (Omit<FloorPlan, 'room' | 'table'> & {
    readonly room: string | null
    readonly table: string | null
  })[]
}

export type WrittenTable = Omit<Floor['tables'][number], 'id' | 'room'> & { readonly room: string }

export const emptyFloor: WrittenFloor = {
  turnoverMinutes: 0,
  rooms: [],
  tables: [],
  combinations: [],
  outages: [],
  plans: [],
}

/** Labels and names are the same in any letter case. */
export const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The stored floor as it is written. */
export const writtenFloor = (floor: Floor): WrittenFloor => {
  const names = new Map(floor.rooms.map(({ id, name }) => [id, name]))
  const labels = new Map(floor.tables.map(({ id, label }) => [id, label]))
  const labelOf = (id: number): string => labels.get(id) ?? ''
  return {
    turnoverMinutes: floor.turnoverMinutes,
    rooms: floor.rooms.map(({ name, isOn }) => ({ name, isOn })),
    tables: floor.tables
      .map(({ id: _, room, ...table }) => ({ ...table, room: names.get(room) ?? '' }))
      .toSorted((a, b) => byLabel(a.label, b.label)),
    combinations: floor.combinations
      .map(({ tables, least, most }) => ({ tables: tables.map(labelOf).toSorted(byLabel), least, most }))
      .toSorted((a, b) => byLabel(a.tables.join('+'), b.tables.join('+'))),
    outages: floor.outages.map((outage) => ({ ...outage, table: labelOf(outage.table) })),
    plans: floor.plans.map((plan) => ({
      ...plan,
      room: plan.room === null ? null : (names.get(plan.room) ?? ''),
      table: plan.table === null ? null : labelOf(plan.table),
    })),
  }
}

/** The floor with other labels for some tables, wherever they are named. */
export const relabeled = (floor: WrittenFloor, renamed: ReadonlyMap<string, string>): WrittenFloor => {
  if (renamed.size === 0) return floor
  const pairs = new Map([...renamed].map(([was, is]) => [was.toLowerCase(), is]))
  const now = (label: string): string => pairs.get(label.toLowerCase()) ?? label
  return {
    ...floor,
    tables: floor.tables.map((table) => ({ ...table, label: now(table.label) })),
    combinations: floor.combinations.map((one) => ({ ...one, tables: one.tables.map(now) })),
    outages: floor.outages.map((one) => ({ ...one, table: now(one.table) })),
    plans: floor.plans.map((one) => ({ ...one, table: one.table === null ? null : now(one.table) })),
  }
}

/** 2 before 10, and A2 before A10. */
export const byLabel = (a: string, b: string): number => order.compare(a, b)

/** "31+32": tables that are joined, as one. */
export const joinedLabels = (labels: readonly string[]): string => labels.toSorted(byLabel).join('+')

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** What is wrong with a floor as a whole, one sentence each; what is wrong with a single value its reader says. */
export const floorMistakes = ({ rooms, tables, combinations, outages, plans }: WrittenFloor): string[] => {
  const labels = new Set(tables.map(({ label }) => label.toLowerCase()))
  const names = new Set(rooms.map(({ name }) => name.toLowerCase()))
  const unknown = (label: string): string[] =>
    labels.has(label.toLowerCase()) ? [] : [`There is no table ${label}.`]
  const noRoom = (name: string): string[] =>
    names.has(name.toLowerCase()) ? [] : [`There is no room ${name}.`]
  const isWrong = ({ least, most }: { least: number; most: number }): boolean => least > most
  return [
    ...repeated(tables.map(({ label }) => label)).map((label) => `Table ${label} is listed twice.`),
    ...repeated(rooms.map(({ name }) => name)).map((name) => `Room ${name} is listed twice.`),
    ...tables.flatMap(({ room }) => noRoom(room)),
    ...tables.filter(isWrong).map(({ label }) => `Table ${label}: least must not be above most.`),
    ...combinations.flatMap((one) => {
      const name = one.tables.join('+')
      return [
        ...one.tables.flatMap(unknown),
        ...(one.tables.length < 2 ? [`A combination joins two tables or more, not ${name || 'none'}.`] : []),
        ...repeated(one.tables).map((label) => `The combination ${name} has table ${label} twice.`),
        ...(isWrong(one) ? [`The combination ${name}: least must not be above most.`] : []),
      ]
    }),
    ...repeated(combinations.map((one) => one.tables.toSorted(byLabel).join('+'))).map(
      (name) => `The combination ${name} is listed twice.`,
    ),
    ...outages.flatMap(({ table }) => unknown(table)),
    ...outages
      .filter(
        (one) =>
          one.fromDate > one.untilDate ||
          (one.fromDate === one.untilDate && one.fromMinute >= one.untilMinute),
      )
      .map(({ table }) => `Out of order, table ${table}: the end must be after the start.`),
    ...plans.flatMap(({ room, table }) => [
      ...(room === null ? [] : noRoom(room)),
      ...(table === null ? [] : unknown(table)),
      ...((room === null) === (table === null) ? ['A plan is for a room or for a table.'] : []),
    ]),
  ]
}

const repeated = (words: readonly string[]): string[] => {
  const lower = words.map((word) => word.toLowerCase())
  return words.filter((_, place) => lower.indexOf(lower[place] as string) !== place)
}
