import { addDays } from '../kernel/calendar.ts'
import { toInstant } from '../kernel/moment.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import type { Own } from '../reservations/own.ts'
import { turnMinutes } from '../venue/turn-minutes.ts'
import type { BookingRules } from '../venue/booking-rules.ts'
import type { Evening, Party, Span } from './assignment/evening.ts'
import { type Laid, judge, layOut } from './assignment/judge.ts'
import { freeFor } from './assignment/walk-in.ts'
import { type OffSpan, endOfDay, offSpans, startOfDay, unavailableSpans } from './day-span.ts'
import type { Floor } from './floor.ts'
import type { PartyRow } from './party-reads.ts'
import { wishedFeatures } from './wished-features.ts'

/*
 * The tables of one service date with everybody who needs one, ready to be asked about one more party. The same is made
 * for a request under the day's lock, for the picker and for a form that is being filled in, so they cannot differ.
 */

export type FloorDay = {
  readonly rules: BookingRules
  /** When it was read. */
  readonly now: Temporal.Instant
  readonly floor: Floor
  /** Everybody, as the engine is told of them. */
  readonly evening: Evening
  /** The bookings that a machine may move or give a table. */
  readonly movable: ReadonlySet<string>
  /** All bookings of the date that count, and those of them that are confirmed. */
  readonly ofDay: ReadonlySet<string>
  readonly confirmed: ReadonlySet<string>
  /** Parties that are seated: their tables go to nobody else. */
  readonly seated: ReadonlySet<string>
  /** The booking that is judged anew, as it is now. */
  readonly own: { readonly row: PartyRow; readonly party: Party } | undefined
  /** The party on the waitlist that is judged, at the tables it was paged for. */
  readonly paged: Party | undefined
  /** Whether the party sits down now, or gets up again. */
  readonly turns: Own['turns']
  /** What of the booking stays where it is while it asks for another place. */
  readonly group: string | null
  /** When each table takes nobody, and why. */
  readonly off: () => ReadonlyMap<number, readonly OffSpan[]>
  /** Laid out when first needed. */
  readonly laid: () => Laid
}

/** Whom a table is wanted for. */
export type Wanted = {
  readonly startsAt: Temporal.Instant
  readonly partySize: number
  /** How long; absent or null: the turn time. */
  readonly durationMinutes?: number | null | undefined
  readonly door: 'online' | 'staff'
  /** Where they would like to sit, in words; absent: as the booking says that is judged anew. */
  readonly seating?: string | null | undefined
}

/** What a party is given, and who else moves for it; by the ids of bookings. */
export type Seating =
  | { readonly seated: false }
  | {
      readonly seated: true
      readonly tables: readonly number[]
      /** Those its booking held before: nothing changes for anybody. */
      readonly keeps: boolean
      /** Of everybody else who holds others from now on. */
      readonly moves: ReadonlyMap<number, readonly number[]>
    }

const minuteMs = 60_000
/** Parties due so soon stay at their table. */
const dueMs = 30 * minuteMs

/** From when until when a party needs its table, with the time the table rests after it. */
export const spanWanted = (
  { turnTimes }: Pick<BookingRules, 'turnTimes'>,
  { turnoverMinutes }: Pick<Floor, 'turnoverMinutes'>,
  { startsAt, partySize, durationMinutes }: Omit<Wanted, 'door' | 'seating'>,
): Span => {
  const from = startsAt.epochMilliseconds
  const minutes = (durationMinutes ?? turnMinutes({ turnTimes }, partySize)) + turnoverMinutes
  return { from, until: from + minutes * minuteMs }
}

/** The same of who is in the book; a party at its table needs it at least for the minute that is now. */
export const spanOf = (
  rules: Pick<BookingRules, 'turnTimes'>,
  floor: Floor,
  row: PartyRow,
  now: Temporal.Instant,
): Span => {
  if (row.ends_at !== null) {
    return {
      from: toInstant(row.starts_at).epochMilliseconds,
      until: toInstant(row.ends_at).epochMilliseconds + floor.turnoverMinutes * minuteMs,
    }
  }
  const isSeated = row.status === 'Seated' && row.seated_at !== null
  const startsAt = toInstant(isSeated && row.seated_at !== null ? row.seated_at : row.starts_at)
  const { from, until } = spanWanted(rules, floor, {
    startsAt,
    partySize: row.party_size,
    durationMinutes: row.duration_minutes,
  })
  return {
    from,
    until: isSeated ? Math.max(until, now.epochMilliseconds + (1 + floor.turnoverMinutes) * minuteMs) : until,
  }
}

/** The instants that bound who is read for a service date. */
export const boundsOfDay = (rules: BookingRules, floor: Floor, date: LocalDate) => ({
  since: startOfDay(rules, date),
  until: endOfDay(rules, date, floor.turnoverMinutes),
})

/** The tables of a service date. `rows` may tell of more dates than this one and those next to it. */
export const floorOfDay = (
  rules: BookingRules & { readonly floor: Floor },
  date: LocalDate,
  rows: readonly PartyRow[],
  now: Temporal.Instant,
  own?: Own,
): FloorDay => {
  const { floor } = rules
  const start = startOfDay(rules, date)
  const next = startOfDay(rules, addDays(date, 1))
  const { until: horizon } = boundsOfDay(rules, floor, date)
  const parties: Party[] = []
  const [movable, ofDay, confirmed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const seated = new Set<string>()
  let self: FloorDay['own']
  let paged: FloorDay['paged']
  for (const row of rows) {
    const span = spanOf(rules, floor, row, now)
    const isOwn = row.kind === 'booking' && row.reservation_id === own?.reservation
    const tables = (row.tables ?? []).map(Number)
    const isMovable =
      row.kind === 'booking' &&
      row.service_date === date &&
      row.status === 'Confirmed' &&
      !row.pinned &&
      !row.arrived &&
      span.from - now.epochMilliseconds > dueMs &&
      span.from >= start &&
      span.until <= next
    const party: Party = {
      ...span,
      id: row.kind === 'booking' ? row.id : `${row.kind} ${row.id}`,
      size: row.party_size,
      // A request holds none, whatever is still written of it.
      tables: row.status === 'Requested' ? [] : tables,
      fixed: !isMovable,
      onlineOnly: row.is_online,
      features: wishedFeatures(row.seating, floor.tables),
      group: row.kind === 'change' || row.kind === 'booking' ? String(row.reservation_id) : null,
    }
    if (isOwn) {
      self = {
        row: own?.turns === 'up' ? { ...row, status: 'Confirmed', seated_at: null } : row,
        party: { ...party, tables },
      }
      if (!own?.staying) continue
    }
    if (row.kind === 'paged' && Number(row.id) === own?.entry) {
      paged = party
      continue
    }
    if (!concerns(row, span, { date, start, horizon })) continue
    // Whoever sits without a table was put somewhere else.
    if (row.status === 'Seated' && tables.length === 0) continue
    if (isMovable) movable.add(party.id)
    if (row.status === 'Seated') seated.add(party.id)
    if (row.kind === 'booking' && row.service_date === date) {
      ofDay.add(party.id)
      if (row.status === 'Confirmed') confirmed.add(party.id)
    }
    parties.push(party)
  }
  const unavailable = unavailableSpans(rules, floor, date)
  const evening: Evening = {
    tables: floor.tables.map(({ id, least, most, online, priority, features, room }) => ({
      id,
      least,
      most,
      online,
      priority,
      features,
      section: String(room),
      unavailable: unavailable.get(id) ?? [],
    })),
    combinations: floor.combinations,
    parties,
  }
  let laid: Laid | undefined
  return {
    rules,
    now,
    floor,
    evening,
    movable,
    ofDay,
    confirmed,
    seated,
    own: self,
    paged,
    turns: own?.turns,
    group: own?.staying && own.reservation !== undefined ? String(own.reservation) : null,
    off: () => offSpans(rules, floor, date),
    laid: () => (laid ??= layOut(evening)),
  }
}

/** Whether it is of the date, or reaches into it from the night before or into the next one with it. */
const concerns = (
  { service_date, kind }: PartyRow,
  { from, until }: Span,
  { date, start, horizon }: { date: LocalDate; start: number; horizon: number },
): boolean => {
  if (service_date === date || kind === 'paged') return true
  if (service_date === null) return false
  return service_date < date ? until > start : from < horizon
}

/** A party as the engine is asked about it. */
export const partyWanted = ({ rules, floor, group, own, now }: FloorDay, wanted: Wanted): Party => ({
  // Who sits does so since they sat down, whatever was booked.
  ...(own?.row.status === 'Seated'
    ? spanOf(
        rules,
        floor,
        { ...own.row, duration_minutes: wanted.durationMinutes ?? own.row.duration_minutes },
        now,
      )
    : spanWanted(rules, floor, wanted)),
  id: asked,
  size: wanted.partySize,
  tables: [],
  fixed: false,
  onlineOnly: wanted.door === 'online',
  features:
    wanted.seating === undefined ? (own?.party.features ?? []) : wishedFeatures(wanted.seating, floor.tables),
  group,
})

const asked = 'asked'

/**
 * The tables for a party beside everybody else: those it held before if they are free and fit, otherwise others; or that
 * there are none.
 */
export const seat = (day: FloorDay, wanted: Wanted): Seating => {
  const party = partyWanted(day, wanted)
  // A party that comes when it was paged sits down at the table it was told of; at another hour that table is one of many.
  const before = day.own?.party ?? (day.paged && party.from < day.paged.until ? day.paged : undefined)
  const held = (before?.tables ?? []).toSorted((a, b) => a - b)
  if (day.turns && held.length > 0 && !isHeldByAnother(day, party, held) && !isOffFor(day, party, held))
    return { seated: true, tables: held, keeps: day.own !== undefined, moves: new Map() }
  if (held.length > 0 && day.group === null) {
    const all = day.floor.tables.length + day.floor.combinations.length
    const free = freeFor(day.laid(), party, all)
    if (free.some(({ tables }) => tables.join() === held.join())) {
      return {
        seated: true,
        tables: held,
        keeps: day.own !== undefined,
        moves: movesOf(day, day.laid().base.given),
      }
    }
  }
  const besideAll = judge(day.laid(), party)
  const judgement =
    besideAll.seated || !day.turns ? besideAll : judge(layOut(withoutTableless(day.evening)), party)
  if (!judgement.seated) return { seated: false }
  return {
    seated: true,
    tables: judgement.given.get(asked) ?? [],
    keeps: false,
    moves: movesOf(day, judgement.given),
  }
}

/** Whether somebody else holds one of these tables while the party needs it; who is still without one holds none. */
const isHeldByAnother = ({ evening }: FloorDay, span: Span, held: readonly number[]): boolean =>
  evening.parties.some((one) => meet(one, span) && one.tables.some((table) => held.includes(table)))

/** Whether one of these takes nobody then. Who gets up goes back to where they were to sit, whatever became of it. */
const isOffFor = ({ evening, turns }: FloorDay, span: Span, held: readonly number[]): boolean =>
  turns === 'down' &&
  evening.tables.some(
    ({ id, unavailable }) => held.includes(id) && unavailable.some((off) => meet(off, span)),
  )

/** Whether two spans share an instant. */
export const meet = (a: Span, b: Span): boolean => a.from < b.until && b.from < a.until

/** An evening of those who have a table, and of those who hold a place while they make up their mind. */
export const withoutTableless = (evening: Evening): Evening => ({
  ...evening,
  parties: evening.parties.filter(({ tables, group }) => tables.length > 0 || group === null),
})

/** What is to be written: requests, holds and changes hold no rows, and who is not ours to move stays. */
export const movesOf = (
  { movable }: Pick<FloorDay, 'movable'>,
  given: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<number, readonly number[]> =>
  new Map([...given].filter(([id]) => movable.has(id)).map(([id, tables]) => [Number(id), tables]))
