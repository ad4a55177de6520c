import type { Work } from '../../context.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { tablesHeld } from './tables-of-booking-reads.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import type { BookRow } from './book-row.ts'
import { markFreed } from './freed-places.ts'

/** How long machines wait after a press of staff that can be undone, before they fill, offer or mail what it freed. */
const undoSeconds = 30

/** From when on machines go by a press of staff that can be undone. */
export const undoUntil = (now: Temporal.Instant): Temporal.Instant => now.add({ seconds: undoSeconds })

/**
 * Marks what a booking had before a press of staff that can be undone. `covers`: how many guests fewer count in its minute.
 * `tables`: those it had, where the caller knows them.
 */
export const markFreedByPress = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  row: BookRow,
  {
    now,
    covers,
    tables,
  }: {
    readonly now: Temporal.Instant
    readonly covers: number
    readonly tables?: readonly number[] | undefined
  },
): Promise<void> => {
  const { service_date, service_minute, starts_at, seated_at, party_size, duration_minutes } = row
  if (service_date === null || starts_at === null) return
  const until = undoUntil(now)
  const startsAt = toInstant(seated_at ?? starts_at)
  const minutes =
    duration_minutes ?? turnMinutes(await bookingRulesAround(db, venue, service_date), party_size ?? 1)
  const planned = startsAt.add({ minutes })
  await markFreed(db, venue.id, service_date, {
    until,
    tables: tables ?? (await tablesHeld(db, venue.id, row.id)).tables,
    startsAt,
    // Who sat over their time would sit there still.
    endsAt: Temporal.Instant.compare(planned, until) < 0 ? until : planned,
    serviceMinute: service_minute,
    covers,
  })
}
