import { html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { answerChange } from '../../../book/reservations/change/answer-change.ts'
import { actorOf } from '../frame/actor.ts'
import type { PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField, hiddenFields } from '../parts/forms/fields.ts'
import { answerPress } from '../parts/press.ts'
import { confirmedField } from '../parts/reasons.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { bookingOf, bookingPress, placeWords } from '../bookings/booking-press.ts'
import { changeForm } from './change-row.ts'

/** The answer to a change that was asked for: one press, or two where a rule objects. */
export const answerAsked = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params } = asked
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, '/office/today')
  const change = idIn(form.text('change'))
  const answer = (['accept', 'decline'] as const).find((known) => known === form.text('answer'))
  if (change === undefined || !answer) throw badRequest('This form is incomplete; open the page again.')
  const outcome = await answerChange(work, actorOf(work.me), {
    id: row.id,
    change,
    answer,
    confirmed: confirmedField(form),
  })
  const press = bookingPress(work, asked, row, back, {
    label: 'Accept',
    again: (confirm) =>
      changeForm({ id: row.id, change_id: change }, back, html`${hiddenFields({ answer })}${confirm}`, {
        live: asked.partOnly,
      }),
  })
  const now = await bookingOf(work, row.id)
  const place = await placeWords(work, now)
  return answerPress(press, outcome, () => ({
    words:
      answer === 'accept'
        ? `change accepted, now ${guestsInWords(now.party_size)} at ${place}`
        : `change declined, still ${place}`,
  }))
}
