import { limits } from '@venue-data/contract/limits.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { momentWallReaches, wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { EntryRow } from '../day/entry-row.ts'

/** What a waiting party is checked against: the moment, and the venue's business day then. */
export type Evening = {
  readonly now: Temporal.Instant
  readonly serviceDateNow: LocalDate
  readonly timezone: string
}

/** Whether a party's wait is over: the offer unanswered, the window passed, or the service date over. */
export const isOverdue = (entry: EntryRow, evening: Evening): boolean =>
  eveningIsOver(entry, evening) || offerIsOver(entry, evening) || windowIsOver(entry, evening)

/** Whether the service date they wait for is over at the venue. */
export const eveningIsOver = (entry: EntryRow, { serviceDateNow }: Evening): boolean => {
  const day = entry.service_date ?? entry.date
  return day !== null && day < serviceDateNow
}

const offerIsOver = (entry: EntryRow, { now }: Evening): boolean => {
  const end = offerEnds(entry)
  return end !== undefined && Temporal.Instant.compare(now, end) >= 0
}

/** Until when an offered table is held; undefined for a party that was offered none. */
export const offerEnds = ({ status, paged_at, offered_until }: EntryRow): Temporal.Instant | undefined => {
  if (status !== 'offered' || paged_at === null) return undefined
  // The release before this one pages without saying until when.
  return offered_until !== null && offered_until > paged_at
    ? toInstant(offered_until)
    : toInstant(paged_at).add({ minutes: limits.doorOfferMinutes })
}

/** A party put back in line after its window had passed is not expired again for the same reason. */
const windowIsOver = (entry: EntryRow, { now, timezone }: Evening): boolean => {
  const end = endOfWindow(entry, timezone)
  if (!end) return false
  const since = toInstant(entry.rejoined_at ?? entry.created_at)
  return Temporal.Instant.compare(end, since) > 0 && Temporal.Instant.compare(now, end) > 0
}

/** The last moment they can come; on the next day if the window runs past midnight. */
const endOfWindow = (entry: EntryRow, timezone: string): Temporal.Instant | undefined => {
  const { date, window_end, window_start, requested_time } = entry
  if (!date || !window_end) return undefined
  const joined = wallTimeOf(toInstant(entry.created_at), timezone)
  const from = window_start ?? requested_time ?? (joined.date === date ? joined.time : null)
  const day = from !== null && window_end < from ? addDays(date, 1) : date
  return momentWallReaches({ date: day, time: window_end }, timezone)
}
