import { bookingReasons } from '@venue-data/contract/reasons.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import {
  type ConfirmedReason,
  type StaffReason,
  confirmationOf,
  staffOnlyReasons,
} from '../../../book/reservations/staff-reasons.ts'
import type { Form } from '../frame/page.ts'

/** Every rule against a booking, each with its sentence and, if it counts something, what it would hold: "It would be 12 of 10." */
export const reasonsList = (reasons: readonly StaffReason[]): Html =>
  html`<ul class="reasons">
    ${reasons.map(
      ({ sentence, figure }) =>
        html`<li>
          <span>${sentence}${figure !== null && html` It would be <strong class="nowrap">${figure}</strong>.`}</span>
        </li>`,
    )}
  </ul>`

/**
 * The button that confirms only the reasons and figures shown, and the end of a stay that is shorter now; anything new is
 * asked about again. A question has a button for each of its answers instead; two have one for each pair.
 */
export const overrideButton = (reasons: readonly StaffReason[], label: string): Html => {
  const until = reasons.find((one) => one.until)?.until
  return html`${until && html`<input type="hidden" name="until" value="${until.toString()}" />`}${buttonsOf(reasons, label)}`
}

const buttonsOf = (reasons: readonly StaffReason[], label: string): Html | Html[] => {
  const plain = reasons.filter((one) => !one.answers).map(confirmationOf)
  const questions = reasons.flatMap(({ answers }) => (answers ? [answers] : []))
  const pairs = questions.reduce<readonly (readonly Answer[])[]>(
    (before, answers) => before.flatMap((chosen) => answers.map((answer) => [...chosen, answer])),
    [[]],
  )
  return pairs.map((chosen) => {
    const value = [...plain, ...chosen.map(({ reason }) => reason)].join(' ')
    const words = chosen.length === 0 ? label : chosen.map((one) => one.label).join(' · ')
    return html`<button name="confirmed" value="${value}">${words}</button> `
  })
}

type Answer = NonNullable<StaffReason['answers']>[number]

/** What staff confirmed, carried along to a question after it. */
export const confirmedAlready = (form: Form): Html | undefined => {
  const confirmed = confirmedField(form).join(' ')
  return confirmed === '' ? undefined : html`<input type="hidden" name="confirmed" value="${confirmed}" />`
}

/** The reasons that staff confirmed. Unknown reasons are ignored. */
export const confirmedField = (form: Form): readonly ConfirmedReason[] =>
  form
    .all('confirmed')
    .flatMap((words) => words.split(' '))
    .filter((word): word is ConfirmedReason => {
      const code = /^([a-z-]+)(?::\d{1,10})?$/.exec(word)?.[1] ?? ''
      return staffOnlyReasons.some((one) => one === code) || Object.hasOwn(bookingReasons, code)
    })
