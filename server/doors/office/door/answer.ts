import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { momentInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { Admission, AdmissionAnswer } from '../../../tickets/admission/admit.ts'
import type { TicketRow } from '../../../tickets/admission/ticket-reads.ts'
import type { SoldOrderRow } from '../../../tickets/order-reads.ts'
import { counted } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import { whenOf } from '../tickets/date-words.ts'
import { buyerOf } from '../tickets/order-table.ts'
import { orderWords } from '../tickets/order-words.ts'

/** Where the answer is shown. */
export type DoorPlace = {
  /** The page of this date. */
  readonly here: string
  /** The door one is at, as it was typed. */
  readonly door: string
  readonly zone: string
  readonly now: Temporal.Instant
  /** What staff are called. */
  readonly names: ReadonlyMap<number, string>
}

const tones = {
  in: 'good',
  'already-in': 'warn',
  'being-returned': 'bad',
  void: 'bad',
  'other-date': 'bad',
  unknown: 'bad',
} as const
const heads = {
  in: 'In',
  'already-in': 'Already in',
  'being-returned': 'Being returned',
  void: 'Void',
  'other-date': 'Another date',
  unknown: 'Unknown',
} as const

/** What came of a scan or a press, in one word that is read across a table, and what somebody must know to say why. */
export const answerPart = (answer: AdmissionAnswer, place: DoorPlace): Html =>
  box(
    tones[answer.outcome],
    heads[answer.outcome],
    answer.outcome === 'unknown'
      ? html`<p>No ticket for any date has this code, and no order for this date this name or number.</p>`
      : html`<p class="strong">${whose(answer)}</p>
          ${whyPart(answer, place)}
          ${answer.outcome === 'in' && backForm(answer.ticket, place)}`,
  )

const box = (tone: string, head: string, body: Html): Html =>
  html`<section class="door-said ${tone}"><h2>${head}</h2>${body}</section>`

const whose = ({ ticket, order }: Admission): string =>
  `Ticket ${ticket.number} of ${order.seats} · ${buyerOf(order)} · ${order.order_number}`

const whyPart = (answer: Admission, place: DoorPlace): Html | undefined => {
  const { outcome, ticket, order } = answer
  switch (outcome) {
    case 'in':
      return undefined
    case 'already-in':
      return html`<p>${cameIn(ticket, place)}</p>`
    case 'being-returned':
      return html`<p>
        The money for this ticket is on its way back to the card, and the seat goes on sale again. Ask a manager or an owner:
        they decide, and sell a new ticket to somebody who comes all the same. <a href="/office/tickets/orders/${order.id}">Open the order</a>
      </p>`
    case 'void':
      return html`<p>${whyVoid(answer)}</p>`
    case 'other-date':
      return html`<p>
        For ${order.event_name}, ${whenOf({ date: order.event_date, start_time: order.event_start_time, title: order.occurrence_title })}.
      </p>`
    default:
      return outcome satisfies never
  }
}

/** Why a ticket is void: a seat may have been returned before the bank took the rest back. */
const whyVoid = ({ ticket, order, isTaken = false }: Admission): string => {
  const isLost = order.lost_cents > 0
  if (isTaken || (isLost && ticket.void_at === null))
    return 'The payment for this seat was taken back by the buyer’s bank.'
  const isEnded = order.status === 'refunded' || order.status === 'cancelled'
  return ticket.void_at !== null && (isLost || !isEnded)
    ? 'This seat was returned.'
    : `The order is ${orderWords(order).toLowerCase()}.`
}

/** "At 7:05 PM, Door 1, let in by Ann." */
const cameIn = ({ in_at, in_by, door }: TicketRow, { zone, now, names }: DoorPlace): string => {
  if (in_at === null) return ''
  const moment = toInstant(in_at)
  const isToday = wallTimeOf(moment, zone).date === wallTimeOf(now, zone).date
  const by = in_by === null ? undefined : names.get(in_by)
  return `${[
    isToday ? `At ${timeOf(moment, zone)}` : momentInWords(in_at, zone),
    door,
    by !== undefined && `let in by ${by}`,
  ]
    .filter(Boolean)
    .join(', ')}.`
}

const backForm = ({ id, in_at }: TicketRow, { here, door }: DoorPlace): Html =>
  html`<form method="post" action="${here}/back">
    <input type="hidden" name="ticket" value="${id}" />
    <input type="hidden" name="at" value="${in_at}" />
    <input type="hidden" name="door" value="${door}" />
    <button>Take back</button>
  </form>`

/** After a press on "Take back". */
export const backPart = (order: SoldOrderRow | undefined, ticket: TicketRow | undefined): Html =>
  order && ticket
    ? box(
        '',
        'Taken back',
        html`<p class="strong">${whose({ outcome: 'in', ticket, order })}</p><p>Not in yet.</p>`,
      )
    : box('warn', 'Not taken back', html`<p>This ticket is no longer as it was shown. Look it up again.</p>`)

type FoundOrder = {
  readonly order: SoldOrderRow
  readonly tickets: readonly TicketRow[]
  /** Numbers of those that are being returned. */
  readonly going: ReadonlySet<number>
}

/** The orders somebody may mean, each ticket with a press. */
export const foundPart = (found: readonly FoundOrder[], place: DoorPlace): Html =>
  html`<section class="door-said">
    <h2>${counted(found.length, 'order')}</h2>
    <form method="post" action="${place.here}">
      <input type="hidden" name="door" value="${place.door}" />
      <ul class="rows">
        ${found.map(
          ({ order, tickets, going }) =>
            html`<li>
              <div class="grow">
                <span class="strong">${buyerOf(order)}</span>
                <a class="small" href="/office/tickets/orders/${order.id}">${order.order_number}</a>
                ${
                  tickets.length === 0
                    ? html`<p class="small">${orderWords(order)}: no tickets.</p>`
                    : html`<ul class="door-tickets">${tickets.map((ticket) => ticketPart(ticket, going, place))}</ul>`
                }
              </div>
            </li>`,
        )}
      </ul>
    </form>
  </section>`

const ticketPart = (ticket: TicketRow, going: ReadonlySet<number>, place: DoorPlace): Html => {
  if (ticket.void_at !== null) return html`<li>Ticket ${ticket.number} ${tag('Void')}</li>`
  if (ticket.in_at === null && going.has(ticket.number))
    return html`<li>Ticket ${ticket.number} ${tag('Being returned', 'warn')}</li>`
  return ticket.in_at === null
    ? html`<li><button name="ticket" value="${ticket.id}">Let in ticket ${ticket.number}</button></li>`
    : html`<li>Ticket ${ticket.number} ${tag('In', 'good')} <span class="small soft">${cameIn(ticket, place)}</span></li>`
}
