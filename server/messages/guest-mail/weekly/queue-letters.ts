import type { Context } from '../../../context.ts'
import { letterReaders } from '../../../core/staff/weekly-letter.ts'
import { letterOfWeekFor, queueWeeklyLetter } from '../../../mail/guest-mail-queue.ts'
import { addDays, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { momentsOfWall, wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/** When it is written, by the venue's clock, and from when on nobody needs it any more. */
const eight = '08:00'

/**
 * Has the letter about each week sent on Monday at 8:00 to those who want it. A service that does not run then sends it once
 * it does, up to Tuesday at 8:00. Any number of processes may do this: there is one letter for each person and week.
 */
export const queueWeeklyLetters = async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> => {
  const now = clock()
  let queued = 0
  for (const [venue, readers] of Map.groupBy(await letterReaders(db), (reader) => reader.venue)) {
    const due = dueWeek(now, readers[0]?.timezone ?? '')
    if (!due) continue
    const within = db.within(venue)
    const known = await letterOfWeekFor(within, venue, due.week)
    for (const { id } of readers) {
      if (!known.has(id)) queued += await queueWeeklyLetter(within, venue, { record: id, ...due }, now)
    }
  }
  return queued
}

/** The Monday whose letter may go out at a moment, and until when; undefined on all days but Monday from 8:00 on. */
export const dueWeek = (
  now: Temporal.Instant,
  zone: string,
): { readonly week: LocalDate; readonly until: Temporal.Instant } | undefined => {
  const { date } = wallTimeOf(now, zone)
  const week = addDays(date, 1 - weekdayOf(date))
  const [from, until] = [week, addDays(week, 1)].map(
    (day) => momentsOfWall({ date: day, time: eight }, zone)?.earlier,
  )
  const isDue =
    from !== undefined &&
    until !== undefined &&
    Temporal.Instant.compare(from, now) <= 0 &&
    Temporal.Instant.compare(now, until) < 0
  return isDue ? { week, until } : undefined
}
