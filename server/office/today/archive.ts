import { notFound } from '../../kernel/refusal.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { archiveRequest } from '../../reservations/archive.ts'
import { bookedReservation } from '../../reservations/book-row.ts'
import { serviceDateAt } from '../../reservations/rules/service-now.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { html } from '../../html/html.ts'
import { backField } from '../parts/fields.ts'
import { said, saidPlace, warning } from '../parts/said.ts'
import { idIn } from '../parts/time-words.ts'
import { type Undo, leftUndo } from '../parts/undo.ts'
import { renewedBook } from './book.ts'
import { bookQueryIn, readDay } from './read-day.ts'

/** A request of a past day goes off the queue, or back on it. */
export const archive = async (
  work: OfficeWork,
  { form, params, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const { db, venue, me, now } = work
  const id = idIn(params.id)
  const row = id === undefined ? undefined : await bookedReservation(db, venue.id, id)
  if (!row) throw notFound('booking')
  const back = backField(form, '/office/today')
  const today = serviceDateAt(
    await bookingRulesAround(db, venue, wallTimeOf(now(), venue.timezone).date),
    now(),
  )
  const archived = form.text('do') !== 'undo'
  const done = await archiveRequest(work, actorOf(me), { id: row.id, today, archived })
  const sentence = done
    ? `${row.guest_name ?? 'No name'}: ${archived ? 'off the queue' : 'back in the queue'}.`
    : 'Nothing was done: only an unanswered request of a past day can be archived.'
  const undo: Undo | undefined =
    done && archived
      ? { to: `/office/bookings/${row.id}/archive`, hidden: { back }, press: ['do', 'undo'] }
      : undefined
  if (!partOnly) return go(back, done ? sentence : warning(sentence), undo && leftUndo(undo))
  const lists = renewedBook(work, await readDay(work, bookQueryIn(back)))
  return part(html`${lists}${saidPlace(said(sentence, { tone: done ? 'good' : 'warn', undo }))}`)
}
