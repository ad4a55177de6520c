import { type Html, html } from '../../html/html.ts'
import type { UpcomingBooking } from '../../reservations/stranded.ts'
import type { DocumentRules } from '../../venue/booking-rules.ts'
import { changeRules, rulesVersion } from '../../venue/rules-change.ts'
import type { RulesDocument } from '../../venue/print-rules-document.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { carriedFields } from '../parts/fields.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { dayAndYearInWords, timeInWords } from '../../kernel/in-words.ts'

export type RulesForm = {
  readonly action: string
  readonly done: string
  readonly back: string
  readonly edit: (document: RulesDocument) => object
}

/** Saves a change to the rules document; one that would strand bookings shows them first and asks. */
export const saveRules = async (
  work: OfficeWork,
  form: Form,
  { action, done, back, edit }: RulesForm,
): Promise<PageAnswer> => {
  const changed = await changeRules(work, actorOf(work.me), {
    action,
    seen: form.text('seen'),
    edit,
    confirmed: form.text('confirmed') === 'yes',
  })
  if (changed.done) return go(back, done)
  return page('Bookings affected', strandedBody(changed.stranded, form, back))
}

/** The bookings a change would leave without a service, and the same form again with a button to go ahead. */
const strandedBody = (stranded: readonly UpcomingBooking[], form: Form, back: string): Html =>
  html` <div class="page-head">
      <h1>
        ${stranded.length} ${stranded.length === 1 ? 'booking would' : 'bookings would'} be left without a
        service
      </h1>
    </div>
    <section class="card">
      <p>Nothing is saved yet. If you save, these bookings stay in the book; someone should contact the guests.</p>
      <ul class="rows">
        ${stranded.slice(0, 100).map(
          (booking) =>
            html`<li>
              <div class="grow">
                <a href="/office/bookings/${booking.id}">${booking.guest_name ?? 'No name'}</a>,
                ${booking.party_size}
              </div>
              <span>${dayAndYearInWords(booking.date)}, ${timeInWords(booking.time)}</span>
            </li>`,
        )}
      </ul>
      <form method="post">
        <input type="hidden" name="confirmed" value="yes" />
        ${carriedFields(form)}
        <div class="inline">
          <button class="danger">Save anyway</button><a class="button" href="${back}">Cancel</a>
        </div>
      </form>
    </section>`

/** The version of the rules a form shows. */
export const seen = (rules: DocumentRules): Html =>
  html`<input type="hidden" name="seen" value="${rulesVersion(rules)}" />`

/** Whether the rules changed since the form's page was rendered. */
export const isStale = (rules: DocumentRules, form: Form): boolean =>
  form.text('seen') !== rulesVersion(rules)
