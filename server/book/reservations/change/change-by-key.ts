import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import { recordEvent } from '../../../core/events/record.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { dayInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { Refusal, notFound, refuse } from '../../../platform/kernel/refusal.ts'
import { type SeenVersion, asSeen } from '../../../platform/kernel/running/seen-version.ts'
import { changesByApi } from '../../rules/changes-by-api.ts'
import { alternativesTo } from '../availability/availability.ts'
import { applyEdit } from '../edits/apply-edit.ts'
import { type BookRow, bookedReservation, bookedReservationForUpdate } from '../../day/book-row.ts'
import { closeChange } from './close-change.ts'
import { asEmitted } from '../moves.ts'
import { type HeldEdit, type ReservationChanges, holdForEdit, needsNewPlace } from '../edits/held-edit.ts'
import { type ChangeRow, askedOf, insertChange, pendingChange } from './pending-change.ts'
import { type Placed, findNewPlace, refusalOfPlace } from '../new-place.ts'
import type { BookingRefusal } from '../../day/facts.ts'
import { type PartOfWhen, type When, completeWhen } from '../../day/when.ts'

/** Who can override nothing: a key, or the guest by their private link. */
type Key = Actor & { readonly kind: 'key' | 'guest' }

export type KeyChanges = Omit<ReservationChanges, 'when'> & { readonly when?: PartOfWhen | undefined }

type ChangeRequest = {
  readonly id: number
  readonly seenVersion: SeenVersion
  readonly changes: KeyChanges
  /** Whether the venue takes such a change of a confirmed booking at once; absent: as it has chosen for changes by API. */
  readonly isDirect?: (row: BookRow) => Promise<boolean>
}

/** The booking after the request, and the change that the venue is asked for, if there is one. */
export type ChangedByKey = { readonly row: BookRow; readonly change?: ChangeRow }

/**
 * Changes a booking for a key, which can override nothing. Words and fewer guests apply at once, and so does anything
 * about a request, which staff have yet to answer; another time or more guests of a confirmed booking is asked of the
 * venue. All of it is judged by the rules a request is judged by, with both days locked, and refused whole.
 */
export const changeByKey = async (
  work: Work,
  actor: Key,
  { id, seenVersion, changes, isDirect }: ChangeRequest,
): Promise<ChangedByKey> => {
  const { db, venue } = work
  const seen = await bookedReservation(db, venue.id, id)
  if (!seen) throw notFound('reservation')
  const held = await holdForEdit(work, seen, (row) => changesOf(work, row, changes))
  const row = asSeen('reservation', held?.row, seenVersion)
  if (!held) throw notFound('reservation')
  if (!changeable.some((status) => status === row.status)) throw notInState(row)
  const { differing } = held
  const now = work.now()
  if (!needsNewPlace(differing))
    return { row: differing.words ? await applied(work, actor, held, { columns: row }, now) : row }

  const pending = await pendingChange(db, venue.id, id, now)
  if (pending) throw changePending(pending)
  const fewer = !differing.when && differing.size !== undefined && differing.size < (row.party_size ?? 0)
  const asks =
    row.status === 'Confirmed' &&
    row.starts_at !== null &&
    !fewer &&
    !(isDirect ? await isDirect(row) : (await changesByApi(db, venue.id)) === 'direct')
  const placed = await findNewPlace(work, held, asks)
  const refusal = refusalOfPlace(placed, now)
  if (refusal) throw refuse(refusal.reason, refusal.sentence)
  if (!asks || !placed.arrival) return { row: await applied(work, actor, held, placed, now) }
  const wordsOnly = {
    ...held,
    differing: { ...differing, when: undefined, size: undefined, length: undefined },
  }
  const after = differing.words ? await applied(work, actor, wordsOnly, { columns: row }, now) : row
  return { row: after, change: await askForChange(work, actor, after, placed.columns, now) }
}

/** The key takes back what it, or another of the venue's keys, asked for. */
export const withdrawChange = async (
  work: Work,
  actor: Key,
  { id, seenVersion }: Omit<ChangeRequest, 'changes' | 'isDirect'>,
): Promise<Required<ChangedByKey>> => {
  const { db, venue } = work
  const seen = await bookedReservationForUpdate(db, venue.id, id)
  const row = asSeen('reservation', seen, seenVersion)
  const now = work.now()
  if (!(await pendingChange(db, venue.id, id, now))) throw noneWaits()
  const change = (await closeChange(work, actor, row, 'withdrawn', now)) as ChangeRow
  return { row, change }
}

/** The change that waits for an answer, if there is one. Refuses a booking the venue does not have. */
export const changeOf = async ({ db, venue, now }: Work, id: number): Promise<ChangeRow | undefined> => {
  const change = await pendingChange(db, venue.id, id, now())
  if (!change && !(await bookedReservation(db, venue.id, id))) throw notFound('reservation')
  return change
}

/** Open times near the one that was refused; what the booking holds itself is free for it. */
export const alternativesToChange = async (
  work: Work,
  id: number,
  changes: KeyChanges,
  refusal: Pick<BookingRefusal, 'reason'>,
  most: number,
): Promise<readonly When[]> => {
  const row = await bookedReservation(work.db, work.venue.id, id)
  if (!row?.date || !row.time || !row.starts_at) return []
  const now = { date: row.date, time: row.time, startsAt: toInstant(row.starts_at) }
  const { when = now, partySize = row.party_size ?? 0 } = changesOf(work, row, changes)
  return alternativesTo(work, { ...when, partySize }, refusal, most, { reservation: id })
}

/** Once the party is at the table, or the booking is over, it is the staff's. */
const changeable = ['Requested', 'Confirmed'] as const satisfies readonly ReservationStatus[]

const changesOf = (
  { venue, now }: Work,
  row: BookRow,
  { when, ...changes }: KeyChanges,
): ReservationChanges => ({
  ...changes,
  isWhole: true,
  ...(when && { when: completeWhen(when, row, venue.timezone, now()) }),
})

/** Writes an edit of a booking whose row is held, so that its version holds. */
const applied = async (
  work: Work,
  actor: Key,
  held: HeldEdit,
  placed: Placed,
  now: Temporal.Instant,
): Promise<BookRow> =>
  (await applyEdit(work, actor, held, { ...placed, action: 'edit' }, now))?.after as BookRow

const askForChange = async (
  work: Work,
  actor: Key,
  row: BookRow,
  to: Placed['columns'],
  now: Temporal.Instant,
): Promise<ChangeRow> => {
  const { db, venue } = work
  const starts = [row.starts_at, to.starts_at].filter((moment) => moment !== null).map(toInstant)
  const [expiresAt] = starts.toSorted((one, other) => Temporal.Instant.compare(one, other))
  if (!expiresAt || Temporal.Instant.compare(now, expiresAt) >= 0) throw tooLate()
  // One that has lapsed and was not yet reported as such.
  await closeChange(work, { kind: 'service' }, row, 'lapsed', now)
  const change = await insertChange(db, venue.id, row.id, to, {
    key: actor.kind === 'key' ? actor.id : null,
    expiresAt,
    now,
  })
  await recordEvent(work, 'reservation.change_requested', asEmitted(row, now), now)
  await recordActivity(
    work,
    actor,
    {
      action: 'askChange',
      record: { kind: 'reservation', id: row.id },
      before: askedOf(row),
      after: askedOf(change),
    },
    now,
  )
  return change
}

const notInState = ({ status }: BookRow): Refusal =>
  refuse('not-in-state', `This reservation is ${status}, so it can no longer be changed.`)

const changePending = ({ date, time, party_size }: ChangeRow): Refusal => {
  const guests = party_size === 1 ? '1 guest' : `${party_size} guests`
  return refuse(
    'change-pending',
    `The venue has not yet answered the change to ${timeInWords(time)} on ${dayInWords(date)}, ${guests}.`,
  )
}

const tooLate = (): Refusal =>
  refuse('too-late', 'The booked time has come, so it can no longer be changed here; please call the venue.')

export const noneWaits = (): Refusal => new Refusal(404, 'No change of this reservation waits for an answer.')
