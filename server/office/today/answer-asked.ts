import { html } from '../../html/html.ts'
import { badRequest, notFound } from '../../kernel/refusal.ts'
import { answerChange } from '../../reservations/answer-change.ts'
import { bookedReservation } from '../../reservations/book-row.ts'
import { actorOf } from '../frame/actor.ts'
import type { PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField } from '../parts/fields.ts'
import { answerPress } from '../parts/press.ts'
import { confirmedField } from '../parts/reasons.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { renewedBook } from './book.ts'
import { changeForm } from './change-row.ts'
import { bookQueryIn, isBook, readDay } from './read-day.ts'

/** The answer to a change that was asked for: one press, or two where a rule objects. */
export const answerAsked = async (
  work: OfficeWork,
  { form, params, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const id = idIn(params.id)
  const row = id === undefined ? undefined : await bookedReservation(work.db, work.venue.id, id)
  if (!row) throw notFound('booking')
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
  const press = {
    partOnly,
    where: isBook(back) ? `${back}#b${row.id}` : back,
    list: async () => renewedBook(work, await readDay(work, bookQueryIn(back))),
    who: `${row.guest_name ?? 'No name'}, ${guestsInWords(row.party_size)}`,
    label: 'Accept',
    again: (confirm: ReturnType<typeof html>) =>
      changeForm(
        { id: row.id, change_id: change },
        back,
        html`<input type="hidden" name="answer" value="${answer}" />${confirm}`,
        { live: partOnly },
      ),
  }
  return answerPress(press, outcome, () => ({
    words: answer === 'accept' ? 'change accepted' : 'change declined',
  }))
}
