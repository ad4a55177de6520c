import { type Html, html } from '../../../platform/html/html.ts'
import { type TicketSettingsRow, ticketSettings } from '../../../tickets/event-reads.ts'
import { saveTicketSettings } from '../../../tickets/promo-codes.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  lineField,
  mistakePart,
  tickField,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { amountText, centsField, rateIn, rateText } from '../parts/money.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { ticketsHead } from './head.ts'

const home = '/office/tickets/charges'

/** What is added to seat prices. For managers. */
export const chargesPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => {
      const settings = await ticketSettings(work.db, work.venue.id)
      return page('Fee and tax', chargesPage(work, settings, { typed: typedOf(settings) }))
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      await saveTicketSettings(work, actorOf(work.me), {
        seenVersion: versionIn(form),
        feePerSeatCents: centsField(form, 'fee', 'The fee'),
        feeAtBoxOffice: form.text('feeAtBoxOffice') === 'yes',
        taxRate: rateIn(form, 'taxRate'),
      })
      return go(home, 'Saved. Applies to new orders.')
    },
    again: async (work, { form }, { message }) => {
      const settings = await ticketSettings(work.db, work.venue.id)
      const changed = form.text('version') !== String(settings.version)
      return page(
        'Fee and tax',
        chargesPage(work, settings, {
          typed: typedIn(form),
          mistake: message,
          ...(changed && { meanwhile: typedOf(settings) }),
        }),
      )
    },
  },
]

const typedOf = (settings: TicketSettingsRow): Typed => ({
  fee: amountText(settings.fee_per_seat_cents),
  feeAtBoxOffice: settings.fee_at_box_office ? 'yes' : '',
  taxRate: rateText(settings.tax_rate),
})

const chargesPage = (work: OfficeWork, settings: TicketSettingsRow, seen: FormSeen): Html =>
  html`${ticketsHead(work, home)}
    <section class="card narrow">
      <form class="form" method="post" action="${home}">
        ${versionField(settings.version)} ${mistakePart(seen)}
        <div class="fields">
          ${lineField(seen, { name: 'fee', label: 'Fee per seat', numeric: 'decimal', most: 12, required: true, hint: '0 for no fee. Free orders never pay it.' })}
          ${lineField(seen, { name: 'taxRate', label: 'Tax (%)', numeric: 'decimal', most: 8, required: true, hint: 'On the price paid for seats, such as 8.875.' })}
        </div>
        ${tickField(seen, { name: 'feeAtBoxOffice', label: 'Charge the fee at the box office too' })}
        <div><button class="primary">Save</button></div>
      </form>
    </section>`
