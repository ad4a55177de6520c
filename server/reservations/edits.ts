import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../events/record.ts'
import { holdGuestBook, matchOrMakeGuest } from '../guests/actions.ts'
import { applyContribution } from '../guests/contributions.ts'
import { type Moment, toInstant, toMoment } from '../kernel/moment.ts'
import { notFound } from '../kernel/refusal.ts'
import { type BookRow, bookedReservation, bookedReservationForUpdate } from './book-row.ts'
import { type Edited, writeEdit } from './book-writes.ts'
import { asEmitted, overrides } from './moves.ts'
import { holdDays, openDay, openDayOf } from './open-day.ts'
import { type ReservationOutcome, changedMeanwhile, done, refused, unchanged } from './outcome.ts'
import { placementOf } from './rules/placement.ts'
import {
  type StaffReason,
  type ConfirmedReason,
  reasonsAgainst,
  sizeAgainst,
  unconfirmed,
} from './staff-reasons.ts'
import { placedStatuses } from './states.ts'
import type { When } from './when.ts'

/** What staff change about a booking; a missing field stays, null clears it. */
export type ReservationChanges = {
  readonly when?: When
  readonly partySize?: number
  readonly guestName?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly notes?: string | null
}

export type EditRequest = {
  readonly id: number
  /** The version the page showed. A page never overwrites a change it did not show. */
  readonly seenVersion: number
  readonly changes: ReservationChanges
  /** Reasons against it that staff saw and confirmed. */
  readonly confirmed?: readonly ConfirmedReason[]
}

/**
 * Edits a booking. A new time is placed again (service date, service minute, moment, booking type) and checked
 * against every rule with both days locked; a new size against the party limits and, if the party grew, its slot.
 * `reservation.updated` is emitted for time, date and size only. New contact details are matched to a guest, and the
 * booking's contribution moves along. The turn time was fixed when the booking was made.
 *
 * Refuses, as a value, a page that shows an old version, and a new time or size for a booking that is Cancelled or
 * No-show: that is undone first. Throws 404 for a missing booking.
 */
export const editReservation = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  { id, seenVersion, changes, confirmed }: EditRequest,
): Promise<ReservationOutcome> => {
  const { db, venue } = work
  const seen = await bookedReservation(db, venue.id, id)
  if (!seen) throw notFound('booking')
  if (seen.version !== seenVersion) return refused(seen, changedMeanwhile(seen))

  const asked = askedOf(seen, changes)
  const held = asked.when || asked.size ? await holdDays(work, asked.when, [seen.service_date]) : none
  if (asked.contact) await holdGuestBook(work)
  const row = await bookedReservationForUpdate(db, venue.id, id)
  if (!row) throw notFound('booking')
  if (row.version !== seenVersion) return refused(row, changedMeanwhile(row))
  if (!asked.when && !asked.size && !asked.words) return unchanged(row, 'Nothing was changed.')
  if ((asked.when || asked.size) && !placedStatuses.some((status) => status === row.status)) {
    return refused(row, `This booking is ${row.status}; undo that before changing its time or size.`)
  }

  const now = work.now()
  const placed = await placedAnew(work, row, asked, held, now)
  if (unconfirmed(placed.reasons, confirmed).length > 0)
    return { kind: 'needs override', reasons: placed.reasons }

  const words = wordsOf(row, changes)
  const guest_id = asked.contact ? await guestOf(work, row, words) : row.guest_id
  const after = await writeEdit(db, venue.id, row, { ...placed.columns, ...words, guest_id }, now)
  if (!after) return refused(row, changedMeanwhile(row))
  await applyContribution(work, row, after)
  if (asked.when || asked.size) await recordEvent(work, 'reservation.updated', asEmitted(after, now), now)
  await recordActivity(
    work,
    actor,
    {
      action: 'edit',
      record: { kind: 'reservation', id },
      before: row,
      after,
      ...overrides(placed.reasons),
    },
    now,
  )
  return done(after, placed.reasons)
}

const none: ReadonlySet<string> = new Set()

type Asked = {
  /** The new time, if the wall time differs; an unchanged one keeps its moment, even on a night it happens twice. */
  readonly when: When | undefined
  readonly size: number | undefined
  readonly words: boolean
  readonly contact: boolean
}

const askedOf = (row: BookRow, changes: ReservationChanges): Asked => {
  const { when, partySize } = changes
  const words = wordsOf(row, changes)
  const contact = words.email !== row.email || words.phone !== row.phone
  return {
    when: when && (when.date !== row.date || when.time !== row.time) ? when : undefined,
    size: partySize !== undefined && partySize !== row.party_size ? partySize : undefined,
    contact,
    words: contact || words.guest_name !== row.guest_name || words.notes !== row.notes,
  }
}

const wordsOf = (row: BookRow, { guestName, email, phone, notes }: ReservationChanges) => ({
  guest_name: guestName === undefined ? row.guest_name : guestName,
  email: email === undefined ? row.email : email,
  phone: phone === undefined ? row.phone : phone,
  notes: notes === undefined ? row.notes : notes,
})

type Placed = {
  readonly columns: Pick<
    Edited,
    'party_size' | 'date' | 'time' | 'service_date' | 'service_minute' | 'starts_at' | 'booking_type'
  >
  readonly reasons: readonly StaffReason[]
}

/** Where the booking is placed after the edit, and every rule against it. */
const placedAnew = async (
  work: Work,
  row: BookRow,
  { when, size }: Asked,
  held: ReadonlySet<string>,
  now: Temporal.Instant,
): Promise<Placed> => {
  const { date, time, service_date, service_minute, starts_at, booking_type } = row
  const party_size = size ?? row.party_size
  if (when) {
    const day = await openDay(work, when, held, row)
    const request = { ...when, partySize: party_size ?? 0, door: 'staff' as const }
    const { serviceDate, serviceMinute, periodName } = placementOf(day, request.partySize)
    return {
      columns: {
        party_size,
        date: when.date,
        time: when.time,
        service_date: serviceDate,
        service_minute: serviceMinute,
        starts_at: toMoment(when.startsAt),
        booking_type: periodName,
      },
      reasons: reasonsAgainst(day, now, request),
    }
  }
  const columns = { party_size, date, time, service_date, service_minute, starts_at, booking_type }
  if (size === undefined || !date || !time || !starts_at || !service_date || service_minute === null) {
    return { columns, reasons: [] }
  }
  const day = await openDayOf(work, row, { serviceDate: service_date, serviceMinute: service_minute })
  const startsAt = toInstant(starts_at satisfies Moment)
  const grew = size > (row.party_size ?? 0)
  return {
    columns,
    reasons: sizeAgainst(day, now, { date, time, startsAt, partySize: size, door: 'staff' }, grew),
  }
}

/** The guest matching new contact details; without any the booking keeps its guest. */
const guestOf = async (
  work: Work,
  row: BookRow,
  { guest_name, email, phone }: Pick<Edited, 'guest_name' | 'email' | 'phone'>,
): Promise<number | null> => {
  const supplied = { name: guest_name ?? undefined, email: email ?? undefined, phone: phone ?? undefined }
  return (await matchOrMakeGuest(work, supplied, 'staff'))?.guest.id ?? row.guest_id
}
