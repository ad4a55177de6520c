import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { archiveRequest } from '../../../book/reservations/archive.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { actorOf } from '../frame/actor.ts'
import type { PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField } from '../parts/forms/fields.ts'
import { answerWith } from '../parts/press.ts'
import { idIn } from '../parts/time-words.ts'
import { bookAt } from './book.ts'
import { bookingOf } from '../bookings/booking-press.ts'

/** A request of a past day goes off the queue, or back on it. */
export const archive = async (
  work: OfficeWork,
  { form, params, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const { db, venue, me, now } = work
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, '/office/today')
  const today = serviceDateAt(
    await bookingRulesAround(db, venue, wallTimeOf(now(), venue.timezone).date),
    now(),
  )
  const archived = form.text('do') !== 'undo'
  const done = await archiveRequest(work, actorOf(me), { id: row.id, today, archived })
  const sentence = done
    ? `${row.guest_name ?? 'No name'}: ${archived ? 'off the queue' : 'back in the queue'}.`
    : 'Nothing was done: only an unanswered request for a past day can be archived.'
  return answerWith({ partOnly, where: back, list: () => bookAt(work, back) }, sentence, {
    tone: done ? 'good' : 'warn',
    ...(done &&
      archived && {
        undo: { to: `/office/bookings/${row.id}/archive`, hidden: { back }, press: ['do', 'undo'] },
      }),
  })
}
