import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { typedWord } from '../../../platform/kernel/typed-fields.ts'
import type { SoldOrderRow } from '../../../tickets/order-reads.ts'
import type { RefundRequestRow } from '../../../tickets/refund-request-store.ts'
import { declineRefund, grantRefund } from '../../../tickets/refund-requests.ts'
import { refundWays } from '../../../tickets/states.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import {
  choiceField,
  idOf,
  lineField,
  versionField,
  versionIn,
  wholeNumberIn,
} from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { warning } from '../parts/press-message.ts'
import { tag } from '../parts/tags.ts'
import { refundWayWords } from './order-words.ts'
import { usualWay } from './refund-form.ts'

const home = '/office/tickets/orders'

/** Refunds that software asked for: granted, which records the refund, or declined. For managers. */
export const refundRequestPages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: `${home}/:id/refund-requests/:request`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const asked = { order: idOf(params.id, 'order'), request: idOf(params.request, 'refund request') }
      const actor = actorOf(work.me)
      switch (form.text('answer')) {
        case 'grant': {
          const { refund } = await grantRefund(work, actor, {
            ...asked,
            seenVersion: versionIn(form),
            seats: form.text('seats').trim() === '' ? 0 : (wholeNumberIn(form.text('seats')) ?? Number.NaN),
            via: typedWord('How', form.text('via'), refundWays),
            outcome: 'succeeded',
          })
          return go(`${home}/${asked.order}#refunds`, `${money(refund.amount_cents)} refunded.`)
        }
        case 'decline':
          await declineRefund(work, actor, asked)
          return go(`${home}/${asked.order}`, 'Refund request declined.')
        default:
          throw badRequest('This form is incomplete; open the page again.')
      }
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'order')}`, warning(message)),
  },
]

type Seen = { readonly zone: string; readonly isManager: boolean; readonly seatsLeft: number }

/** The refund request of an order and its outcome; undefined if there is no request. */
export const refundRequestsPart = (
  requests: readonly RefundRequestRow[],
  order: SoldOrderRow,
  { zone, isManager, seatsLeft }: Seen,
): Html | undefined => {
  if (requests.length === 0) return undefined
  return html`<section class="card" id="refund-requests">
    <h2>Refund requests</h2>
    <ul class="rows">
      ${requests.map(
        (request) =>
          html`<li>
            <div class="grow">
              <span class="inline"><span class="strong">${money(request.amount_cents)}</span> ${stateTag(request.status)}</span>
              <span class="small soft">asked for by software, ${momentInWords(request.asked_at, zone)}</span>
              ${request.reason !== null && html`<p class="small breaks lines">“${request.reason}”</p>`}
              ${request.status === 'asked' && isManager && answerForm(request, order, seatsLeft)}
            </div>
          </li>`,
      )}
    </ul>
    ${!isManager && html`<p class="soft small">A manager can answer.</p>`}
  </section>`
}

const stateTag = (status: string): Html => {
  if (status === 'granted') return tag('Granted', 'good')
  return status === 'asked' ? tag('Needs an answer', 'warn') : tag('Declined')
}

const answerForm = ({ id }: RefundRequestRow, order: SoldOrderRow, seatsLeft: number): Html => {
  const seen = { typed: { seats: '0', via: usualWay(order) } }
  return html`<form class="form" method="post" action="${home}/${order.id}/refund-requests/${id}">
    ${versionField(order.version)}
    <div class="fields">
      ${choiceField(seen, { name: 'via', label: 'How it was refunded', choices: refundWays.map((way) => [way, refundWayWords[way]] as const) })}
      ${lineField(seen, { name: 'seats', label: `Seats back on sale (of ${seatsLeft})`, numeric: 'numeric', most: 3 })}
    </div>
    <div class="inline">
      <button class="primary" name="answer" value="grant">Record the refund</button
      ><button class="danger" name="answer" value="decline">Decline</button>
    </div>
  </form>`
}
