import { type Content, html } from '../../../platform/html/html.ts'
import { listInWords } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { plainTime } from '../parts/plain-time.ts'
import { type ShortStay, mostOffered } from '../../../book/day/short-stays.ts'
import type { EntryRow, LineRow } from '../../../book/day/entry-row.ts'
import type { AtDoor } from '../../../book/tables/offered/at-door.ts'
import type { EveningFloor } from '../../../book/tables/reads.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type Moving, movesMany } from '../../../book/tables/arrange.ts'
import type { Needing } from '../../../book/tables/offered/open-tables.ts'
import { type Place, isWhole } from '../../../book/tables/offered/places.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { shortWords, untilWords } from '../parts/table-cell.ts'
import { ifLateWords, lateWords, manyWords, neededWords, surnameOf, turnsLeft } from '../parts/open-words.ts'
import { minutesSince } from '../parts/time-words.ts'
import { tablesUntil } from '../parts/forms/table-fields.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'

/*
 * Where a party in line could sit down now: as the sizes at the door say it, so that who waits is not behind who walks in.
 */

/**
 * A table for a party of the line: the whole stay first, then by moving others, then for a while; last, one that somebody
 * without a table could sit at, which staff decide.
 */
export type LineOffer = {
  readonly ids: readonly number[]
  readonly label: string
  /** "free until 9:00 PM", "when Haddad moves", "until 9:00 PM (66 min)". */
  readonly words: string
  /** The same where a row has less room: "free to 9:00". */
  readonly brief: Content
  /** For a while only. */
  readonly short: ShortStay | undefined
  /** Who moves for it, and to which tables. */
  readonly moves: ReadonlyMap<number, readonly number[]>
  /** For a party that is late: who presses it is asked once. */
  readonly isKept: boolean
  /** Many others would have to move for it. */
  readonly isMany: boolean
  /** Somebody before them in line would not have a table by when they were promised one. */
  readonly isBroken?: boolean
  /** Who has no table yet and could sit there, or would wait longer for it, in words. */
  readonly needed?: string
  /** The same where a row has less room. */
  readonly neededBrief?: Content
  /** What a button of it sends. */
  readonly value: string
}

type Seen = {
  readonly atDoor: AtDoor
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
}

/** The tables for parties in line, by their ids, in the order of the line; and for a party of two that comes now. */
export type LineOffers = {
  readonly byParty: ReadonlyMap<number, readonly LineOffer[]>
  readonly forTwo: readonly LineOffer[]
  readonly turns: Turns
}

/** A party that could sit down at a table now: of the line, or booked and here while its own table is not free. */
export type Turn = {
  readonly name: string
  readonly size: number
  /** Its booking. */
  readonly booking?: number
}

/** Whose turn it is at a table, by the ids of tables. */
export type Turns = ReadonlyMap<number, Turn>

/** Whose turn it is at these tables: at joined ones there may be one for each. */
export const turnsAt = (turns: Turns, { tables }: Pick<Place, 'tables'>): readonly Turn[] => [
  ...new Set(tables.flatMap(({ id }) => turns.get(id) ?? [])),
]

/** Whether it is somebody's turn there. */
export const isInTurn = (turns: Turns, { tables }: Pick<Place, 'tables'>): boolean =>
  tables.some(({ id }) => turns.has(id))

/** The same places, those at which it is nobody's turn first. Sorted before few of them are shown, it hides none of these. */
export const leftFirst = <Found extends Pick<Place, 'tables'>>(
  turns: Turns,
  places: readonly Found[],
): readonly Found[] => places.toSorted((a, b) => Number(isInTurn(turns, a)) - Number(isInTurn(turns, b)))

/**
 * What each party of the line could have now. They take turns: a table that an earlier one would sit down at is named to a later
 * one only where there is no other, with whose turn it is. `here`: what parties could have who are booked and here already.
 */
export const lineOffers = (
  { atDoor, ...tonight }: Seen,
  line: readonly Pick<EntryRow, 'id' | 'party_size' | 'guest_name'>[],
  here: Turns = new Map(),
): LineOffers => {
  const names = namesOfTonight(tonight)
  const known = new Map<number, Iterable<Place>>()
  const placesOf = (partySize: number): Iterable<Place> => {
    const places = known.get(partySize) ?? readOnce(atDoor.placesFor({ partySize }))
    known.set(partySize, places)
    return places
  }
  const turns = new Map(here)
  const isLeft = (place: Place): boolean => !isInTurn(turns, place)
  const leftFor = (places: Iterable<Place>): readonly Place[] =>
    oneOfEach(Iterator.from(places).filter(isLeft))
  const byParty = new Map<number, readonly LineOffer[]>()
  for (const { id, party_size, guest_name } of line) {
    const places = placesOf(party_size ?? 1)
    const left = leftFor(places)
    const offers = left.length > 0 ? left : oneOfEach(places)
    const [first] = offers
    if (!first) continue
    byParty.set(
      id,
      offers.map((place) => offerOf(place, names, turnsAt(turns, place))),
    )
    const turn = { name: surnameOf(guest_name) ?? 'a party', size: party_size ?? 1 }
    // Nobody waits for what is taken only after a talk with many others.
    if (isLeft(first) && !movesMany(first.moving)) for (const table of first.tables) turns.set(table.id, turn)
  }
  return {
    byParty,
    turns,
    forTwo: leftFor(placesOf(2)).map((place) => offerOf(place, names)),
  }
}

/**
 * The same places, each looked for when somebody first reads so far: a line reads on until everybody in it has a turn, and no
 * further than the last of them needs.
 */
export const readOnce = (places: Iterable<Place>): Iterable<Place> => {
  const rest = Iterator.from(places)
  const read: Place[] = []
  return {
    *[Symbol.iterator]() {
      for (let n = 0; ; n++) {
        const next = read[n] ?? rest.next().value
        if (!next) return
        read[n] = next
        yield next
      }
    },
  }
}

/** "if Santoro doesn’t take it", "if Santoro and Le don’t take it". */
export const unlessTaken = (names: readonly string[]): string =>
  `if ${listInWords(names)} ${names.length === 1 ? 'doesn’t' : 'don’t'} take it`

/**
 * The best whole stay and the best that are free for a while; if there is no whole one, what others could have or are late for,
 * one of each. What comes after a whole stay that nobody else needs is read no further than it takes.
 */
const oneOfEach = (places: Iterable<Place>): readonly Place[] => {
  const first: Place[] = []
  let shorts = 0
  for (const place of places) {
    const { short, neededBy, late, moving } = place
    const hasWhole = first.some(isWhole)
    if (hasWhole && (neededBy || late || movesMany(moving))) break
    const isMore = neededBy
      ? first.some((one) => one.neededBy)
      : late
        ? first.some((one) => one.late)
        : short
          ? ++shorts > mostOffered
          : hasWhole
    if (!isMore) first.push(place)
  }
  return first
}

const offerOf = (
  { tables, until, short, moving, neededBy, late }: Place,
  { timezone, surnames, needing }: NamesOfTonight,
  /** Whose turn it is at the table. */
  whoseTurns: readonly Turn[] = [],
): LineOffer => {
  const before = turnsLeft(whoseTurns, neededBy).map(({ name }) => name)
  const ids = tables.map(({ id }) => id)
  const words = moving
    ? movingWords(moving, surnames)
    : short
      ? shortWords(short, timezone)
      : untilWords(until ?? null, timezone)
  const needed = neededBy ? needing(neededBy) : late && lateWords(late, surnames)
  const turn = before.length > 0 ? unlessTaken(before) : undefined
  const shownNeeded = [turn, needed].filter((one) => one !== undefined).join('; ')
  return {
    ids,
    label: joinedLabels(tables.map(({ label }) => label)),
    words,
    brief: late
      ? html`${short && html`to ${plainTime(wallTimeOf(short.until, timezone).time)} `}${before.length > 0 && `after ${listInWords(before)}, `}${ifLateWords(late, surnames, before.length > 0 ? undefined : 'late')}`
      : until && !short
        ? html`free to ${plainTime(wallTimeOf(until, timezone).time)}`
        : neededBy && !short
          ? 'free'
          : moving && movesMany(moving)
            ? `if ${moving.moves.size} move`
            : words,
    short,
    moves: movesOf(moving),
    isKept: late !== undefined,
    isMany: movesMany(moving),
    value: short ? tablesUntil(ids, short.until) : ids.join(' '),
    ...(shownNeeded !== '' && { needed: shownNeeded }),
  }
}

/** The same offers: first what nobody else needs, then what somebody could use, then what many would move for, last what breaks a promise. */
export const unneededFirst = <Offer extends Ranked>(offers: readonly Offer[]): readonly Offer[] =>
  offers.toSorted((a, b) => rankOf(a) - rankOf(b))

type Ranked = {
  readonly needed?: string | undefined
  readonly isMany?: boolean
  readonly isBroken?: boolean
}
const rankOf = ({ needed, isMany, isBroken }: Ranked): number =>
  isBroken ? 3 : isMany ? 2 : needed !== undefined ? 1 : 0

/** Who moves, by the ids of bookings, and to which tables. */
export const movesOf = (moving: Moving | undefined): ReadonlyMap<number, readonly number[]> =>
  new Map([...(moving?.moves ?? [])].map(([id, tables]) => [id, tables.map((table) => table.id)] as const))

/** Whom the places of an evening concern, as its rows call them. */
export type NamesOfTonight = {
  readonly timezone: string
  readonly surnames: Surnames
  /** Says who has no table yet, and whether they are late. */
  readonly needing: (needing: Needing) => string
}

export const namesOfTonight = ({ evening, now, timezone }: Omit<Seen, 'atDoor'>): NamesOfTonight => ({
  timezone,
  surnames: surnamesOf(evening),
  needing: neededWordsOf(evening, now),
})

const neededWordsOf = (
  { withoutTable, requested }: EveningFloor,
  now: Temporal.Instant,
): ((needing: Needing) => string) => {
  const all = [...withoutTable, ...requested]
  const names = new Map(all.map(({ id, guestName }) => [id, surnameOf(guestName) ?? 'No name']))
  const late = new Set(
    all.filter((one) => !one.arrived && minutesSince(one.from, now) > 0).map(({ id }) => id),
  )
  return (needing) => neededWords(needing, names, late.has(needing.reservation ?? 0))
}

type Surnames = ReadonlyMap<number, string>

/** Of everybody at a table tonight, by the ids of bookings. */
const surnamesOf = (evening: EveningFloor): Surnames =>
  new Map(
    evening.tables.flatMap(({ parties }) =>
      parties.map((one) => [one.id, surnameOf(one.guestName) ?? 'a party'] as const),
    ),
  )

/** "when Haddad moves", "when Haddad and a party move", "when 13 others move". */
export const movingWords = ({ moves }: Moving, surnames: Surnames): string => {
  if (movesMany({ moves })) return manyWords(moves)
  const who = [...moves.keys()].map((id) => surnames.get(id) ?? 'a party')
  return who.length === 0 ? 'free' : `when ${who.join(' and ')} ${who.length === 1 ? 'moves' : 'move'}`
}

/** When a waiting party was promised its table; without a quote, when it joined. */
export const promisedAt = (row: EntryRow): Temporal.Instant =>
  row.quoted_at === null
    ? toInstant(row.created_at)
    : toInstant(row.quoted_at).add({ minutes: row.quoted_minutes ?? 0 })

/** The line of an evening: who waits for another day has no turn at a table of tonight. */
export const lineTonight = (line: readonly LineRow[], today: LocalDate): readonly LineRow[] =>
  line.filter((row) => (row.service_date ?? row.date ?? '') <= today)

/** Those of the line who take turns: who was paged for a table takes none. */
export const lineInTurn = <Row extends Pick<EntryRow, 'id'>>(
  line: readonly Row[],
  paged: ReadonlyMap<number, unknown> | undefined,
): readonly Row[] => line.filter(({ id }) => !paged?.has(id))
