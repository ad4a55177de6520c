import type { Work } from '../context.ts'
import { bookingRulesAround } from '../venue/rules-store.ts'
import type { BookRow } from './book-row.ts'
import { loadOfBucket } from './reads.ts'
import type { Load } from './rules/facts.ts'
import { bucketOf, limitsOf } from './rules/placement.ts'
import { resolveService } from './rules/resolve-service.ts'
import { type OpenDay, type StaffReason, reasonsAgainst, sizeAgainst } from './staff-reasons.ts'
import { placedStatuses } from './states.ts'
import type { When } from './when.ts'

export type ReasonsNow = {
  readonly reasons: readonly StaffReason[]
  readonly day: OpenDay
  /** Guests the slot would hold, and its cap; null where it has none. */
  readonly covers: number
  readonly mostCovers: number | null
}

/**
 * What would speak against a booking at this moment, for a form that is being filled in. Nothing is held, so what is
 * sent later is judged anew, under the day's lock. `booking` is the one that is being changed.
 */
export const reasonsNow = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  asked: When & { readonly partySize: number },
  booking?: BookRow,
): Promise<ReasonsNow> => {
  const { db, venue, now } = work
  const rules = await bookingRulesAround(db, venue, asked.date)
  const place = resolveService(rules, asked)
  const bucket = bucketOf(rules, place)
  const whole = bucket ? await loadOfBucket(db, venue.id, bucket) : { covers: 0, parties: 0 }
  const counts =
    booking !== undefined &&
    bucket !== undefined &&
    placedStatuses.some((status) => status === booking.status) &&
    booking.service_date === bucket.serviceDate &&
    booking.service_minute !== null &&
    bucket.fromMinute <= booking.service_minute &&
    booking.service_minute < bucket.toMinute
  const load: Load = counts
    ? { covers: whole.covers - (booking.party_size ?? 0), parties: whole.parties - 1 }
    : whole
  const day = { rules, place, load }
  const request = { ...asked, door: 'staff' } as const
  const sameTime = booking !== undefined && booking.date === asked.date && booking.time === asked.time
  const size = booking?.party_size ?? 0
  const reasons = !sameTime
    ? reasonsAgainst(day, now(), request)
    : asked.partySize === size
      ? []
      : sizeAgainst(day, now(), request, asked.partySize > size)
  return {
    reasons,
    day,
    covers: load.covers + asked.partySize,
    mostCovers: limitsOf(rules, place.period).pacing.maxCovers,
  }
}
