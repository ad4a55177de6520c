import { addDays } from '../platform/kernel/time/calendar.ts'
import { momentWallReaches, wallTimeOf } from '../platform/kernel/time/venue-clock.ts'
import { type LocalDate, clockTimeAt, minutesPerDay } from '../platform/kernel/time/written-time.ts'

/*
 * The demo counts in whole milliseconds since 1970: its stories add and compare a hundred thousand moments.
 * They become moments of the database in writes.ts and nowhere else.
 */

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const demoZone = 'America/New_York'

/** Where it is: its currency follows. */
export const demoCountry = 'US'

/** The moment of a minute counted from 00:00 of a date at the venue, also on the following days. */
export const momentAt = (date: LocalDate, minute: number): number =>
  momentWallReaches({ date: calendarDateOf(date, minute), time: clockTimeAt(Math.floor(minute)) }, demoZone)
    .epochMilliseconds

/** The calendar date of a service minute: the next one after midnight. */
export const calendarDateOf = (serviceDate: LocalDate, minute: number): LocalDate =>
  minute < minutesPerDay ? serviceDate : addDays(serviceDate, Math.floor(minute / minutesPerDay))

export const wallAt = (ms: number) =>
  wallTimeOf(Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)), demoZone)

/** Days from one date to another; negative when the other is earlier. */
export const daysBetween = (from: LocalDate, to: LocalDate): number =>
  Temporal.PlainDate.from(from).until(to).days

/** Every date from the first to the last, both included. */
export const datesBetween = (from: LocalDate, to: LocalDate): LocalDate[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => addDays(from, day))
