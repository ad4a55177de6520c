import { type BookRow, bookedReservation } from '../../reservations/book-row.ts'
import { deleteReservation } from '../../reservations/delete-reservation.ts'
import { readWhen } from '../../reservations/when.ts'
import { actorOf } from '../frame/actor.ts'
import type { PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField, versionIn, wholeNumberIn } from '../parts/fields.ts'
import { listForm } from '../parts/list-form.ts'
import { partySizeIn } from '../parts/party-fields.ts'
import { answerPress, answerUndone, tell } from '../parts/press.ts'
import { confirmedField } from '../parts/reasons.ts'
import { type TablesBefore, beforeHidden, beforeIn } from '../parts/table-fields.ts'
import { idIn } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import { bookAt } from './book.ts'
import { bookingOf, bookingPress, placeWords, whoOf } from './booking-press.ts'
import { editAndSeat } from './edit-and-seat.ts'

/*
 * What the booking sheet did, taken back: a booking that was just made, and another time, size or length. The buttons
 * carry the version there was afterwards, so whatever happened to the booking since stays.
 */

const mayTakeBack = ({ source, status }: BookRow): boolean => source === 'staff' && status === 'Confirmed'

/** The press that takes back a booking that was just made; undefined for one that does not stand as it was made. */
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
  await deleteReservation(work, actorOf(work.me), row.id, row.version)
  return tell(press, `${whoOf(row)}: not booked after all; nothing of it stays in the book.`)
}

/** The press that puts a booking back at the time, the size, the length and the tables it had. */
export const undoOfEdit = (
  before: BookRow,
  tables: TablesBefore,
  { version }: Pick<BookRow, 'version'>,
  back: string,
): Undo | undefined =>
  before.date === null || before.time === null || before.party_size === null
    ? undefined
    : {
        to: `/office/bookings/${before.id}/edits/undo`,
        hidden: {
          ...{ version, back, date: before.date, time: before.time, partySize: before.party_size },
          ...{ minutes: before.duration_minutes, ...beforeHidden(tables) },
        },
        id: `u${before.id}-edited`,
      }

export const undoEdit = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params } = asked
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, `/office/bookings/${row.id}`)
  const before = beforeIn(form) ?? { tables: [], pinned: false }
  const [version, partySize] = [versionIn(form), partySizeIn(form)]
  const typed = { date: form.text('date'), time: form.text('time'), startsAt: undefined }
  const { date, time, startsAt } = readWhen(typed, work.venue.timezone, work.now())
  const durationMinutes = wholeNumberIn(form.text('minutes'))
  const outcome = await editAndSeat(work, {
    id: row.id,
    seenVersion: version,
    changes: {
      when: { date, time, startsAt },
      partySize,
      ...(durationMinutes !== undefined && { durationMinutes }),
    },
    confirmed: confirmedField(form),
    ...before,
  })
  const now = await bookingOf(work, row.id)
  const place = await placeWords(work, now)
  const press = bookingPress(work, asked, now, back, {
    label: 'Undo',
    again: (confirm) =>
      listForm(
        `/office/bookings/${row.id}/edits/undo`,
        { version, back, date, time, partySize, minutes: durationMinutes, ...beforeHidden(before) },
        confirm,
        { live: asked.partOnly },
      ),
  })
  return answerPress(press, outcome, () => ({ words: `back at ${place}` }))
}
