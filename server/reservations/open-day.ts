import type { Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import type { BookingRules } from '../venue/booking-rules.ts'
import { bookingRulesAround } from '../venue/rules-store.ts'
import type { Venue } from '../venue/venue.ts'
import { type Own, loadOfBucket } from './reads.ts'
import { emptyDayAt, nobody } from './rules/day.ts'
import type { Day } from './rules/facts.ts'
import { type Place, placeInBook, resolveService } from './rules/resolve-service.ts'
import type { When } from './when.ts'
import { holdBookingDay, lockBookingDay } from './writes.ts'

/*
 * The day's lock and what is checked under it. Lock first, then read the rules and the sum in separate statements, so
 * that they see what the lock waited for.
 */

/** Locks the service date of an arrival, and any others given, in ascending order. */
export const holdDays = async (
  { db, venue }: Work,
  when: Pick<When, 'date' | 'time'> | undefined,
  others: readonly (LocalDate | null)[] = [],
): Promise<ReadonlySet<LocalDate>> => {
  const days = new Set(others.filter((day) => day !== null))
  if (when) days.add(resolveService(await bookingRulesAround(db, venue, when.date), when).serviceDate)
  for (const day of [...days].toSorted()) await lockBookingDay(db, venue.id, day)
  return days
}

/**
 * `holdDays` and `openDay` in one step for an arrival that is new to the book: the day is locked, and what is checked
 * under the lock is queried right behind it, by the rules of a moment ago. If the day had no lock yet, or the hours
 * were saved in between, or something that was counted expired while the lock was waited for, it is done again, one
 * step at a time.
 */
export const holdAndOpenDay = async (
  work: Work,
  when: Pick<When, 'date' | 'time'>,
  own?: Own,
): Promise<Day> => {
  const { db, venue, now } = work
  const expected = emptyDayOf(await bookingRulesAround(db, venue, when.date), when)
  const { bucket } = expected
  const [isHeld, rules, load] = await Promise.all([
    holdBookingDay(db, venue.id, expected.place.serviceDate),
    bookingRulesAround(db, venue, when.date),
    bucket ? loadOfBucket(db, venue.id, bucket, { now: now(), own }) : nobody,
  ])
  const day = emptyDayOf(rules, when)
  const isAsExpected =
    day.place.serviceDate === expected.place.serviceDate &&
    day.bucket?.fromMinute === bucket?.fromMinute &&
    day.bucket?.toMinute === bucket?.toMinute
  const isCurrent = !load.lapsesAt || Temporal.Instant.compare(now(), load.lapsesAt) < 0
  if (isHeld && isAsExpected && isCurrent) return { ...day, load }
  return openDay(work, when, await holdDays(work, when, [isHeld ? expected.place.serviceDate : null]), own)
}

const emptyDayOf = (rules: BookingRules, when: Pick<When, 'date' | 'time'>): Day =>
  emptyDayAt(rules, resolveService(rules, when))

/** Checks an arrival on a locked day; `own` is left out of the slot's load. */
export const openDay = async (
  work: Work,
  when: Pick<When, 'date' | 'time'>,
  held: ReadonlySet<LocalDate>,
  own?: Own,
): Promise<Day> => {
  const { db, venue } = work
  const rules = await bookingRulesAround(db, venue, when.date)
  const place = resolveService(rules, when)
  // The hours were saved at this very moment. Out of order, but a deadlock is detected and the transaction runs
  // again.
  if (!held.has(place.serviceDate)) await lockBookingDay(db, venue.id, place.serviceDate)
  return readDay(work, rules, place, own)
}

/** Checks a booking where it is in the book; its day is locked. */
export const openDayOf = async (
  work: Work,
  reservation: number,
  placed: { readonly serviceDate: LocalDate; readonly serviceMinute: number },
): Promise<Day> => {
  const rules = await bookingRulesAround(work.db, work.venue, placed.serviceDate)
  return readDay(work, rules, placeInBook(rules, placed), { reservation })
}

/** The current day around an arrival, without a lock; `own` is left out of the slot's load. */
export const readDay = async (
  { db, venue, now }: { readonly db: Queries; readonly venue: Pick<Venue, 'id'>; readonly now: Work['now'] },
  rules: BookingRules,
  place: Place,
  own?: Own,
): Promise<Day> => {
  const day = emptyDayAt(rules, place)
  if (!day.bucket) return day
  return { ...day, load: await loadOfBucket(db, venue.id, day.bucket, { now: now(), own }) }
}
