import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { AttemptRow, SoldOrderRow } from '../../../tickets/order-reads.ts'
import type { TicketRow } from '../../../tickets/admission/ticket-reads.ts'
import { type RefundWay, refundWays } from '../../../tickets/states.ts'
import {
  type FormSeen,
  areaField,
  choiceField,
  lineField,
  mistakePart,
  versionField,
} from '../parts/forms/fields.ts'
import { refundAnswer } from '../payments/bank-words.ts'
import { amountText, money } from '../parts/money.ts'
import { counted } from '../parts/pager.ts'
import { refundTag, refundWayWords } from './order-words.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

export const outcomes = [
  ['succeeded', 'Refunded'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
] as const

/** Money usually goes back the way it came. */
export const usualWay = ({ payment_method }: SoldOrderRow): RefundWay => {
  if (payment_method === 'processor_link') return 'processor'
  return payment_method === 'cash' ? 'cash' : 'external'
}

/** The amount to refund: all that is left unless somebody types less. `whyNot`: why Stripe sends nothing of it back. */
export const refundForm = (
  order: SoldOrderRow,
  left: { readonly cents: number; readonly seats: number; readonly whyNot: string | undefined },
  tickets: readonly TicketRow[],
  sent?: FormSeen,
): Html => {
  const isByStripe = wasPaidHere(order)
  const whyNot = isByStripe ? left.whyNot : undefined
  const ways = refundWays.filter((way) => whyNot === undefined || way !== 'processor')
  const seen: FormSeen = sent ?? {
    typed: {
      amount: amountText(left.cents),
      seats: '0',
      via: whyNot === undefined ? usualWay(order) : 'external',
      outcome: 'succeeded',
    },
  }
  const valid = tickets.filter(({ void_at }) => void_at === null)
  return html`<details ${sent && html`open`}>
    <summary class="strong">Refund…</summary>
    <form class="form" method="post" action="/office/tickets/orders/${order.id}/refunds">
      ${versionField(order.version)} ${mistakePart(seen)}
      <p class="small soft">Up to ${money(left.cents)}. A full refund frees all seats; a partial one frees the seats you enter.</p>
      <div class="fields">
        ${lineField(seen, { name: 'amount', label: 'Amount', numeric: 'decimal', most: 12, required: true })}
        ${lineField(seen, { name: 'seats', label: `Seats back on sale (of ${left.seats})`, numeric: 'numeric', most: 3 })}
        ${choiceField(seen, { name: 'via', label: 'How', choices: ways.map((way) => [way, isByStripe && way === 'processor' ? 'To the card, by Stripe' : refundWayWords[way]] as const) })}
        ${isByStripe ? html`<input type="hidden" name="outcome" value="succeeded" />` : choiceField(seen, { name: 'outcome', label: 'Result', choices: outcomes })}
      </div>
      ${whyNot !== undefined && html`<p class="small">${whyNot} Any other way is only written down: hand the money over yourself.</p>`}
      ${isByStripe && whyNot === undefined && html`<p class="small soft">By Stripe the money goes to the card now, and the result appears here by itself; Stripe keeps its fee. Any other way is only written down: hand the money over yourself.</p>`}
      ${
        valid.length > 1 &&
        html`<fieldset>
        <legend>Tickets that become void</legend>
        <p class="small soft">Choose one for each seat that goes back on sale, or none: then it is the highest numbers.</p>
        ${valid.map(({ number, in_at }) => html`<label class="check"><input type="checkbox" name="ticket" value="${number}" /> <span>Ticket ${number}${in_at !== null && ', in'}</span></label>`)}
      </fieldset>`
      }
      ${!isByStripe && areaField(seen, { name: 'answer', label: 'What the bank or processor said', most: limits.statementCharacters, rows: 2 })}
      <div><button class="primary">${isByStripe ? 'Refund' : 'Record the refund'}</button></div>
    </form>
  </details>`
}

/** On the page of the processor: it sends the money back and says how that ends. */
const wasPaidHere = ({ payment_method, channel }: SoldOrderRow): boolean =>
  payment_method === 'processor_link' && channel === 'public'

/** Every attempt and its result; pending ones can be resolved. */
export const refundList = (
  refunds: readonly AttemptRow[],
  order: SoldOrderRow,
  { zone, isManager, isSent }: RefundsSeen,
): Html =>
  html`<ul class="rows">
    ${refunds.map(
      (refund) =>
        html`<li>
          <div class="grow">
            <span class="strong">${money(refund.amount_cents + refund.beyond_cents)}</span>
            <span class="small soft"
              >${originWords[refund.origin] ?? refundWayWords[refund.via as keyof typeof refundWayWords] ?? refund.via}, ${momentInWords(refund.made_at, zone)}${seatsWords(refund)}${refund.beyond_cents > 0 && `, ${money(refund.beyond_cents)} of it beyond what the order had left`}</span
            >
            ${refund.answer !== null && html`<p class="small breaks">${answerIn(refund.answer)}</p>`}
          </div>
          ${refundTag(refund)} ${isManager && settleForm(refund, order, isSent)}
        </li>`,
    )}
  </ul>`

/** What staff noted is quoted; what the processor answered is said in words. */
const answerIn = (answer: string): string => {
  const said = refundAnswer(answer)
  return said === answer ? `“${answer}”` : `Reason: ${said}.`
}

/** Seats go back on sale with the money, and not before; those of one that failed did not. */
const seatsWords = ({ seats, state }: AttemptRow): string | undefined => {
  if (seats === 0 || state === 'failed' || state === 'dismissed' || state === 'superseded') return undefined
  return `, ${counted(seats, 'seat')} ${state === 'pending' ? (seats === 1 ? 'goes' : 'go') + ' back on sale with it' : 'back on sale'}`
}

type RefundsSeen = {
  readonly zone: string
  readonly isManager: boolean
  /** Whether Stripe sends anything of it back. */
  readonly isSent: boolean
}

/** Money that went back without anybody asking for it here. */
const originWords: Readonly<Record<string, string>> = {
  dashboard: 'Refunded in Stripe',
  dispute: 'Lost dispute',
}

const settleForm = (refund: AttemptRow, order: SoldOrderRow, isSent: boolean): Html | undefined => {
  const buttons = buttonsOf(refund, isSent)
  return (
    buttons &&
    html`<form class="inline" method="post" action="/office/tickets/orders/${order.id}/refunds/${refund.id}">
      ${versionField(order.version)} ${buttons.map(({ does, words, asks }) => html`<button name="do" value="${does}" ${asks !== undefined && html`data-asks="${asks}"`}>${words}</button>`)}
    </form>`
  )
}

type Press = { readonly does: string; readonly words: string; readonly asks?: string }

/** The processor itself says how one that it makes ends. */
const buttonsOf = (
  { state, via, payment_id, amount_cents }: AttemptRow,
  isSent: boolean,
): readonly Press[] | undefined => {
  const isOnline = payment_id !== null
  if (state === 'pending' && !isOnline)
    return [
      { does: 'succeeded', words: 'Refunded' },
      { does: 'failed', words: 'Failed' },
    ]
  if (state !== 'failed') return undefined
  const again = { does: 'retry', words: isOnline ? 'Try again' : 'Retried: refunded' }
  const otherwise = {
    ...{ does: 'by-hand', words: 'Refunded another way' },
    asks: `Note that you refunded ${money(amount_cents)} another way?`,
  }
  const dismiss = {
    ...{ does: 'dismiss', words: 'Dismiss' },
    ...(via === 'processor' && {
      asks: `Close it without a refund? The buyer’s page then says that you keep ${money(amount_cents)}.`,
    }),
  }
  return [...(isOnline && !isSent ? [] : [again]), ...(isOnline ? [otherwise] : []), dismiss]
}
