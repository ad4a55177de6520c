import {
  type ValueOf,
  as,
  clock,
  date,
  line,
  list,
  checked,
  maybe,
  must,
  oneOf,
  or,
  rare,
  record,
  trueOrFalse,
  whole,
} from '../document-kinds.ts'
import { type Floor, drawnKinds, tableShapes } from './floor.ts'
import { documentBounds } from '../rules-document-bounds.ts'

/*
 * A floor as documents and CSV files write it: rooms by their names, tables by their labels. Which of both are the same
 * as before follows from these, so a table keeps its bookings when the document comes back with another size for it.
 */

const name = line(documentBounds.name)
const label = line(documentBounds.label)
const seats = whole(documentBounds.seats)

const room = record({ name: must(name), on: as('isOn', or(trueOrFalse, true)) })

const table = record({
  label: must(label),
  room: must(name),
  least: or(seats, 1),
  most: must(seats),
  shape: or(oneOf<string>(tableShapes), 'square'),
  x: or(whole(documentBounds.place), 0),
  y: or(whole(documentBounds.place), 0),
  online: or(trueOrFalse, true),
  priority: or(whole(documentBounds.priority), 0),
  features: list(must(line(documentBounds.feature)), documentBounds.features),
})
export type WrittenTable = ValueOf<typeof table>

const drawn = record({
  room: must(name),
  what: must(oneOf<string>(drawnKinds)),
  x: or(whole(documentBounds.place), 0),
  y: or(whole(documentBounds.place), 0),
  wide: or(whole(documentBounds.drawnSteps), 1),
  high: or(whole(documentBounds.drawnSteps), 1),
})

const combination = record({
  tables: must(list(must(label), documentBounds.joined)),
  least: or(seats, 1),
  most: must(seats),
})

const outage = record({
  table: must(label),
  fromDate: must(date),
  fromTime: as('fromMinute', or(clock, 0)),
  untilDate: must(date),
  untilTime: as('untilMinute', or(clock, 0)),
  why: maybe(name),
})

const plan = record({
  room: maybe(name),
  table: maybe(label),
  weekdays: list(must(whole(documentBounds.weekday)), 7),
  from: maybe(date),
  to: maybe(date),
  service: maybe(name),
})

const floorRecord = record({
  turnoverMinutes: or(whole(documentBounds.turnoverMinutes), 0),
  rooms: list(room, documentBounds.rooms),
  tables: list(table, documentBounds.tables),
  drawn: rare(list(drawn, documentBounds.drawn), []),
  combinations: list(combination, documentBounds.combinations),
  outOfOrder: as('outages', rare(list(outage, documentBounds.outages), [])),
  plans: rare(list(plan, documentBounds.plans), []),
})
export type WrittenFloor = ValueOf<typeof floorRecord>

/** The part `tables` of the rules document. */
export const floorKind = checked(floorRecord, (floor, { mistakes }) => {
  if (mistakes.length === 0) mistakes.push(...floorMistakes(floor))
  return floor
})

export const emptyFloor: WrittenFloor = {
  turnoverMinutes: 0,
  rooms: [],
  tables: [],
  drawn: [],
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
    drawn: floor.drawn.map((one) => ({ ...one, room: names.get(one.room) ?? '' })),
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
export const floorMistakes = ({
  rooms,
  tables,
  drawn,
  combinations,
  outages,
  plans,
}: WrittenFloor): string[] => {
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
    ...drawn.flatMap(({ room }) => noRoom(room)),
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
