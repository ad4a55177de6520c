import { openAccount } from '../../../core/money/account-store.ts'
import { leastCharge } from '../../../core/money/currency.ts'
import { currencyOfVenue } from '../../../core/money/venue-currency.ts'
import { isPayablePerGuest } from '../../../book/reservations/guarantee/payable.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { type Form, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  type Typed,
  choiceField,
  lineField,
  mistakePart,
  sentAgain,
  shownField,
} from '../parts/forms/fields.ts'
import { moneyOf } from '../parts/money.ts'
import {
  filledRows,
  fitIn,
  partyFromField,
  servicesNamed,
  shownRows,
  termsFields,
  termsIn,
  typedFit,
  typedTerms,
  whenFields,
} from './asking/asking-rows.ts'
import { inFormWords } from './mistake-words.ts'
import { numberOrText } from './limits/limit-rows.ts'
import { isStale, rulesVersionField, saveRules } from './save-rules.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/guarantees'

/** When the venue's own booking page asks for a card or a deposit. */
export const guaranteesPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => {
      const rules = await allBookingRules(work.db, work.venue.id)
      return page('Cards and deposits', await body(work, rules, { typed: typedOf(rules) }))
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const guarantees = rowsIn(form)
      await refuseTooLittle(work, guarantees)
      const keepCardDays = numberOrText(form.text('keepCardDays').trim())
      return saveRules(work, form, {
        action: 'change cards and deposits',
        done: 'Saved. Bookings made until now keep what their guests agreed to.',
        back: home,
        edit: ({ guarantees: _rows, keepCardDays: _days, letGoUnsecured: _let, ...document }) => ({
          ...document,
          guarantees,
          ...(keepCardDays !== undefined && { keepCardDays }),
          letGoUnsecured: form.text('letGo') === 'yes',
        }),
      })
    },
    again: async (work, { form }, { message }) => {
      const rules = await allBookingRules(work.db, work.venue.id)
      const seen = sentAgain(form, inFormWords(message), isStale(rules, form) ? typedOf(rules) : undefined)
      return page('Cards and deposits', await body(work, rules, seen))
    },
  },
]

/** As many as the rules document allows. */
const mostRows = 50

/** The least that a row asks for must be something that the processor takes. */
const refuseTooLittle = async (
  { db, venue }: OfficeWork,
  rows: readonly { readonly amountCents: number; readonly per: string; readonly partyFrom: unknown }[],
): Promise<void> => {
  const currency = await currencyOfVenue(db, venue.id)
  if (currency === undefined) return
  for (const { amountCents, per, partyFrom } of rows) {
    const guests = per === 'guest' && typeof partyFrom === 'number' ? partyFrom : 1
    if (!isPayablePerGuest({ amountCents, guests }, currency))
      throw badRequest(
        `At least ${moneyOf(leastCharge(currency), currency)} can be asked for, in whole coins.`,
      )
  }
}

const rowsIn = (form: Form) =>
  filledRows(form, {
    ...{ most: mostRows, by: 'asks' },
    read: (text, i) => ({ asks: text('asks'), ...termsIn(form, text, i), ...fitIn(text) }),
  })

const typedOf = ({ guarantees, keepCardDays, letGoUnsecured }: DocumentRules): Typed => ({
  letGo: letGoUnsecured ? 'yes' : '',
  keepCardDays: String(keepCardDays),
  ...Object.fromEntries(
    guarantees.flatMap((row, i) =>
      Object.entries({ asks: row.asks, ...typedTerms(row), ...typedFit(row) }).map(([name, value]) => [
        `${name}-${i}`,
        value,
      ]),
    ),
  ),
})

const body = async ({ db, venue }: OfficeWork, rules: DocumentRules, form: FormSeen): Promise<Html> => {
  const hasAccount = (await openAccount(db, venue.id)) !== undefined
  const services = servicesNamed(rules.periods)
  const rows = shownRows(form, {
    ...{ most: mostRows, by: 'asks' },
    show: (i) => rowFields(form, i, services),
  })
  return html`${settingsHead(home)}
    <section class="card">
      <form class="form" method="post" action="${home}">
        ${mistakePart(form)} ${rulesVersionField(rules)}${shownField(form)}
        <h2>Cards and deposits</h2>
        <p class="soft">
          The first row that fits a booking on your page says what its guest is asked for, and the page shows the exact sentence at the button. Until that many hours before the booking, canceling is free: a deposit is refunded and a card is deleted automatically. A card is charged only when a manager presses the button.
        </p>
        ${
          !hasAccount &&
          html`<p class="error">
            Nothing is asked for yet: connect a Stripe account under <a href="/office/settings/payments">Payments</a> first.
          </p>`
        }
        ${rows}
        <h2>After the visit</h2>
        <div class="fields">
          ${lineField(form, {
            name: 'keepCardDays',
            label: 'Days a card is kept',
            numeric: 'numeric',
            hint: 'At four in the morning after that many days the card is deleted at Stripe. Until then a no-show can be charged. 0 to 14.',
          })}
        </div>
        <h2>If a booking is not secured in time</h2>
        <div class="fields">
          ${choiceField(form, {
            name: 'letGo',
            label: 'The booking',
            choices: [
              ['', 'Stays, and a task says so'],
              ['yes', 'Is cancelled automatically, and the guest is notified'],
            ],
          })}
        </div>
        <div><button class="primary">Save</button></div>
      </form>
    </section>`
}

const rowFields = (form: FormSeen, i: number, services: readonly string[]): Html =>
  html`<fieldset>
    <legend>Row ${i + 1}</legend>
    <div class="fields">
      ${choiceField(form, {
        name: `asks-${i}`,
        label: 'Asks for',
        choices: [
          ['', 'Nothing'],
          ['card', 'A card'],
          ['deposit', 'A deposit'],
        ],
      })}
      ${termsFields(form, i, { amount: '25.00' })} ${partyFromField(form, i)}
      ${whenFields(form, i, services)}
    </div>
  </fieldset>`
