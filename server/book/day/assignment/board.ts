import type { Evening, Party, Span, Table } from './evening.ts'

/*
 * An evening laid out for searching. A *place* is what a party can be given: a table or a combination. A *guest* is a
 * party on the board. Searches move guests about and take their moves back, so that between two calls the board always
 * shows the same.
 */

/** A table or a combination. `tables` are positions in the board's list of tables, in ascending order. */
export type Place = {
  /** Position in the board's list of places; none in those that staff made up for one party. */
  readonly position: number
  readonly tables: readonly number[]
  readonly least: number
  readonly most: number
  readonly online: boolean
  readonly priority: number
  /** The largest parties its tables could be part of seating, added up: what others lose while it is taken. */
  readonly reach: number
  readonly features: ReadonlySet<string>
  /** Its position in the board's `sections`: of who comes first, and from each of `sectionsFrom` on. */
  readonly sections: readonly number[]
}

export type Guest = Party & {
  /** Where it is by what is stored. */
  readonly stored: Place | undefined
  place: Place | undefined
  choices: readonly Place[] | undefined
  /** Whether it may be put at a place, by the place's position. */
  fits: readonly boolean[] | undefined
}

export type Board = {
  /** The ids of the tables, ascending. */
  readonly ids: readonly number[]
  readonly unavailable: readonly (readonly Span[])[]
  /** When nobody else can have each table: it is unavailable, or somebody stays at it. */
  readonly closed: readonly (readonly Closed[])[]
  /** For any one party the best come first; see `better`. */
  readonly places: readonly Place[]
  /** The places for each kind of party, filled as they are asked for. */
  readonly placesFor: Map<string, readonly Place[]>
  /** The places that each table is part of. */
  readonly placesOf: readonly (readonly Place[])[]
  /** By their ids. */
  readonly guests: readonly Guest[]
  /** Who holds each table, from the first to come. */
  readonly held: readonly Guest[][]
  /** The covers of each section. The first is of all tables that are in none, and stays at 0. */
  readonly sections: number[]
  /** From when on tables are of other sections. */
  readonly sectionsFrom: readonly number[]
  /** Every move since the board was laid out, to be taken back. */
  readonly trail: { readonly guest: Guest; readonly from: Place | undefined }[]
}

/** A span, and the group of the party whose it is; see `Party`. */
type Closed = Span & { readonly group: string | null }

/** Lays out the stored evening: everybody who holds tables is where they are, the others are nowhere yet. */
export const boardOf = (evening: Evening): Board => {
  const tables = evening.tables.toSorted((a, b) => a.id - b.id)
  const positions = new Map(tables.map(({ id }, position) => [id, position]))
  const members = (ids: readonly number[]): readonly number[] =>
    [...new Set(ids)].flatMap((id) => positions.get(id) ?? []).toSorted((a, b) => a - b)
  const combinations = evening.combinations
    .map((one) => ({ ...one, members: members(one.tables) }))
    // One of a table that is gone cannot be joined.
    .filter(({ tables, members }) => members.length === new Set(tables).size && members.length > 0)
    .toSorted((a, b) => a.id - b.id)
  const reach = tables.map(({ most }) => most)
  for (const { members, most } of combinations) {
    for (const member of members) reach[member] = Math.max(reach[member] as number, most)
  }
  const { laterSections: later = [] } = evening
  const sectionsOf = ({ id, section }: Table): readonly (string | null)[] => [
    section,
    ...later.map((one) => one.sections.get(id) ?? null),
  ]
  const sections = [null, ...new Set(tables.flatMap(sectionsOf).filter((one) => one !== null))]
  const placeOf = (members: readonly number[], { least, most }: { least: number; most: number }): Place => {
    const joined = members.map((member) => tables[member] as Table)
    return {
      position: -1,
      tables: members,
      least,
      most,
      online: joined.every(({ online }) => online),
      priority: Math.max(...joined.map(({ priority }) => priority)),
      reach: members.reduce((sum, member) => sum + (reach[member] as number), 0),
      // Side by side, one table at the window will do for all of them.
      features: new Set(joined.flatMap(({ features }) => features)),
      sections: joined[0] ? sectionsOf(joined[0]).map((one) => sections.indexOf(one)) : [],
    }
  }
  const places = [
    ...tables.map((table, position) => placeOf([position], table)),
    ...combinations.map((one) => placeOf(one.members, one)),
  ]
    .toSorted(better)
    .map((place, position) => ({ ...place, position }))
  const byTables = new Map(places.map((place) => [place.tables.join(), place]))

  const guests = evening.parties.toSorted(byId).map((party) => {
    const holds = members(party.tables)
    const stored =
      holds.length === 0
        ? undefined
        : (byTables.get(holds.join()) ?? placeOf(holds, { least: party.size, most: party.size }))
    return guestOf(party, stored)
  })
  const board: Board = {
    ids: tables.map(({ id }) => id),
    unavailable: tables.map(({ unavailable }) => unavailable),
    closed: closedAt(tables, guests),
    places,
    placesFor: new Map(),
    placesOf: tables.map((_, position) => places.filter((place) => place.tables.includes(position))),
    guests,
    held: tables.map(() => []),
    sections: sections.map(() => 0),
    sectionsFrom: later.map(({ from }) => from),
    trail: [],
  }
  for (const guest of guests) put(board, guest, guest.stored)
  board.trail.length = 0
  return board
}

const closedAt = (tables: readonly Table[], guests: readonly Guest[]): readonly (readonly Closed[])[] => {
  const closed = tables.map(({ unavailable }): Closed[] =>
    unavailable.map(({ from, until }) => ({ from, until, group: null })),
  )
  for (const guest of guests) {
    if (stays(guest)) for (const table of guest.stored?.tables ?? []) closed[table]?.push(guest)
  }
  return closed
}

export const guestOf = (party: Party, stored?: Place): Guest => ({
  ...party,
  stored,
  place: undefined,
  choices: undefined,
  fits: undefined,
})

const byStart = (a: Party, b: Party): number => a.from - b.from || byId(a, b)

export const byId = (a: Party, b: Party): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Whether a guest stays where it is in any case. */
export const stays = ({ fixed, stored }: Guest): boolean => fixed && stored !== undefined

/** Moves a guest to a place, or to nowhere. Others who are there stay there too. */
export const put = (board: Board, guest: Guest, place: Place | undefined): void => {
  board.trail.push({ guest, from: guest.place })
  move(board, guest, place)
}

/** Takes back every move after the trail had this length. */
export const takeBack = (board: Board, length: number): void => {
  while (board.trail.length > length) {
    const { guest, from } = board.trail.pop() as Board['trail'][number]
    move(board, guest, from)
  }
}

/** The section of a place for who comes then; 0 for none. */
const sectionAt = ({ sectionsFrom }: Board, { from }: Span, { sections }: Place): number => {
  let last = 0
  while (last < sectionsFrom.length && (sectionsFrom[last] as number) <= from) last++
  return sections[last] ?? 0
}

const move = (board: Board, guest: Guest, place: Place | undefined): void => {
  const { held, sections } = board
  if (guest.place) {
    for (const table of guest.place.tables) {
      const here = held[table] as Guest[]
      here.splice(here.indexOf(guest), 1)
    }
    const section = sectionAt(board, guest, guest.place)
    if (section > 0) (sections[section] as number) -= guest.size
  }
  if (place) {
    for (const table of place.tables) {
      const here = held[table] as Guest[]
      // In order, so that it does not show on the board what was tried on it before.
      let n = here.length
      while (n > 0 && byStart(guest, here[n - 1] as Guest) < 0) n--
      here.splice(n, 0, guest)
    }
    const section = sectionAt(board, guest, place)
    if (section > 0) (sections[section] as number) += guest.size
  }
  guest.place = place
}

/** Who is in the way of a guest at a place. */
export const inTheWay = ({ held }: Board, guest: Guest, place: Place): readonly Guest[] => {
  let found: Guest[] | undefined
  for (const table of place.tables) {
    for (const other of held[table] as Guest[]) {
      if (isThere(other, guest) && other !== guest && !found?.includes(other)) (found ??= []).push(other)
    }
  }
  return found ?? nobody
}
const nobody: readonly Guest[] = []

/** Whether a party is still there when a guest needs its table. */
export const isThere = (other: Party, guest: Party): boolean =>
  meet(guest, other) && !(guest.waits && leavesAt(other) <= guest.from)

export const leavesAt = ({ leaves, until }: Party): number => leaves ?? until

/** Whether nobody is in the way of a guest at a place. */
export const isFree = ({ held }: Board, guest: Guest, place: Place): boolean => {
  for (const table of place.tables) {
    for (const other of held[table] as Guest[]) if (meet(guest, other) && other !== guest) return false
  }
  return true
}

/** Whether both need a table at some instant, and are not two halves of one booking. */
export const meet = (a: Party, b: Party): boolean =>
  a.from < b.until && b.from < a.until && (a.group === null || a.group !== b.group)

/** Where a guest may be put, the best for it alone first; those there now leave if they can. */
export const choicesOf = (board: Board, guest: Guest): readonly Place[] => {
  if (guest.choices) return guest.choices
  const all = placesFor(board, guest).filter(({ tables }) =>
    tables.every((table) => isOpen(board, table, guest)),
  )
  if (guest.features.length > 0) all.sort((a, b) => missing(a, guest) - missing(b, guest))
  guest.choices = all
  return all
}

/** The places for parties of a guest's size that come by its door; many guests share them. */
export const placesFor = (
  { placesFor, places }: Board,
  { size, asLargeAs = size, onlineOnly }: Party,
): readonly Place[] => {
  const kind = `${size} ${asLargeAs} ${onlineOnly}`
  let found = placesFor.get(kind)
  if (!found) {
    found = places.filter(
      ({ least, most, online }) => asLargeAs >= least && size <= most && (online || !onlineOnly),
    )
    placesFor.set(kind, found)
  }
  return found
}

/** Whether a place is among the choices of a guest. */
export const fits = (board: Board, guest: Guest, place: Place): boolean => {
  if (!guest.fits) {
    const all = board.places.map(() => false)
    for (const { position } of choicesOf(board, guest)) all[position] = true
    guest.fits = all
  }
  return guest.fits[place.position] as boolean
}

const isOpen = ({ closed }: Board, table: number, guest: Guest): boolean => {
  for (const other of closed[table] as readonly Closed[]) {
    if (
      other.from < guest.until &&
      guest.from < other.until &&
      (other.group === null || other.group !== guest.group)
    )
      return false
  }
  return true
}

/** How many of the features a guest would like a place does not have. */
export const missing = (place: Place, { features }: Party): number =>
  features.length === 0 ? 0 : features.filter((feature) => !place.features.has(feature)).length

/** For any one party: fewest seats wasted, tables joined as little as possible, priority, large tables kept free. */
export const better = (a: Place, b: Place): number =>
  a.most - b.most || a.tables.length - b.tables.length || a.priority - b.priority || a.reach - b.reach
