import { addDays } from '../platform/kernel/time/calendar.ts'
import type { Queries } from '../platform/db/pool.ts'
import { wallTimeOf } from '../platform/kernel/time/venue-clock.ts'
import type { ClockTime, LocalDate } from '../platform/kernel/time/written-time.ts'
import { readDay } from '../book/day/open-day.ts'
import { nobody } from '../book/day/day.ts'
import { evaluate } from '../book/reservations/rules/evaluate.ts'
import { openTimes } from '../book/reservations/rules/open-times.ts'
import { resolveService } from '../book/rules/resolve-service.ts'
import { bookingRulesAround } from '../book/rules/rules-store.ts'
import type { Venue } from '../core/venue/venue.ts'
import { next } from './house-rules.ts'

export type OpenSlot = { readonly date: LocalDate; readonly time: ClockTime; readonly partySize: number }

/** Fridays looked at: the venue may be closed on one. */
const mostFridays = 8
const earliest: ClockTime = '18:00'

/** A table for two that can still be had: on the first Friday from tomorrow with one left after six. */
export const openSlotOnFriday = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
  now: Temporal.Instant,
): Promise<OpenSlot | undefined> => {
  const partySize = 2
  const friday = next(5, addDays(wallTimeOf(now, venue.timezone).date, 1))
  for (let week = 0; week < mostFridays; week++) {
    const serviceDate = addDays(friday, 7 * week)
    const rules = await bookingRulesAround(db, venue, serviceDate)
    const asked = { serviceDate, partySize, door: 'online' } as const
    const { slots } = openTimes(rules, now, asked, () => nobody)
    for (const { evaluation, ...when } of slots) {
      if (!evaluation.ok || when.date !== serviceDate || when.time < earliest) continue
      const day = await readDay({ db, venue, now: () => now }, rules, resolveService(rules, when))
      const { ok } = evaluate(day, now, { ...when, partySize, door: 'online' })
      if (ok) return { date: when.date, time: when.time, partySize }
    }
  }
  return undefined
}
