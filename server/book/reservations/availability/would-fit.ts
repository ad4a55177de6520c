import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { emptyDayAt } from '../../day/day.ts'
import { floorOfDay } from '../../day/day-floor.ts'
import type { Bucket, Load } from '../../day/facts.ts'
import type { PartyRow } from '../../day/party-reads.ts'
import { partiesOfDay } from '../../day/read-floor-day.ts'
import type { When } from '../../day/when.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { evaluate } from '../rules/evaluate.ts'
import { whenOfMinute } from '../rules/open-times.ts'

/*
 * Who would be taken if a slot took more guests: parties are judged one after another by the rules of a request, each next to
 * those before it, who then hold a place as somebody does who is about to book. Nothing is written.
 */

/** Parties of one size who ask for one time. */
export type Asking = { readonly serviceMinute: number; readonly size: number; readonly parties: number }

export type Fit = {
  /** Parties that would be taken, and their guests. */
  readonly parties: number
  readonly guests: number
  /** Guests of the others, by why they would be refused; without those who would be too many at once. */
  readonly refused: ReadonlyMap<BookingReason, number>
}

/** Those who hold a place on a date, for all of its slots that are judged; none where no tables are in use. */
export const partiesBeside = async (
  db: Queries,
  venue: VenueId,
  { floor, ...rules }: BookingRules,
  when: { readonly date: LocalDate; readonly now: Temporal.Instant },
): Promise<readonly PartyRow[]> => (floor ? partiesOfDay(db, venue, { ...rules, floor }, when) : [])

/** Judges those for whom a slot with what is `booked` has no room, up to `most` guests together, next to the parties of its date. */
export const wouldFit = (
  around: BookingRules,
  at: Temporal.Instant,
  {
    slot,
    booked,
    most,
    beside,
  }: {
    readonly slot: Bucket
    readonly booked: Load
    readonly most: number
    readonly beside: readonly PartyRow[]
  },
  asking: readonly Asking[],
): Fit => {
  const date = slot.serviceDate
  const open = { ...slot, maxCovers: Number.MAX_SAFE_INTEGER, maxParties: null }
  const rules: BookingRules = { ...around, pacingExceptions: [...around.pacingExceptions, open] }
  const { floor: tables } = rules
  const rows = [...beside]
  const laidOut = () => tables && floorOfDay({ ...rules, floor: tables }, date, rows, at)
  let floor = laidOut() ?? undefined
  let [parties, guests] = [0, 0]
  const refused = new Map<BookingReason, number>()
  for (const { serviceMinute, size, parties: ofSize } of asking) {
    const [when] = whenOfMinute(date, serviceMinute, rules.timezone, at)
    if (!when) continue
    for (let nth = 0; nth < ofSize && guests + size <= most; nth++) {
      const day = emptyDayAt(rules, resolveService(rules, when))
      const load = { covers: booked.covers + guests, parties: booked.parties + parties }
      const request = { ...when, partySize: size, door: 'online' } as const
      const answer = evaluate({ ...day, load, floor }, at, request)
      if (!answer.ok) {
        // What refuses one refuses those who are like it.
        const { reason } = answer.refusal
        refused.set(reason, (refused.get(reason) ?? 0) + (ofSize - nth) * size)
        break
      }
      parties++
      guests += size
      rows.push(heldBy(when, { date, size, id: `asking ${parties}` }))
      floor = laidOut() ?? undefined
    }
  }
  return { parties, guests, refused }
}

const heldBy = (
  { startsAt }: When,
  { date, size, id }: { readonly date: string; readonly size: number; readonly id: string },
): PartyRow => ({
  ...{ kind: 'hold', id, reservation_id: null, service_date: date, starts_at: toMoment(startsAt) },
  ...{ ends_at: null, duration_minutes: null, seated_at: null, party_size: size, status: 'Requested' },
  ...{ is_online: true, arrived: false, pinned: false, tables: null, no_table: false, seating: null },
  lapses_at: null,
})
