import type { Evening, Party } from './evening.ts'

/*
 * An evening laid out for searching. A *place* is what a party can be given: a table or a combination. Searches move
 * parties about on the board and take their moves back; between two calls it always shows the same.
 */

/** A table or a combination. `tables` are positions in the board's list of tables, in ascending order. */
export type Place = {
  readonly tables: readonly number[]
  readonly least: number
  readonly most: number
  readonly online: boolean
  /** How many tables it joins beyond the first. */
  readonly joins: number
  readonly priority: number
  /** The largest party that its tables could be part of seating: what is lost to others while it is taken. */
  readonly reach: number
  readonly features: ReadonlySet<string>
  readonly section: string | null
}

/** A party on the board. */
export type Guest = Party & {
  readonly stored: Place | undefined
  /** Where it may be put, the best place for it alone first; whether somebody else is there is not asked. */
  choices: readonly Place[] | undefined
  place: Place | undefined
}

export type Board = {
  readonly evening: Evening
  /** The ids of the tables, ascending. */
  readonly ids: readonly number[]
  readonly unavailable: readonly Evening['tables'][number]['unavailable'][]
  readonly places: readonly Place[]
  readonly guests: readonly Guest[]
  /** Who holds each table. */
  readonly held: readonly Guest[][]
}

/** Lays out the stored evening: everybody who holds tables is where they are, the others are nowhere yet. */
export const boardOf = (evening: Evening): Board => {
  const tables = evening.tables.toSorted((a, b) => a.id - b.id)
  const ids = tables.map(({ id }) => id)
  const positions = new Map(ids.map((id, position) => [id, position]))
  const reach = tables.map(({ most }) => most)
  const combinations = evening.combinations
    .map((one) => ({ ...one, members: positionsOf(one.tables, positions) }))
    .filter(({ tables, members }) => members.length === tables.length && members.length > 0)
    .toSorted((a, b) => a.id - b.id)
  for (const { members, most } of combinations) {
    for (const member of members) reach[member] = Math.max(reach[member] as number, most)
  }
  const placeOf = (members: readonly number[], { least, most }: { least: number; most: number }): Place => {
    const joined = members.map((member) => tables[member] as Evening['tables'][number])
    return {
      tables: members,
      least,
      most,
      online: joined.every(({ online }) => online),
      joins: members.length - 1,
      priority: Math.max(...joined.map(({ priority }) => priority)),
      reach: members.reduce((sum, member) => sum + (reach[member] as number), 0),
      // Side by side, one table at the window will do for all of them.
      features: new Set(joined.flatMap(({ features }) => features)),
      section: joined[0]?.section ?? null,
    }
  }
  const places = [
    ...tables.map((table, position) => placeOf([position], table)),
    ...combinations.map((one) => placeOf(one.members, one)),
  ].toSorted(better)
  const byTables = new Map(places.map((place) => [place.tables.join(), place]))

  const held: Guest[][] = tables.map(() => [])
  const guests = evening.parties
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((party) => {
      const members = positionsOf(party.tables, positions)
      const stored =
        members.length === 0
          ? undefined
          : (byTables.get(members.join()) ?? placeOf(members, { least: party.size, most: party.size }))
      const guest: Guest = { ...party, stored, choices: undefined, place: undefined }
      return guest
    })
  const board = {
    evening,
    ids,
    unavailable: tables.map(({ unavailable }) => unavailable),
    places,
    guests,
    held,
  }
  for (const guest of guests) put(board, guest, guest.stored)
  return board
}

/** Whether both need their table at some instant, and are not two halves of one booking. */
const meet = (a: Party, b: Party): boolean =>
  a.from < b.until && b.from < a.until && (a.group === null || a.group !== b.group)

/** Moves a guest to a place, or to nowhere. Whoever else is there stays there too. */
export const put = ({ held }: Board, guest: Guest, place: Place | undefined): void => {
  for (const table of guest.place?.tables ?? []) {
    const here = held[table] as Guest[]
    here.splice(here.indexOf(guest), 1)
  }
  for (const table of place?.tables ?? []) (held[table] as Guest[]).push(guest)
  guest.place = place
}

/** Who is in the way of a guest at a place. */
export const inTheWay = ({ held }: Board, guest: Guest, place: Place): readonly Guest[] => {
  let found: Guest[] | undefined
  for (const table of place.tables) {
    for (const other of held[table] as Guest[]) {
      if (other !== guest && meet(guest, other) && !found?.includes(other)) (found ??= []).push(other)
    }
  }
  return found ?? nobody
}
const nobody: readonly Guest[] = []

/** Where a guest may be put, best first. */
export const choicesOf = ({ places, unavailable }: Board, guest: Guest): readonly Place[] => {
  guest.choices ??= places
    .filter(
      (place) =>
        guest.size >= place.least &&
        guest.size <= place.most &&
        (place.online || !guest.onlineOnly) &&
        place.tables.every((table) =>
          (unavailable[table] as Evening['tables'][number]['unavailable']).every(
            ({ from, until }) => until <= guest.from || guest.until <= from,
          ),
        ),
    )
    .toSorted((a, b) => missing(a, guest) - missing(b, guest))
  return guest.choices
}

/** How many of the features a guest would like a place does not have. */
const missing = (place: Place, { features }: Party): number =>
  features.length === 0 ? 0 : features.filter((feature) => !place.features.has(feature)).length

/** For any one party: fewest seats wasted, joined tables avoided, priority, large tables kept free. */
const better = (a: Place, b: Place): number =>
  a.most - b.most || a.joins - b.joins || a.priority - b.priority || a.reach - b.reach

const positionsOf = (ids: readonly number[], positions: ReadonlyMap<number, number>): readonly number[] =>
  [...new Set(ids)].flatMap((id) => positions.get(id) ?? []).toSorted((a, b) => a - b)
