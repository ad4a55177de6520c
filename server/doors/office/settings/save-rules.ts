import { type Html, html } from '../../../platform/html/html.ts'
import type { UpcomingBooking } from '../../../book/rules/stranded.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { changeRules, rulesVersion } from '../../../book/rules/rules-change.ts'
import type { RulesDocument } from '../../../book/rules/rules-document.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { strandedPath } from '../bookings/stranded-link.ts'
import { carriedFields } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { dayAndYearInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'

export type RulesForm = {
  readonly action: string
  readonly done: string
  readonly back: string
  readonly edit: (document: RulesDocument) => object
  /** Why what it comes to is refused; undefined: it is not. */
  readonly refuses?: (after: DocumentRules) => string | undefined
  /** What is asked where bookings are affected; without it, that they would be left without a service. */
  readonly affected?: Affected
  /** What of these rules the change takes the place of, to be confirmed; undefined where it takes nothing's place. */
  readonly replaces?: (before: DocumentRules) => Replaced | undefined
}

/** The question over a list of bookings. */
export type Affected = {
  readonly title: (count: number) => string
  /** What happens to them if it is saved. */
  readonly outcome: string
}

/** What is replaced: its name, and what it says. */
type Replaced = { readonly name: string; readonly words: string }

const withoutService: Affected = {
  title: (count) => `${counted(count, 'booking')} would be left without a service`,
  outcome: 'If you save, these bookings stay in the book; someone should contact the guests.',
}

/** Saves a change to the rules document; one that would strand bookings or replace something shows that first and asks. */
export const saveRules = async (
  work: OfficeWork,
  form: Form,
  { action, done, back, edit, refuses, affected = withoutService, replaces }: RulesForm,
): Promise<PageAnswer> => {
  const changed = await changeRules(work, actorOf(work.me), {
    action,
    seen: form.text('seen'),
    ...{ edit, refuses },
    confirmed: form.text('confirmed') === 'yes',
    asks: replaces && ((before) => replaces(before) !== undefined),
  })
  if (changed.done)
    return changed.stranded === 0
      ? go(back, done)
      : go(strandedPath, `${done} Write to these guests, or call them.`)
  const { stranded, before } = changed
  const question = { stranded, affected, replaced: replaces?.(before) }
  return page(stranded.length > 0 ? 'Bookings affected' : 'Replace?', questionBody(question, form, back))
}

/** What a change would do to bookings or to what is planned, and the same form again with a button to go ahead. */
const questionBody = (
  {
    stranded,
    affected,
    replaced,
  }: {
    readonly stranded: readonly UpcomingBooking[]
    readonly affected: Affected
    readonly replaced: Replaced | undefined
  },
  form: Form,
  back: string,
): Html =>
  html` <div class="page-head">
      <h1>${stranded.length > 0 ? affected.title(stranded.length) : `This replaces ${replaced?.name}`}</h1>
    </div>
    <section class="card">
      <p>Nothing is saved yet. ${stranded.length > 0 && affected.outcome}</p>
      ${replaced && html`<p>${stranded.length > 0 && `It replaces ${replaced.name}. `}${replaced.words}</p>`}
      ${
        stranded.length > 0 &&
        html`<ul class="rows">
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
        </ul>`
      }
      <form method="post">
        <input type="hidden" name="confirmed" value="yes" />
        ${carriedFields(form)}
        <div class="inline">
          <button class="danger">${stranded.length > 0 ? 'Save anyway' : 'Replace'}</button
          ><a class="button" href="${back}">Cancel</a>
        </div>
      </form>
    </section>`

/** The version of the rules a form shows. */
export const rulesVersionField = (rules: DocumentRules): Html =>
  html`<input type="hidden" name="seen" value="${rulesVersion(rules)}" />`

/** Whether the rules changed since the form's page was rendered. */
export const isStale = (rules: DocumentRules, form: Form): boolean =>
  form.text('seen') !== rulesVersion(rules)
