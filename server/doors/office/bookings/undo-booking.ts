import { badRequest } from '../../../platform/kernel/refusal.ts'
import { type BookRow, bookedReservation } from '../../../book/day/book-row.ts'
import { takeBackBooking } from '../../../book/reservations/delete-reservation.ts'
import { readWhen } from '../../../book/day/when.ts'
import { actorOf } from '../frame/actor.ts'
import type { PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField, versionIn, wholeNumberIn } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { partySizeIn } from '../parts/forms/party-fields.ts'
import { answerPress, answerUndone, answerWith } from '../parts/press.ts'
import { confirmedField } from '../parts/reasons.ts'
import { pressHidden, pressIn } from '../parts/forms/table-fields.ts'
import { idIn } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import { bookAt } from '../today/book.ts'
import { experienceIn } from './experience-field.ts'
import { bookingOf, bookingPress, placeWords, whoOf } from './booking-press.ts'
import { undoEditAndSeat } from './edit-and-seat.ts'

/*
 * What the booking sheet did, taken back: a booking that was just made, and another time, size or length. The buttons
 * carry the version it had afterwards, so later changes to the booking stay.
 */

const mayTakeBack = ({ source, status }: BookRow): boolean => source === 'staff' && status === 'Confirmed'

/** The press that takes back a booking that was just made; undefined unless it is still as it was made. */
export const undoOfBooking = (row: BookRow, back: string): Undo | undefined =>
  mayTakeBack(row)
    ? {
        to: `/office/bookings/${row.id}/undo`,
        hidden: { version: row.version, back },
        id: `u${row.id}-booked`,
      }
    : undefined

/** There was no booking before it, so none stays. */
export const undoBooking = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params, partOnly } = asked
  const back = backField(form, '/office/today')
  const press = { partOnly, where: back, list: () => bookAt(work, back) }
  const id = idIn(params.id)
  const row = id === undefined ? undefined : await bookedReservation(work.db, work.venue.id, id)
  if (!row) return answerUndone(press, 'This booking is no longer in the book. Nothing was done.')
  if (!mayTakeBack(row) || row.version !== versionIn(form))
    return answerUndone(press, `${whoOf(row)}: changed since it was booked. Nothing was done.`)
  await takeBackBooking(work, actorOf(work.me), row.id, row.version)
  return answerWith(press, `${whoOf(row)}: booking removed.`)
}

/** The press that puts a booking back at the time, the size, the length and the tables it had. */
export const undoOfEdit = (
  before: BookRow,
  { version }: Pick<BookRow, 'version'>,
  press: readonly number[],
  back: string,
): Undo | undefined =>
  before.date === null || before.time === null || before.party_size === null
    ? undefined
    : {
        to: `/office/bookings/${before.id}/edits/undo`,
        hidden: {
          ...{ version, back, date: before.date, time: before.time, partySize: before.party_size },
          startsAt: before.starts_at,
          ...{ minutes: before.duration_minutes, experience: before.experience ?? '', ...pressHidden(press) },
        },
        id: `u${before.id}-edited`,
      }

export const undoEdit = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params } = asked
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, `/office/bookings/${row.id}`)
  const undone = pressIn(form)
  if (!undone) throw badRequest('This form is incomplete; open the page again.')
  const [version, partySize] = [versionIn(form), partySizeIn(form)]
  // The moment says which of two half past ones it was, on the night the clocks go back.
  const typed = { date: form.text('date'), time: form.text('time'), startsAt: form.text('startsAt') }
  const { date, time, startsAt } = readWhen(typed, work.venue.timezone, work.now())
  const durationMinutes = wholeNumberIn(form.text('minutes')) ?? null
  const experience = await experienceIn(work, form, row)
  const outcome = await undoEditAndSeat(work, {
    id: row.id,
    seenVersion: version,
    changes: {
      when: { date, time, startsAt },
      partySize,
      durationMinutes,
      ...(experience !== undefined && { experience }),
    },
    confirmed: confirmedField(form),
    press: undone,
  })
  const now = await bookingOf(work, row.id)
  const place = await placeWords(work, now)
  const press = bookingPress(work, asked, now, back, {
    label: 'Undo',
    again: (confirm) =>
      listForm(
        `/office/bookings/${row.id}/edits/undo`,
        {
          ...{ version, back, date, time, partySize, minutes: durationMinutes },
          experience: form.text('experience'),
          ...{ startsAt: startsAt.toString(), ...pressHidden(undone) },
        },
        confirm,
        { live: asked.partOnly },
      ),
  })
  return answerPress(press, outcome, () => ({ words: `back at ${place}` }))
}
