import { type DayRow, bookingsOfDay } from '../../../book/reservations/day-book.ts'
import { labelsPaged } from '../../../book/day/tables-of-booking-reads.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { lineOf } from '../../../book/waitlist/evening.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import type { ShortStay } from '../../../book/day/short-stays.ts'
import { type AtDoor, atDoorNow } from '../../../book/tables/offered/at-door.ts'
import { type Place, isWhole } from '../../../book/tables/offered/places.ts'
import type { LikelyTable } from '../../../book/tables/likely-table.ts'
import { type EveningFloor, eveningFloor } from '../../../book/tables/reads.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { type Content, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { plainTime } from '../parts/plain-time.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { minutesLate } from '../bookings/offered-moves.ts'
import { ifLateWords, surnameOf, turnsLeft } from '../parts/open-words.ts'
import { minutesSince } from '../parts/time-words.ts'
import {
  type NamesOfTonight,
  type Turn,
  type Turns,
  isInTurn,
  lineInTurn,
  lineOffers,
  lineTonight,
  movingWords,
  namesOfTonight,
  readOnce,
  turnsAt,
  unlessTaken,
} from './line-offers.ts'
import { type TablesShown, shortWords, tablesShown } from '../parts/table-cell.ts'

/*
 * A party that is here, or whose time has come, and cannot have its table as booked: others still sit there, it is out of use,
 * or the party has none. Its row asks, and says where else it could sit. Nobody is moved for it; staff choose. Who is here
 * already is proposed a table first. One that is late for a table which others need next may have it for a while: its row says
 * until when, and seats it so; where that is too short to be worth it, it asks like the others.
 */

/** Rows that ask at once: each costs a search. */
const mostAsked = 8
/** Bookings of an evening that are looked through for who is here. */
const mostInService = 400
/** Rows that say how long they may have their own table. */
const mostOwn = 30

type Seen = {
  readonly atDoor: AtDoor
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
  /** What parties without a table are likely to get, by their bookings. */
  readonly likely?: ReadonlyMap<number, LikelyTable> | undefined
}

/** What a row asks: whole, for the peek, and as the row has room for it. */
export type Asks = {
  readonly whole: string
  readonly brief: Content
  /** The party, at the table it is proposed first, where it is here already. */
  readonly turn?: { readonly tables: readonly number[]; readonly of: Turn }
  /** What it says is a short one at their own table. */
  readonly stay?: Omit<ShortStay, 'tables'>
  /** Where and until when its Seat puts the party, as the row says it; absent: at its own table, or others sit there. */
  readonly seat?: { readonly tables: readonly number[]; readonly until?: Temporal.Instant | undefined }
}

/**
 * "table 11 is 28 min over: 15 when Le moves, or 3 until 9:00 PM", in brief "15 when Le moves"; "10 until 7:45 PM (50 min)" of
 * their own table; by the ids of bookings.
 */
export const insteadWords = (
  { atDoor, evening, now, timezone, likely }: Seen,
  bookings: readonly DayRow[],
): ReadonlyMap<number, Asks> => {
  const shown = tablesShown(evening)
  const names = namesOfTonight({ evening, now, timezone })
  const asking = bookings.flatMap((row) => {
    const own = row.status === 'Confirmed' ? shown.get(row.id) : undefined
    const isTime = isHere(row) || minutesLate(row, now) >= 0
    return own && isTime ? [{ row, own, why: whyAsked(own, now) }] : []
  })
  const proposed = new Map<number, Turn>()
  const isLeft = (place: Place): boolean => !isInTurn(proposed, place)
  const elsewhere = ({ row, own, why }: (typeof asking)[number]): [number, Asks][] => {
    const { id, party_size, duration_minutes: durationMinutes, seating } = row
    const of = { name: surnameOf(row.guest_name) ?? 'a party', size: party_size ?? 1, booking: id }
    const places = readOnce(
      atDoor.placesFor({ id, isHere: isHere(row), partySize: of.size, durationMinutes, seating }),
    )
    const left = firstTwo(Iterator.from(places).filter(isLeft))
    // What is proposed to somebody before them is named to who is here where there is nothing else.
    const options = left.length > 0 || !isHere(row) ? left : firstTwo(places)
    const said = options.map((place) => placeWords(place, turnsAt(proposed, place), names))
    for (const { tables } of left) for (const table of tables) proposed.set(table.id, of)
    const next = likely?.get(id)
    if (said.length === 0 && why === 'none' && next) said.push(likelyWords(next, timezone))
    const state = stateWords(own, why, timezone)
    // Of who has no table, or whose table is not free yet, the cell next to it says so.
    const brief =
      said[0] ?? (typeof why === 'number' ? `${own.label} is ${why} over` : onlyWords(own, why, timezone))
    if (brief === undefined) return []
    const [first] = options
    const seat =
      why === 'none' && first
        ? { tables: first.tables.map((one) => one.id), until: first.short?.until }
        : undefined
    const whole = said.length === 0 ? state : `${state}: ${said.join(', or ')}`
    const [mine] = left
    const turn = mine && isHere(row) ? { tables: mine.tables.map((one) => one.id), of } : undefined
    return [[id, { whole, brief, ...(turn && { turn }), ...(seat && { seat }) }]]
  }
  const ready = asking
    .filter(({ why }) => why === 'ready')
    .slice(0, mostOwn)
    .map((one) => {
      const { id, party_size, duration_minutes: durationMinutes } = one.row
      const { ids: tables } = one.own
      return { ...one, stay: atDoor.ownStay({ id, partySize: party_size ?? 1, durationMinutes, tables }) }
    })
  const tooShort = ready.flatMap(({ stay, ...one }) =>
    stay?.isTooShort ? [{ ...one, why: { onlyUntil: stay.until } }] : [],
  )
  const ownFor = ({
    row: { id },
    own: { ids: tables, label },
    stay,
  }: (typeof ready)[number]): [number, Asks][] => {
    if (!stay || stay.isTooShort) return []
    const until = plainTime(wallTimeOf(stay.until, timezone).time)
    return [
      [
        id,
        {
          whole: `${label} ${shortWords(stay, timezone)}`,
          brief: html`${label} until ${until}`,
          stay,
          seat: { tables, until: stay.until },
        },
      ],
    ]
  }
  // Who is here already is proposed a table before who is late, whatever keeps them from their own.
  const inTurn = [...asking.filter(({ why }) => why !== 'ready'), ...tooShort].toSorted(
    (a, b) => Number(isHere(b.row)) - Number(isHere(a.row)),
  )
  return new Map([...inTurn.slice(0, mostAsked).flatMap(elsewhere), ...ready.flatMap(ownFor)])
}

const isHere = ({ checked_in_at }: Pick<DayRow, 'checked_in_at'>): boolean => checked_in_at !== null

/** Whose turn it is at the tables that are proposed to who is here. */
export const turnsOf = (asks: ReadonlyMap<number, Asks>): Turns =>
  new Map([...asks.values()].flatMap(({ turn }) => (turn?.tables ?? []).map((id) => [id, turn?.of as Turn])))

/**
 * Whose turn it is at the tables that are open now, of who is here and of the line, for who walks in behind them; for a party of
 * the line, `entry`, or a booked one, `booking`, of those before it.
 */
export const turnsNow = async (
  work: OfficeWork,
  rules: BookingRules,
  today: LocalDate,
  { entry, booking }: { readonly entry?: number; readonly booking?: number } = {},
): Promise<Turns> => {
  const { db, venue } = work
  const page = { statuses: ['Confirmed'], page: 0, size: mostInService } as const
  const [lines, paged, bookings] = await Promise.all([
    lineOf(db, venue.id, 0),
    labelsPaged(db, venue.id, work.now()),
    bookingsOfDay(db, venue.id, today, page),
  ])
  const line = lineInTurn(lineTonight(lines, today), paged)
  // Whoever is booked goes before the line.
  const inTurn = booking === undefined ? before(line, entry) : []
  const here = before(bookings.filter(isHere), booking)
  if (inTurn.length === 0 && here.length === 0) return new Map()
  const [atDoor, evening] = await Promise.all([atDoorNow(work), eveningFloor(work, today, rules)])
  if (!atDoor) return new Map()
  const seen = { atDoor, evening, now: work.now(), timezone: venue.timezone }
  return lineOffers(seen, inTurn, turnsOf(insteadWords(seen, here))).turns
}

const before = <Row extends { readonly id: number }>(
  rows: readonly Row[],
  own: number | undefined,
): readonly Row[] => {
  const place = rows.findIndex(({ id }) => id === own)
  return place < 0 ? rows : rows.slice(0, place)
}

/** The best place, and where that is not a whole stay that nobody else needs, the best of another kind. */
const firstTwo = (places: Iterable<Place>): readonly Place[] => {
  let first: Place | undefined
  for (const place of places) {
    if (!first) {
      first = place
      // One that is free says all there is to say.
      if (isWhole(place) && !place.moving) return [place]
    } else if (kindOf(place) !== kindOf(first)) return first.late || place.late ? [first] : [first, place]
  }
  return first ? [first] : []
}

const kindOf = ({ short, moving, neededBy, late }: Place): string =>
  late ? 'late' : neededBy ? 'needed' : moving ? 'moving' : short ? 'short' : 'open'

/** "likely 14 at 8:40 PM": what a party that nobody can seat now gets next. */
export const likelyWords = ({ tables, at }: LikelyTable, timezone: string): string =>
  `likely ${joinedLabels(tables.map((table) => table.label))} at ${timeOf(at, timezone)}`

/**
 * "B3 is free", "B3 until 9:00 PM", "B3 when Le moves", "B3 is free; Zhao, 2, has no table yet and …", "B3 if Palumbo, 46 min late,
 * doesn’t come"; "B3 until 9:00 PM if Peña doesn’t take it" of one that is proposed to somebody before them.
 */
const placeWords = (
  { tables, short, moving, neededBy, late }: Place,
  before: readonly Turn[],
  { timezone, surnames, needing }: NamesOfTonight,
): string => {
  const label = joinedLabels(tables.map((table) => table.label))
  const until = short && `until ${timeOf(short.until, timezone)}`
  const first = turnsLeft(before, neededBy).map(({ name }) => name)
  const words = [
    label,
    moving ? movingWords(moving, surnames) : late ? until : (until ?? 'is free'),
    first.length > 0 ? unlessTaken(first) : undefined,
    late && ifLateWords(late, surnames, 'min late'),
  ]
  const place = words.filter((word) => word !== undefined).join(' ')
  return neededBy ? `${place}; ${needing(neededBy)}` : place
}

/** "15 until 8:30 PM only": of its own table, which it could have for too short a while. */
const onlyWords = ({ label }: TablesShown, why: Why, timezone: string): string | undefined =>
  typeof why === 'object' ? `${label} until ${timeOf(why.onlyUntil, timezone)} only` : undefined

type Why = number | 'none' | 'ready' | 'taken' | 'off' | { readonly onlyUntil: Temporal.Instant }

const stateWords = ({ label, takenBy }: TablesShown, why: Why, timezone: string): string => {
  if (typeof why === 'number') return `table ${label} is ${why} min over`
  if (typeof why === 'object') return `table ${label} is free until ${timeOf(why.onlyUntil, timezone)} only`
  const words = {
    none: 'no table yet',
    ready: `table ${label} is free`,
    taken: `table ${label} is taken${takenBy ? ` until ${timeOf(takenBy.until, timezone)}` : ''}`,
    off: `table ${label} is out of use`,
  }
  return words[why]
}

/**
 * Why it is asked where a party could sit: so many minutes others sit at its table over their time, or still in it; its table is
 * out of use, or it has none; `ready`: it may sit down there, if maybe for a while only; or until when that is, too short a while.
 */
const whyAsked = ({ label, takenBy, off }: TablesShown, now: Temporal.Instant): Why => {
  if (label === '') return 'none'
  if (!takenBy) return off ? 'off' : 'ready'
  const over = minutesSince(takenBy.planned, now)
  return over > 0 ? over : 'taken'
}
