import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import type { Work } from '../../context.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { recordEvent } from '../../core/events/record.ts'
import { lockGuestBookAndFind } from '../../crm/guests/actions.ts'
import { refuseTable } from '../../platform/kernel/refusal.ts'
import { giveTables } from '../tables/give-tables.ts'
import type { HoldId } from './holds/hold-reads.ts'
import { releaseHold } from './holds/holds.ts'
import { holdAndOpenDay, readNothing } from '../day/open-day.ts'
import { type ExperienceChosen, type ReservationRow, presentReservation } from '../day/book-row.ts'
import { evaluate } from './rules/evaluate.ts'
import type { Day } from '../day/facts.ts'
import type { Placement } from '../rules/placement.ts'
import type { When } from '../day/when.ts'
import { type Booker, insertWithGuest } from './guest/insert-with-guest.ts'

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

/** Whose request it is. */
export type TakenAs = {
  readonly source: 'automation' | 'public'
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

/** A request that every rule takes. Its day and the guest book are locked, and nothing of it is written. */
export type PassedRequest = {
  readonly request: ReservationRequest
  readonly as: TakenAs
  readonly booker: Booker
  readonly day: Day
  readonly placement: Placement
}

/**
 * A request for a table, checked against all of the venue's rules and left for staff to confirm. Refuses with the
 * first rule that says no, and then leaves nothing behind.
 */
export const requestReservation = async (work: Work, request: ReservationRequest): Promise<Reservation> => {
  const [passed] = await judgeRequest(work, request, { source: 'automation' })
  return presentReservation(await makeRequest(work, passed, 'Requested'))
}

/**
 * Judges a request. `read`: what else its caller decides by, behind the same locks. Throws what the first rule says against it.
 *
 * The service date is locked before the load is summed, so of any number of requests for the last places exactly
 * those that fit get through. The rules are read under the lock too: settings saved in the meantime apply to the
 * whole request or not at all.
 */
export const judgeRequest = async <Read = undefined>(
  work: Work,
  request: ReservationRequest,
  as: TakenAs,
  read: () => Promise<Read> = readNothing,
): Promise<readonly [PassedRequest, Read]> => {
  const { guestName: name, email, phone, partySize, hold, experience } = request
  const { source: origin, seating, judgedAt, secure } = as
  const person = { name, email: email ?? undefined, phone: phone ?? undefined }
  const own = {
    hold,
    ...(experience && { experience: { key: experience.key, isAgreed: secure !== undefined } }),
  }
  const [day, [candidates, more]] = await holdAndOpenDay(work, request, own, () =>
    Promise.all([lockGuestBookAndFind(work, person), read()]),
  )
  const evaluation = evaluate(day, judgedAt ?? work.now(), { ...request, seating, door: 'online' })
  if (!evaluation.ok) throw refuseTable(evaluation.refusal, { ...day.place, partySize })
  const booker = { person, origin, candidates }
  return [{ request, as, booker, day, placement: evaluation.placement }, more]
}

/** Writes a request that passed, in place of what held its place, and emits its event. Returns the row that was written. */
export const makeRequest = async (
  work: Work,
  { request: { hold, ...request }, as: { source, seating, secure }, booker, day, placement }: PassedRequest,
  status: 'Requested' | 'Confirmed',
): Promise<ReservationRow> => {
  const now = work.now()
  const [, { row: inserted }] = await Promise.all([
    hold === undefined ? undefined : releaseHold(work, hold),
    insertWithGuest(work, booker, { ...request, ...placement, status, source }, now),
  ])
  // A request holds no table; one that is confirmed at once does.
  const changed = await giveTables(work, day.floor, {
    startsAt: request.startsAt,
    partySize: request.partySize,
    durationMinutes: placement.durationMinutes,
    door: 'online',
    id: inserted.id,
    status,
    seating,
  })
  await noteMoves(work, inserted.id, changed, now)
  const row = (await secure?.(inserted.id)) ?? inserted
  await recordEvent(work, 'reservation.created', presentReservation(row), now)
  return row
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
