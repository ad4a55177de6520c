import type { Actor } from '../../../core/activity/actor.ts'
import { recordPress } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import { recordEvent } from '../../../core/events/record.ts'
import { matchOrMakeGuest } from '../../../crm/guests/actions.ts'
import { applyContribution } from '../../../crm/guests/contributions.ts'
import { fillDay, isWaitedFor } from '../../tables/fill.ts'
import { giveTables } from '../../tables/give-tables.ts'
import type { PutBack } from '../../tables/put-back.ts'
import { type BookRow, type Edited, presentReservation } from '../../day/book-row.ts'
import { writeEdit } from '../book-writes.ts'
import { type Differing, type HeldEdit, concernsGuest, wordsOf } from './held-edit.ts'
import { markFreedByPress, undoUntil } from '../../day/freed-by-press.ts'
import { markFreed } from '../../day/freed-places.ts'
import { followEdit } from '../guarantee/follow-edit.ts'
import { mailChange, remindAgain } from '../guest/booking-mails.ts'
import { asEmitted, overrides } from '../moves.ts'
import { settleChange } from '../change/pending-change.ts'
import type { Placed } from '../new-place.ts'
import type { StaffReason } from '../staff-reasons.ts'
import type { ReservationEvent } from '../states.ts'

type Applied = Placed & {
  readonly action: 'edit' | 'acceptChange'
  /** Those that staff overrode. */
  readonly reasons?: readonly StaffReason[]
  /** When it was asked for, of one that waited for an answer. */
  readonly askedAt?: Temporal.Instant
  /** Whose wish it is, if not that of who does it. */
  readonly askedBy?: 'guest' | 'key' | undefined
  /** Staff chose to give back what is behind guests who do not come, past the limit. */
  readonly givesBack?: boolean
  /** The tables staff chose with it. */
  readonly tables?: readonly number[] | undefined
  /** It undoes a press: what puts everybody back at their tables, the booking among them. */
  readonly undone?: PutBack | undefined
  /** The press that it undoes, by its rows of the activity log, also where tables decide nothing. */
  readonly undoes?: readonly number[] | undefined
  /** The length that an undone press took off the booking, to be restored when the party gets up. */
  readonly minutesBeforeSeating?: number | undefined
}

/**
 * Writes an edit of a locked booking, by staff, guest or key: the row, the guest that new contact details belong to and
 * their counts, the event, the activity. Setting another time or size settles a pending change. Undefined when the
 * booking is no longer at its version. `press`: the row of the activity log, for its undo.
 */
export const applyEdit = async (
  work: Work,
  actor: Actor,
  held: HeldEdit,
  {
    columns,
    arrival,
    action,
    reasons = [],
    askedAt,
    askedBy,
    givesBack,
    tables,
    undone,
    undoes,
    minutesBeforeSeating,
  }: Applied,
  now: Temporal.Instant,
): Promise<{ readonly after: BookRow; readonly press: number } | undefined> => {
  const { db, venue } = work
  const { row, changes, differing } = held
  const words = wordsOf(row, changes)
  const guest_id = differing.contact ? await guestOf(work, actor, row, words) : row.guest_id
  const to = { ...columns, ...words, guest_id, minutesBeforeSeating }
  const after = await writeEdit(db, venue.id, row, to, now)
  if (!after) return undefined
  const changed = undone
    ? await undone.write()
    : arrival
      ? await giveTables(work, arrival.day.floor, {
          ...arrival.request,
          door: 'staff',
          id: row.id,
          status: after.status,
          tables,
          hasMoved: differing.when !== undefined,
        })
      : []
  const isPress = actor.kind === 'staff' && action === 'edit'
  if (differing.when || differing.size || differing.length) {
    await (isPress && !undone
      ? markFreedByPress(work, row, {
          now,
          covers: row.party_size ?? 0,
          tables: arrival?.day.floor?.own?.party.tables ?? [],
        })
      : markFreed(db, venue.id, row.service_date))
  }
  await applyContribution(work, row, after)
  const how = action === 'acceptChange' ? 'accepted' : 'lapsed'
  const isSettled =
    concernsGuest(differing) && (await settleChange(db, venue.id, row.id, how, now)) !== undefined
  await recordEvent(work, namesOf(differing, isSettled), asEmitted(after, now), now, {
    before: presentReservation(row),
    ...(isSettled && { answer: how }),
  })
  const agreed = await followEdit(work, {
    ...{ before: row, after, askedAt: askedAt ?? now, now, undoes },
    by: askedBy ?? (actor.kind === 'staff' ? 'venue' : actor.kind),
    givesBack,
    isPress,
  })
  if (concernsGuest(differing)) {
    const mailing = { at: isPress ? undoUntil(now) : undefined, byStaff: actor.kind === 'staff' }
    await mailChange(work, { before: row, after }, now, mailing)
    if (differing.when && after.status === 'Confirmed') await remindAgain(work, after, now)
  }
  const press = await recordPress(
    work,
    actor,
    {
      action,
      record: { kind: 'reservation', id: row.id },
      before: { ...row, agreed: agreed?.before },
      after: { ...after, agreed: agreed?.after },
      ...overrides(reasons),
      tables: changed,
    },
    now,
  )
  if (arrival?.day.floor && after.service_date && isWaitedFor(arrival.day.floor, row.id))
    await fillDay(work, after.service_date, held.days)
  return { after, press }
}

const namesOf = (
  { when, size, length, experience, words }: Differing,
  isAnswer: boolean,
): ReservationEvent[] => [
  ...(isAnswer ? (['reservation.change_answered'] as const) : []),
  ...(when ? (['reservation.rescheduled'] as const) : []),
  ...(size ? (['reservation.resized'] as const) : []),
  // Where the size changes, how long goes with it.
  ...(words || experience !== undefined || (length && !size)
    ? (['reservation.details_changed'] as const)
    : []),
]

/** The guest matching new contact details; without any the booking keeps its guest. */
const guestOf = async (
  work: Work,
  actor: Actor,
  row: BookRow,
  { guest_name, email, phone }: Pick<Edited, 'guest_name' | 'email' | 'phone'>,
): Promise<number | null> => {
  const supplied = { name: guest_name ?? undefined, email: email ?? undefined, phone: phone ?? undefined }
  const origin = actor.kind === 'key' ? 'automation' : 'staff'
  return (await matchOrMakeGuest(work, supplied, origin))?.guest.id ?? row.guest_id
}
