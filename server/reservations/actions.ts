import type { Reservation } from '@venue-data/contract/reservation.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../events/record.ts'
import { matchOrMakeGuest } from '../guests/actions.ts'
import { refuse } from '../kernel/refusal.ts'
import { bookingRulesAround } from '../venue/rules-store.ts'
import { presentReservation } from './present.ts'
import { loadOfBucket } from './reads.ts'
import { evaluate } from './rules/evaluate.ts'
import { bucketOf } from './rules/placement.ts'
import { resolveService } from './rules/resolve-service.ts'
import type { When } from './when.ts'
import { insertReservation, lockBookingDay } from './writes.ts'

export type ReservationRequest = When & {
  readonly guestName: string
  readonly partySize: number
  readonly email: string | null
  readonly phone: string | null
  readonly notes: string | null
}

/**
 * A request for a table, checked against every rule of the venue and left for staff to confirm (contract,
 * "States and transitions"). Refuses with the first rule that says no, and then leaves nothing behind.
 *
 * The service date is locked before the load is summed, so of any number of requests for the last places
 * exactly those that fit get through. The rules are read under the lock too: settings saved meanwhile hold for
 * the whole request or not at all.
 */
export const requestReservation = async (work: Work, request: ReservationRequest): Promise<Reservation> => {
  const { db, venue } = work
  const asked = { ...request, door: 'online' as const }

  const { serviceDate } = resolveService(await bookingRulesAround(db, venue, request.date), request)
  await lockBookingDay(db, venue.id, serviceDate)

  const rules = await bookingRulesAround(db, venue, request.date)
  const place = resolveService(rules, request)
  if (place.serviceDate !== serviceDate) await lockBookingDay(db, venue.id, place.serviceDate)
  const bucket = bucketOf(rules, place)
  const load = bucket ? await loadOfBucket(db, venue.id, bucket) : { covers: 0, parties: 0 }
  const evaluation = evaluate(rules, work.now(), asked, () => load)
  if (!evaluation.ok) throw refuse(evaluation.refusal.reason, evaluation.refusal.sentence)

  const matched = await matchOrMakeGuest(
    work,
    { name: request.guestName, email: request.email ?? undefined, phone: request.phone ?? undefined },
    'automation',
  )
  const now = work.now()
  const row = await insertReservation(
    db,
    venue.id,
    {
      ...request,
      ...evaluation.placement,
      guestId: matched?.guest.id ?? null,
      status: 'Requested',
      source: 'automation',
    },
    now,
  )
  const reservation = presentReservation(row)
  await recordEvent(work, 'reservation.created', reservation, now)
  return reservation
}
