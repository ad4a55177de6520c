import type { Work } from '../../context.ts'
import { whenNow } from '../day/when.ts'
import { holdDays, openDay } from '../day/open-day.ts'
import type { FloorDay } from '../day/day-floor.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { waitlistEntry } from './reads.ts'

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
