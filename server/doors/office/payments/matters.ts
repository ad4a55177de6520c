import type { MatterRow } from '../../../core/money/matter-store.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { moneyOf } from '../parts/money.ts'
import { tag } from '../parts/tags.ts'

/** An amount of any currency. */
export const amountOf = ({ amount_cents, currency }: Pick<MatterRow, 'amount_cents' | 'currency'>): string =>
  moneyOf(amount_cents, currency)

/** What has to be looked at, or had to be, of an order. */
export const matterList = (matters: readonly MatterRow[], zone: string): Html | undefined =>
  matters.length === 0
    ? undefined
    : html`<section class="card" id="matters">
        <h2>Payments</h2>
        <ul class="rows">
          ${matters.map((matter) => html`<li><div class="grow">${matterWords(matter, zone)}</div> ${matterTag(matter)}</li>`)}
        </ul>
      </section>`

export const matterWords = (matter: MatterRow, zone: string): Html => {
  const amount = html`<span class="strong">${amountOf(matter)}</span>`
  const what = matter.reason === 'refund' ? 'refund' : 'payment'
  const moved = matter.moved_at !== null && `on ${momentInWords(matter.moved_at, zone)}`
  switch (matter.kind) {
    case 'dispute':
      return html`${amount} ${disputeWords(matter)}
        <p class="small soft">
          ${matter.reason !== null && `Reason: ${matter.reason.replaceAll('_', ' ')}. `}${
            matter.done_at === null &&
            matter.due_at !== null &&
            `Answer it in Stripe by ${momentInWords(matter.due_at, zone)}.`
          }
        </p>`
    case 'payment-differs':
      if (matter.state === 'above')
        return html`${amount} came off a card beyond what its guest agreed to, and is written at the booking
        <p class="small soft">It may have been charged twice. Refund at the booking what was too much.</p>`
      if (matter.state === 'since')
        return html`${amount} was paid for a booking after the backup that this copy is from, and is written at it
        <p class="small soft">The booking here does not ask for it. Something may have changed since the backup, such as how many guests come: change it here too, or refund at the booking what was too much.</p>`
      if (matter.state === 'refund-since')
        return html`${amount} went back for ${matter.order_id === null ? 'a booking' : 'an order'} after the backup that this copy is from, and is written there
        <p class="small soft">${matter.order_id === null ? 'The booking here is as it was at the backup. It may have been cancelled since, or made smaller: ask the guest, and change it here too. Nothing that went back goes back again.' : 'The order here has its seats as at the backup. Some may have been returned since: ask the buyer, and let nobody in with those tickets.'}</p>`
      if (matter.state === 'card-since')
        return html`A card was kept for a booking after the backup that this copy is from, to be charged at most ${amount}, and is behind it
        <p class="small soft">The booking here does not ask for it. Something may have changed since the backup: change it here too, or waive it at the booking, and the card is deleted.</p>`
      return html`${amount} paid, which is not what was asked for
        <p class="small soft">Nothing was given for it. Look at the payment in Stripe, and refund it there or sell by hand.</p>`
    case 'refund-above':
      return html`${amount} went back through Stripe beyond what was left, and is in the figures of payments
        <p class="small soft">It may have been refunded twice, such as in cash too. If so, ask the guest to pay it back; nothing has to be written down here.</p>`
    case 'not-told':
      return html`${amount} for a table was refused, and no address is known to tell the guest
        <p class="small soft">The money is refunded, or the card deleted, automatically. Tell them by phone, if you know their number.</p>`
    case 'not-seen':
      return html`${amount} may have been paid, and Stripe does not let your key look
        <p class="small soft">Nothing was given for it. Paste a key of that account that Stripe accepts under Settings, Payments: it is looked at again at once, and what was paid is given or goes back by itself. Or look for the payment in Stripe, and refund it there.</p>`
    case 'differs':
      return html`A ${what} of ${amount}: ${differsWords[matter.state ?? ''] ?? ''}
        <p class="small soft">${moved && `It moved ${moved}. `}${whatToDo[`${what} ${matter.state}`] ?? whatToDo[matter.state ?? '']}</p>`
    default:
      if (matter.reason === 'card')
        return html`A card that Stripe kept for a booking which is not written here${matter.amount_cents > 0 && html`, to be charged at most ${amount}`}
        <p class="small soft">It was kept ${moved && `${moved}, `}after the backup that this copy is from, and is deleted, as nobody here could charge it. Book by hand what you know of, and ask for a card again.</p>`
      return html`A ${what} of ${amount} in Stripe that is not written here
        <p class="small soft">It was made ${moved && `${moved}, `}after the backup that this copy is from. ${whatToDo[`${what} missing-here`]}</p>`
  }
}

/** What somebody does about a difference before they mark it as done. */
const whatToDo: Readonly<Record<string, string>> = {
  'payment missing-here': 'Refund in Stripe what is left of it, or sell or book by hand what was paid for.',
  'refund missing-here':
    'Nothing has to be written down for it. Where its payment is written here, it is added automatically once the refund that is under way there has ended; otherwise compare both in Stripe, and mark them as done.',
  'missing-there': 'Check whether another account took it.',
  twice: 'Refund one of them in Stripe.',
  amount: 'Compare it in Stripe, and refund the excess there.',
}

const differsWords: Readonly<Record<string, string>> = {
  'missing-here': 'in Stripe, and not written here',
  'missing-there': 'written here, and not in Stripe',
  twice: 'moved twice in Stripe',
  amount: 'in Stripe, and another amount here',
}

const disputeWords = ({ state }: MatterRow): string => {
  if (state === 'warning') return 'asked about by the guest’s bank; no money has moved'
  if (state === 'lost')
    return 'taken back by the guest’s bank: the dispute is over, and nothing of it can be refunded here'
  if (state === 'won') return 'stays with you: the guest’s bank decided for you, and it can be refunded again'
  return 'disputed by the guest’s bank'
}

const matterTag = ({ kind, state, done_at }: MatterRow): Html => {
  if (kind === 'dispute' && state === 'lost') return tag('Lost', 'bad')
  if (kind === 'dispute' && state === 'won') return tag('Won', 'good')
  return done_at === null ? tag('Needs a look', 'warn') : tag('Done')
}
