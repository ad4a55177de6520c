import { type Html, html } from '../../../platform/html/html.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { type SoldOrderRow, pendingRefunds, refundsOfOrder } from '../../../tickets/order-reads.ts'
import { type FormSeen, versionField } from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { counted } from '../parts/pager.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { whenOf } from './date-words.ts'
import { mailsAbout } from '../../../mail/sent-mails.ts'
import { ticketsGoingBack } from '../../../tickets/admission/going-back.ts'
import { ticketsOf } from '../../../tickets/admission/tickets.ts'
import { buyerOf } from './order-table.ts'
import { ticketsPart } from './order-tickets.ts'
import { freedInWords, methodWords, orderTag } from './order-words.ts'
import { isMoneyAwaited } from '../../../core/money/checkout-store.ts'
import { paymentOfOrder, wasRefused } from '../../../core/money/payment-store.ts'
import { moneyAwaited } from '../../../tickets/order-moves.ts'
import { refundRequestsOf } from '../../../tickets/refund-request-store.ts'
import { whyRemoved } from '../../../core/money/former-accounts.ts'
import { mattersOfOrder, whyDisputed } from '../../../core/money/matter-store.ts'
import { matterList } from '../payments/matters.ts'
import { refundForm, refundList } from './refund-form.ts'
import { refundRequestsPart } from './refund-requests.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { phoneLink } from '../texts/phone-link.ts'

/** A refund form that was refused. */
export type SentRefund = FormSeen

/** One order: who bought what, the price, refunds, and what can be done. */
export const orderPage = async (
  { db, venue, now, me }: OfficeWork,
  order: SoldOrderRow,
  sent?: SentRefund,
): Promise<Html> => {
  const [tickets, mails, refunds, pending, requests, matters, going, payment] = await Promise.all([
    ticketsOf({ db, venue, now }, [order]),
    mailsAbout(db, venue.id, { order: order.id }),
    refundsOfOrder(db, venue.id, order.id),
    pendingRefunds(db, venue.id, order.id),
    refundRequestsOf(db, venue.id, order.id),
    mattersOfOrder(db, venue.id, order.id),
    ticketsGoingBack({ db, venue }, order),
    paymentOfOrder(db, venue.id, order.id),
  ])
  const isManager = mayAct(me.staff.role, 'manager')
  const left = {
    cents: order.total_cents - order.refunded_cents - pending.cents,
    seats: order.seats - order.seats_returned - pending.seats,
  }
  const whyNot = payment?.is_removed ? whyRemoved : payment?.is_held ? whyDisputed : undefined
  const isRefused = payment !== undefined && (await wasRefused(db, venue.id, payment.id))
  const freed = freedInWords(order, { pendingCents: pending.cents, isRefused })
  const isRefundable =
    ['paid', 'partially_refunded', 'refund_failed'].includes(order.status) && left.cents > 0
  const isOnWay = order.status === 'paid_unconfirmed' && (await isMoneyAwaited(db, venue.id, order))
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="/office/tickets/dates/${order.occurrence_id}">‹ ${order.event_name}</a></p>
        <h1 class="inline">${order.order_number} ${orderTag(order)}</h1>
        <p class="soft breaks">${buyerOf(order)} · ${counted(order.seats, 'seat')} · ${money(order.total_cents)}</p>
      </div>
      ${isOnWay ? html`<p class="soft small">${moneyAwaited}</p>` : moves(order)}
    </div>
    <div class="with-side">
      <div class="stack">
        ${refundRequestsPart(requests, order, { zone: venue.timezone, isManager, seatsLeft: left.seats })}
        ${isManager && matterList(matters, venue.timezone)}
        ${ticketsPart(order, { tickets: tickets.get(order.id) ?? [], going }, mails, venue.timezone)}
        <section class="card">
          <h2>Price</h2>
          ${priceLines(order)}
        </section>
        ${
          (refunds.length > 0 || isRefundable) &&
          html`<section class="card" id="refunds">
            <h2>Refunds</h2>
            ${refunds.length > 0 && refundList(refunds, order, { zone: venue.timezone, isManager, isSent: whyNot === undefined })}
            ${
              isRefundable &&
              (isManager
                ? refundForm(order, { ...left, whyNot }, tickets.get(order.id) ?? [], sent)
                : html`<p class="soft small">A manager can refund this order.</p>`)
            }
          </section>`
        }
      </div>
      <section class="card">
        <h2>Details</h2>
        ${facts(order, freed, venue.timezone)}
      </section>
    </div>`
}

/** What the order's status allows staff to do, besides refunds. */
const moves = (order: SoldOrderRow): Html | undefined => {
  const awaits = order.status === 'paid_unconfirmed'
  const isOfStaff = order.payment_method !== 'processor_link'
  const mayCancel = awaits || (order.status === 'paid' && order.total_cents === 0)
  if (!mayCancel) return undefined
  const here = `/office/tickets/orders/${order.id}`
  return html`<div class="inline">
    <form method="post" action="${here}/cancel" data-asks="Cancel this order and free its seats?">
      ${versionField(order.version)}<button class="danger">Cancel order</button>
    </form>
    ${
      awaits &&
      isOfStaff &&
      html`<form method="post" action="${here}/paid">
        ${versionField(order.version)}<button class="primary">Payment received</button>
      </form>`
    }
  </div>`
}

const priceLines = (order: SoldOrderRow): Html => {
  const lines: readonly (readonly [string, number])[] = [
    [counted(order.seats, 'seat'), order.subtotal_cents],
    [order.promo_code === null ? 'Discount' : `Code ${order.promo_code}`, -order.discount_cents],
    ['Fee', order.fee_cents],
    ['Tax', order.tax_cents],
  ]
  return html`<table class="table price">
    <tbody>
      ${lines.flatMap(([name, cents], i) => (i > 0 && cents === 0 ? [] : [line(name, cents)]))}
    </tbody>
    <tfoot>
      ${line('Total', order.total_cents)} ${order.refunded_cents > order.lost_cents && line('Refunded', order.lost_cents - order.refunded_cents)}
      ${order.lost_cents > 0 && line('Lost to a dispute', -order.lost_cents)}
    </tfoot>
  </table>`
}

const line = (name: string, cents: number): Html =>
  html`<tr>
    <th scope="row" class="breaks">${name}</th>
    <td class="right nowrap">${money(cents)}</td>
  </tr>`

const facts = (order: SoldOrderRow, freed: string | null, zone: string): Html => {
  const rows: readonly (readonly [string, Html | string | null])[] = [
    [
      'When',
      whenOf({ date: order.event_date, start_time: order.event_start_time, title: order.occurrence_title }),
    ],
    ['Buyer', buyerOf(order)],
    ['Email', order.buyer_email],
    ['Phone', order.buyer_phone && phoneLink(order.buyer_phone, 'nowrap')],
    ['Paid by', methodWords[order.payment_method as keyof typeof methodWords] ?? order.payment_method],
    ['Sold', order.channel === 'box_office' ? 'at the box office' : 'online'],
    ['Reference', order.external_reference],
    ['Ordered', momentInWords(order.created_at, zone)],
    ['Paid', order.paid_at && momentInWords(order.paid_at, zone)],
    ['Seats', freed],
    ['Wants email', order.marketing_opt_in === null ? null : order.marketing_opt_in ? 'yes' : 'no'],
  ]
  return html`<dl class="facts">
    ${rows.flatMap(([name, value]) => (value === null || value === '' ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}
  </dl>`
}
