import type { Work } from '../../context.ts'
import { newestOfRecord } from '../../core/activity/reads.ts'
import { type Moment, minuteOf, toInstant } from '../../platform/kernel/time/moment.ts'
import type { FloorDay } from '../day/day-floor.ts'
import type { EntryRow } from '../day/entry-row.ts'
import { holdDays, openDay } from '../day/open-day.ts'
import { endOfStay } from '../day/short-stays.ts'
import { whenNow } from '../day/when.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { type HeldForPaged, holdAgain } from '../tables/table-holds.ts'
import { waitlistEntry } from './reads.ts'
import type { WaitlistMoveName } from './states.ts'

/**
 * Locks tonight for a party that is about to be paged and hold a table; called before its entry is locked. Undefined where
 * tables decide nothing, and for a party that is gone.
 */
export const openToPage = async (work: Work, entry: number): Promise<FloorDay | undefined> => {
  const { db, venue } = work
  const when = whenNow(work)
  const { floor } = await bookingRulesAround(db, venue, when.date)
  const seen = floor && (await waitlistEntry(db, venue.id, entry))
  if (!seen) return undefined
  const arrival = { ...when, partySize: seen.party_size ?? 1 }
  return (await openDay(work, arrival, await holdDays(work, arrival), { entry })).floor
}

/*
 * The undo of a press that took a paged party out of the line. The press kept what it gave up with its row of the activity log:
 * up to the minute that the party was told, it is paged as before, and hears nothing. The table is held again, too, unless
 * somebody has it by now.
 */

/** What a press gives up of a party that was paged, as its row of the activity log keeps it. */
export type PagedKept = { readonly offered_until: Moment; readonly held: HeldForPaged | null }

/** Presses that take a party out of the line. */
const takenOut: ReadonlySet<string> = new Set<WaitlistMoveName>(['seatNow', 'bookForLater', 'leave'])

/** Until when the party is paged again, and the tables held for it; undefined where it was not paged, or that is over. */
export const pagedBefore = async (
  { db, venue, now }: Work,
  { id, for_later }: EntryRow,
): Promise<{ readonly until: Temporal.Instant; readonly held: HeldForPaged | undefined } | undefined> => {
  const last = for_later ? undefined : await newestOfRecord(db, venue.id, 'waitlist_entry', id)
  if (!last || !takenOut.has(last.action)) return undefined
  const { paged } = (last.before ?? {}) as { readonly paged?: PagedKept | null }
  if (!paged) return undefined
  const until = toInstant(paged.offered_until)
  return Temporal.Instant.compare(now(), until) < 0 ? { until, held: paged.held ?? undefined } : undefined
}

/** Holds the tables again, unless somebody else has one of them by now. The day is locked. */
export const holdAsBefore = async (
  { db, venue, now }: Work,
  floor: FloorDay,
  { id, party_size }: EntryRow,
  { until: expiresAt, held }: NonNullable<Awaited<ReturnType<typeof pagedBefore>>>,
): Promise<void> => {
  if (!held) return
  const at = now()
  const durationMinutes = minuteOf(at)
    .until(minuteOf(Temporal.Instant.from(held.until)))
    .total('minutes')
  const wanted = { startsAt: at, partySize: party_size ?? 1, durationMinutes, door: 'staff' } as const
  if (
    durationMinutes > 0 &&
    endOfStay(floor, wanted, held.tables, { laid: floor.laid('kept') }) === undefined
  )
    await holdAgain(db, venue.id, id, held, expiresAt)
}
