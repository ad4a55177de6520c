import { type Html, html } from '../../../platform/html/html.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { mayMailTickets, renewOrderLink, sendTickets } from '../../../tickets/admission/mail-tickets.ts'
import { orderLink, ownOrder } from '../../../tickets/admission/own-order.ts'
import { type SentMail, mailName } from '../../../mail/sent-mails.ts'
import type { TicketRow } from '../../../tickets/admission/ticket-reads.ts'
import { type SoldOrderRow, soldOrder } from '../../../tickets/order-reads.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { warning } from '../parts/press-message.ts'
import { tag } from '../parts/tags.ts'

const home = '/office/tickets/orders'

/** The buyer's own page, for staff to open, to send, and to give another address. For every role. */
export const orderLinkPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'POST',
    path: `${home}/:id/link`,
    role: 'host',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'order')
      const here = `${home}/${id}#tickets`
      if (form.text('do') === 'open') {
        const own = await ownOrder(work.db, work.venue.id, id)
        if (!own) throw notFound('order')
        return go(new URL(orderLink(context, work.venue.id, own)).pathname)
      }
      if (form.text('do') !== 'renew') {
        await sendTickets(work, actorOf(work.me), id)
        return go(here, 'The tickets are on their way.')
      }
      const isMailed = await renewOrderLink(work, actorOf(work.me), id)
      return go(here, isMailed ? 'The link has ended; a new one is on its way.' : 'The link has ended.')
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'order')}#tickets`, warning(message)),
  },
]

export const orderOfPath = async (
  { db, venue }: Parameters<VenuePage['answer']>[0],
  id: string | undefined,
): Promise<SoldOrderRow> => {
  const order = await soldOrder(db, venue.id, idOf(id, 'order'))
  if (!order) throw notFound('order')
  return order
}

/** The tickets of an order: who is in, what went back, and how the buyer has them. */
export const ticketsPart = (
  order: SoldOrderRow,
  { tickets, going }: { readonly tickets: readonly TicketRow[]; readonly going: ReadonlySet<number> },
  mails: readonly SentMail[],
  zone: string,
): Html => {
  const mayMail = mayMailTickets(order)
  const here = `${home}/${order.id}`
  return html`<section class="card" id="tickets">
    <h2>Tickets</h2>
    ${
      tickets.length === 0
        ? html`<p class="soft small">${order.status === 'paid_unconfirmed' ? 'There are tickets once the payment is received.' : 'This order has no tickets.'}</p>`
        : html`<ul class="rows">${tickets.map((ticket) => ticketLine(ticket, going, zone))}</ul>`
    }
    ${mails.length > 0 && html`<h3>Email</h3><ul class="rows small">${mails.map((mail) => mailLine(mail, zone))}</ul>`}
    ${
      tickets.length > 0 &&
      html`
        ${order.buyer_email === null && html`<p class="soft small">Without an email address nothing is mailed: print the buyer’s page.</p>`}
        <form class="actions" method="post" action="${here}/link">
          <button name="do" value="open" formtarget="_blank">Open the buyer’s page</button>
          ${mayMail && html`<button name="do" value="mail">${mails.some(({ kind }) => kind === 'tickets') ? 'Send again' : 'Email the tickets'}</button>`}
          <button name="do" value="renew" data-asks="End the buyer’s link? It will stop working for anyone who has it; the codes stay valid.">End the link${mayMail && ' and email a new one'}</button>
        </form>`
    }
  </section>`
}

const ticketLine = (
  { number, in_at, door, void_at }: TicketRow,
  going: ReadonlySet<number>,
  zone: string,
): Html => {
  const state =
    void_at !== null
      ? tag('Void')
      : in_at !== null
        ? html`${tag('In', 'good')} <span class="soft small">${momentInWords(in_at, zone)}${door !== null && `, ${door}`}</span>`
        : going.has(number)
          ? tag('Being returned', 'warn')
          : tag('Not in yet', 'accent')
  return html`<li><div class="grow"><span class="strong">Ticket ${number}</span></div><span>${state}</span></li>`
}

const mailLine = ({ kind, state, made_at, ended_at, answer }: SentMail, zone: string): Html => {
  const at = momentInWords(ended_at ?? made_at, zone)
  const said =
    state === 'sent'
      ? html`<span class="soft">sent ${at}</span>`
      : state === 'failed'
        ? html`${tag('Not delivered', 'bad')} <span class="soft">${at}: ${answer ?? ''}</span>`
        : state === 'waiting'
          ? html`<span class="soft">goes out ${at}</span>`
          : html`<span class="soft">not sent: ${answer ?? ''}</span>`
  return html`<li><div class="grow"><span class="strong">${mailName(kind)}</span> ${said}</div></li>`
}
