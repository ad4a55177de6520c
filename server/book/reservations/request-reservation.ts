import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import type { Work } from '../../context.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { recordEvent } from '../../core/events/record.ts'
import { type GuestOrigin, lockGuestBookAndFind } from '../../crm/guests/actions.ts'
import { refuseTable } from '../../platform/kernel/refusal.ts'
import { giveTables } from '../tables/give-tables.ts'
import type { HoldId } from './holds/hold-reads.ts'
import { releaseHold } from './holds/holds.ts'
import { type Arrival, holdAndOpenDayWith, holdDays, openDay } from '../day/open-day.ts'
import { type ExperienceChosen, type ReservationRow, presentReservation } from '../day/book-row.ts'
import { evaluate } from './rules/evaluate.ts'
import type { Day } from '../day/facts.ts'
import type { Own } from '../day/own-place.ts'
import type { Placement } from '../rules/placement.ts'
import type { When } from '../day/when.ts'
import { insertWithGuest } from './bookings.ts'

export type ReservationRequest = When & {
  readonly guestName: string
  readonly partySize: number
  readonly email: string | null
  readonly phone: string | null
  readonly notes: string | null
  readonly externalId: string | null
  /** What goes with it; absent or null: nothing but the table. */
  readonly experience?: ExperienceChosen | null | undefined
  /** What held its place until now: left out of the sums, and gone once the request is made. */
  readonly hold?: HoldId | undefined
}

/** Whose request it is, and what it is at first. */
export type TakenAs = {
  readonly source: 'automation' | 'public'
  readonly origin: GuestOrigin
  /** Called under the day's lock, once every rule has passed. */
  readonly statusOf: (placement: Placement) => Promise<'Requested' | 'Confirmed'> | 'Requested' | 'Confirmed'
  /** Where they would like to sit, as a guest said in private. */
  readonly seating?: string | null | undefined
} & Secured

/** A booking that was secured before it is made. */
export type Secured = {
  /** The rules about time are those of this moment; absent: of now. */
  readonly judgedAt?: Temporal.Instant
  /** Writes what stands behind it, before anybody hears of the booking. */
  readonly secure?: (reservation: number) => Promise<ReservationRow>
}

const byKey: TakenAs = { source: 'automation', origin: 'automation', statusOf: () => 'Requested' }

/**
 * A request for a table, checked against all of the venue's rules and left for staff to confirm. Refuses with the
 * first rule that says no, and then leaves nothing behind.
 *
 * The service date is locked before the load is summed, so of any number of requests for the last places exactly
 * those that fit get through. The rules are read under the lock too: settings saved in the meantime apply to the
 * whole request or not at all.
 */
export const requestReservation = async (
  work: Work,
  { hold, ...request }: ReservationRequest,
  { source, origin, statusOf, seating, judgedAt, secure }: TakenAs = byKey,
): Promise<Reservation> => {
  const { guestName: name, email, phone } = request
  const person = { name, email: email ?? undefined, phone: phone ?? undefined }
  const own = ownOf({ ...request, hold }, secure !== undefined)
  const [day, candidates] = await holdAndOpenDayWith(work, request, own, () =>
    lockGuestBookAndFind(work, person),
  )
  const placement = judged(day, judgedAt ?? work.now(), { ...request, seating })

  const status = await statusOf(placement)
  const now = work.now()
  const made = { ...request, ...placement, status, source }
  const [, { row }] = await Promise.all([
    hold === undefined ? undefined : releaseHold(work, hold),
    insertWithGuest(work, { person, origin, candidates }, made, now),
  ])
  // A request holds no table; one that is confirmed at once does.
  const changed = await giveTables(work, day.floor, {
    startsAt: request.startsAt,
    partySize: request.partySize,
    durationMinutes: placement.durationMinutes,
    door: 'online',
    id: row.id,
    status,
    seating,
  })
  await noteMoves(work, row.id, changed, now)
  const reservation = presentReservation((await secure?.(row.id)) ?? row)
  await recordEvent(work, 'reservation.created', reservation, now)
  return reservation
}

/** Refuses what `requestReservation` would refuse now, and writes nothing. Leaves the day locked. */
export const refuseUnbookable = async (
  work: Work,
  request: Judged & Arrival,
  seating: string | null,
): Promise<void> => {
  const held = await holdDays(work, request)
  const day = await openDay(work, request, held, ownOf(request, false))
  judged(day, work.now(), { ...request, seating })
}

/** What a request holds already and chooses. */
type Judged = Pick<ReservationRequest, 'hold' | 'experience'>

const ownOf = ({ hold, experience }: Judged, isAgreed: boolean): Own => ({
  hold,
  ...(experience && { experience: { key: experience.key, isAgreed } }),
})

/** Where it is placed; throws what the first rule says against it. */
const judged = (
  day: Day,
  at: Temporal.Instant,
  request: Arrival & { readonly seating: string | null | undefined },
): Placement => {
  const evaluation = evaluate(day, at, { ...request, door: 'online' })
  if (!evaluation.ok) throw refuseTable(evaluation.refusal, { ...day.place, partySize: request.partySize })
  return evaluation.placement
}

/**
 * Writes into the activity log who moved to another table for a booking that nobody at the venue made; a press of staff
 * has its own row for that.
 */
const noteMoves = async (
  work: Work,
  reservation: number,
  changes: readonly TableChange[],
  now: Temporal.Instant,
): Promise<void> => {
  if (changes.every((one) => one.reservation === reservation)) return
  await recordActivity(
    work,
    { kind: 'service' },
    {
      action: 'makeRoom',
      record: { kind: 'reservation', id: reservation },
      before: {},
      after: {},
      tables: changes,
    },
    now,
  )
}
