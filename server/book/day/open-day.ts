import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { rememberOf } from '../../platform/db/kept/remember-of.ts'
import { sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { floorOfDay, spanWanted } from './day-floor.ts'
import { daysConcerned } from './day-span.ts'
import { partiesOfDay } from './read-floor-day.ts'
import { type RulesRead, areOfOneReading, bookingRulesAround, lastRulesAround } from '../rules/rules-store.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import type { BookRow } from './book-row.ts'
import type { Own } from './own-place.ts'
import { loadOfBucket } from './arrivals-reads.ts'
import { emptyDayAt, nobody } from './day.ts'
import { takenOf } from './experience-reads.ts'
import type { Day, ExperienceTaken, Load } from './facts.ts'
import type { PartyRow } from './party-reads.ts'
import { type Place, placeInBook, resolveService } from '../rules/resolve-service.ts'
import type { When } from './when.ts'

/*
 * The day's lock and what is checked under it. Lock first, then read the rules and the sum in separate statements, so
 * that they see what the lock waited for.
 */

/** An arrival to be judged: when, and what decides how long it needs a table. */
export type Arrival = When & {
  readonly partySize: number
  /** Absent or null: the turn time. */
  readonly durationMinutes?: number | null | undefined
}

/**
 * Locks the service date of an arrival, and any others given, in ascending order; where tables decide, also the date next
 * to it that the party reaches into.
 */
export const holdDays = async (
  work: Work,
  arrival: Arrival | undefined,
  others: readonly (LocalDate | null)[] = [],
): Promise<ReadonlySet<LocalDate>> => {
  const days = arrival ? await daysToHold(work, arrival) : []
  return (await holdDaysAndRead(work, [...days, ...others], readNothing))[0]
}

/** For a caller that reads nothing more under the locks. */
export const readNothing = async (): Promise<never> => undefined as never

/** The service dates that an arrival concerns, by the rules of a moment ago. */
const daysToHold = async ({ db, venue }: Work, arrival: Arrival): Promise<readonly LocalDate[]> => {
  const rules = await lastRulesAround(db, venue, arrival.date)
  return daysOfArrival(rules, resolveService(rules, arrival), arrival)
}

/**
 * Locks these dates in ascending order and reads what is to be read under their locks: behind the last one, or, where that date
 * may have none yet, when it has one.
 */
export const holdDaysAndRead = async <Read>(
  { db, venue }: Work,
  dates: readonly (LocalDate | null)[],
  read: () => Promise<Read>,
): Promise<readonly [ReadonlySet<LocalDate>, Read]> => {
  const all = new Set(dates.filter((date) => date !== null))
  const others = [...all].toSorted()
  const last = others.pop()
  if (last === undefined) return [all, await read()]
  for (const date of others) await lockBookingDay(db, venue.id, date)
  const [isHeld, known] = await Promise.all([
    holdBookingDay(db, venue.id, last),
    hasLock(db, venue.id, last) ? read() : undefined,
  ])
  if (!isHeld) await lockBookingDay(db, venue.id, last)
  return [all, (isHeld ? known : undefined) ?? (await read())]
}

/** The service dates that a booking in the book concerns: its own, and with tables those it reaches into. */
export const daysOfBooking = (
  { around }: RulesRead,
  row: Pick<
    BookRow,
    'service_date' | 'starts_at' | 'party_size' | 'duration_minutes' | 'minutes_before_seating'
  >,
): readonly (LocalDate | null)[] => {
  const { service_date: serviceDate, starts_at, party_size, minutes_before_seating: before } = row
  // A stay that was cut may be whole again.
  const durationMinutes = before === null ? row.duration_minutes : before || null
  if (serviceDate === null || starts_at === null) return [serviceDate]
  const arrival = { startsAt: toInstant(starts_at), partySize: party_size ?? 0, durationMinutes }
  return daysOfArrival(around(serviceDate), { serviceDate }, arrival)
}

const daysOfArrival = (
  rules: BookingRules,
  { serviceDate }: Pick<Place, 'serviceDate'>,
  arrival: Omit<Arrival, 'date' | 'time'>,
): readonly LocalDate[] =>
  rules.floor ? daysConcerned(rules, serviceDate, spanWanted(rules, rules.floor, arrival)) : [serviceDate]

/**
 * `holdDays` and `openDay` in one step for an arrival that is new to the book: what is checked under the lock is queried right
 * behind it, by the rules of a moment ago. If the rules were saved in between, or something that was counted expired while
 * the lock was waited for, it is checked again. `read`: what is locked and read next.
 */
export const holdAndOpenDay = async <Read = undefined>(
  work: Work,
  arrival: Arrival,
  own?: Own,
  read: () => Promise<Read> = readNothing,
): Promise<readonly [Day, Read]> => {
  const { db, venue, now } = work
  const known = await lastRulesAround(db, venue, arrival.date)
  const place = resolveService(known, arrival)
  const days = daysOfArrival(known, place, arrival)
  const [held, [rules, booked, more]] = await holdDaysAndRead(work, days, () =>
    Promise.all([
      bookingRulesAround(db, venue, arrival.date),
      readBooked(work, known, { place, now: now(), own }),
      read(),
    ]),
  )
  const at = now()
  if (!countsStill(booked, at) || !areOfOneReading(known, rules))
    return [await openDay(work, arrival, held, own), more]
  return [dayWith(known, booked, { place, now: at, own }), more]
}

/** Checks an arrival on a locked day; `own` is left out of what is booked. */
export const openDay = async (
  work: Work,
  arrival: Arrival,
  held: ReadonlySet<LocalDate>,
  own?: Own,
): Promise<Day> => {
  const { db, venue } = work
  const rules = await bookingRulesAround(db, venue, arrival.date)
  const place = resolveService(rules, arrival)
  // The hours were saved at this very moment. Out of order, but a deadlock is detected and the transaction runs
  // again.
  for (const day of daysOfArrival(rules, place, arrival)) {
    if (!held.has(day)) await lockBookingDay(db, venue.id, day)
  }
  return readDay(work, rules, place, own)
}

/** Checks a booking where it is in the book; its day is locked, and `read` was read under the lock. */
export const openDayOf = (
  work: Work,
  read: RulesRead,
  own: Own,
  placed: { readonly serviceDate: LocalDate; readonly serviceMinute: number },
): Promise<Day> => {
  const rules = read.around(placed.serviceDate)
  return readDay(work, rules, placeInBook(rules, placed), own)
}

type Reader = { readonly db: Queries; readonly venue: Pick<Venue, 'id'> }

/** The current day around an arrival, without a lock; `own` is left out of what is booked. */
export const readDay = async (
  work: Reader & Pick<Work, 'now'>,
  rules: BookingRules,
  place: Place,
  own?: Own,
): Promise<Day> => {
  const asked = { place, now: work.now(), own }
  return dayWith(rules, await readBooked(work, rules, asked), asked)
}

/** What is booked around an arrival, as of a moment. */
type Booked = {
  readonly load: Load
  readonly parties: readonly PartyRow[] | undefined
  readonly taken: ExperienceTaken | undefined
}

type BookedAsked = { readonly place: Place; readonly now: Temporal.Instant; readonly own: Own | undefined }

const readBooked = async (
  { db, venue }: Reader,
  rules: BookingRules,
  { place, now, own }: BookedAsked,
): Promise<Booked> => {
  const { bucket } = emptyDayAt(rules, place)
  const { floor } = rules
  const [load, parties, taken] = await Promise.all([
    bucket ? loadOfBucket(db, venue.id, bucket, { now, own }) : nobody,
    floor
      ? partiesOfDay(db, venue.id, { ...rules, floor }, { date: place.serviceDate, now, own })
      : undefined,
    own?.experience &&
      takenOf(db, venue.id, rules, { key: own.experience.key, date: place.serviceDate, now, own }),
  ])
  return { load, parties, taken }
}

/** Whether nothing of it has lapsed by a later moment, such as one behind a lock that was waited for. */
const countsStill = ({ load, parties = [], taken }: Booked, now: Temporal.Instant): boolean =>
  [load.lapsesAt, taken?.lapsesAt, ...parties.map(({ lapses_at: at }) => at && toInstant(at))].every(
    (at) => !at || Temporal.Instant.compare(now, at) < 0,
  )

const dayWith = (
  rules: BookingRules,
  { load, parties, taken }: Booked,
  { place, now, own }: BookedAsked,
): Day => {
  const { floor } = rules
  return {
    ...emptyDayAt(rules, place),
    load,
    ...(own?.experience && taken && { experience: { ...own.experience, ...taken } }),
    floor:
      floor && parties ? floorOfDay({ ...rules, floor }, place.serviceDate, parties, now, own) : undefined,
  }
}

/**
 * Locks a service date until the transaction ends. Any code that adds to its load takes this lock first, in its own
 * statement.
 */
export const lockBookingDay = async (db: Queries, venue: VenueId, date: LocalDate): Promise<void> => {
  if (await holdBookingDay(db, venue, date)) return
  await db.run(sql()`
    insert into booking_day (venue_id, service_date) values (${venue}, ${date}) on conflict do nothing`)
  await holdRow(db, venue, date)
}

/** The same, if the date has been locked before; false the first time. */
const holdBookingDay = async (db: Queries, venue: VenueId, date: LocalDate): Promise<boolean> => {
  const isHeld = await holdRow(db, venue, date)
  if (isHeld) lockedOf(db).set(`${venue} ${date}`, true)
  return isHeld
}

/**
 * Whether the date surely has its lock, which stays: what is locked after the day may then be asked behind it without
 * waiting for its answer.
 */
const hasLock = (db: Queries, venue: VenueId, date: LocalDate): boolean =>
  lockedOf(db).has(`${venue} ${date}`)

const lockedOf = rememberOf<string, true>(20_000)

const holdRow = async (db: Queries, venue: VenueId, date: LocalDate): Promise<boolean> =>
  (await db.maybe(sql({ service_date: 'date' })`
    select service_date from booking_day where venue_id = ${venue} and service_date = ${date} for update`)) !==
  undefined
