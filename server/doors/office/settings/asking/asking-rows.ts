import { type Html, html } from '../../../../platform/html/html.ts'
import type { Form } from '../../frame/page.ts'
import { type FormSeen, choiceField, lineField } from '../../parts/forms/fields.ts'
import { amountText, centsField } from '../../parts/money.ts'
import { numberOrText } from '../limits/limit-rows.ts'

/*
 * Rows of a form that say for which bookings something is asked, and how much: cards and deposits, and experiences. Each
 * is a set of fields with a number in their names, and an empty one at the end adds a row.
 */

/** What was typed into a row's field, without blanks around it. */
export const textIn =
  (form: Form, i: number) =>
  (name: string): string =>
    form.text(`${name}-${i}`).trim()

type Text = ReturnType<typeof textIn>

/** The rows of which this field is filled in. */
export const filledRows = <Row>(
  form: Form,
  {
    most,
    by,
    read,
  }: { readonly most: number; readonly by: string; readonly read: (text: Text, i: number) => Row },
): Row[] =>
  Array.from({ length: most }, (_, i) => i).flatMap((i) => {
    const text = textIn(form, i)
    return text(by) === '' ? [] : [read(text, i)]
  })

/** The rows that are there, by that field, and an empty one. */
export const shownRows = (
  { typed, meanwhile }: FormSeen,
  { most, by, show }: { readonly most: number; readonly by: string; readonly show: (i: number) => Html },
): Html[] => {
  const all = Array.from({ length: most }, (_, i) => i)
  const last = all.findLast((i) => [typed, meanwhile].some((one) => one?.[`${by}-${i}`])) ?? -1
  return all.slice(0, last + 2).map(show)
}

/** For which bookings it is. */
export const fitIn = (text: Text) => ({
  partyFrom: numberOrText(text('partyFrom')) ?? 1,
  services: text('services')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
  from: text('from') || null,
  to: text('to') || null,
})

export const typedFit = (row: {
  readonly partyFrom: number
  readonly services: readonly string[]
  readonly from: string | null
  readonly to: string | null
}): Record<string, string> => ({
  partyFrom: String(row.partyFrom),
  services: row.services.join(', '),
  from: row.from ?? '',
  to: row.to ?? '',
})

/** How much it asks for, and until when canceling is free. */
export const termsIn = (form: Form, text: Text, i: number) => ({
  amountCents: centsField(form, `amount-${i}`, 'The amount'),
  per: text('per') || 'guest',
  freeUntilHours: numberOrText(text('hours')) ?? 24,
})

export const typedTerms = (row: {
  readonly amountCents: number | null
  readonly per: string
  readonly freeUntilHours: number
}): Record<string, string> => ({
  amount: row.amountCents === null ? '' : amountText(row.amountCents),
  per: row.per,
  hours: String(row.freeUntilHours),
})

export const partyFromField = (form: FormSeen, i: number): Html =>
  lineField(form, { name: `partyFrom-${i}`, label: 'Parties from', numeric: 'numeric', placeholder: '1' })

export const whenFields = (form: FormSeen, i: number, services: readonly string[]): Html =>
  html`${lineField(form, { name: `services-${i}`, label: 'Services', hint: services.length === 0 ? 'Empty: all.' : `Empty: all. Yours: ${services.join(', ')}.` })}
    ${lineField(form, { name: `from-${i}`, label: 'From', type: 'date' })}
    ${lineField(form, { name: `to-${i}`, label: 'To', type: 'date' })}`

export const termsFields = (
  form: FormSeen,
  i: number,
  { amount, hint }: { readonly amount: string; readonly hint?: string },
): Html =>
  html`${lineField(form, { name: `amount-${i}`, label: 'Amount', numeric: 'decimal', placeholder: amount })}
    ${choiceField(form, {
      name: `per-${i}`,
      label: 'For each',
      choices: [
        ['guest', 'Guest'],
        ['party', 'Party'],
      ],
      ...(hint !== undefined && { hint }),
    })}
    ${lineField(form, { name: `hours-${i}`, label: 'Free until (hours before)', numeric: 'numeric', placeholder: '24' })}`

/** The names of the services that the venue has, for a hint. */
export const servicesNamed = (periods: readonly { readonly name: string | null }[]): string[] => [
  ...new Set(periods.flatMap(({ name }) => (name === null ? [] : [name]))),
]
