import { type Html, html } from '../../../platform/html/html.ts'
import type { Work } from '../../../context.ts'
import { calendarFile, calendarType } from '../../../messages/guest-mail/calendar-file.ts'
import { calendarLinks } from '../../../messages/guest-mail/calendar-links.ts'
import {
  buyerName,
  entryOfOrder,
  eventOf,
  receiptLines,
  ticketsOnPaper,
  whenOfOrder,
} from '../../../messages/guest-mail/ticket-facts.ts'
import { momentInWords } from '../../../messages/guest-mail/booking-facts.ts'
import { moneyIn } from '../../../messages/guest-words/formats.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type GoingBack, goingBackOf, staying } from '../../../tickets/admission/going-back.ts'
import { mailTicketsAgain, mayMailTickets } from '../../../tickets/admission/mail-tickets.ts'
import { ownOrder } from '../../../tickets/admission/own-order.ts'
import { codeInGroups, qrOf, quietZone } from '../../../tickets/admission/qr.ts'
import type { TicketRow } from '../../../tickets/admission/ticket-reads.ts'
import { ticketsOf } from '../../../tickets/admission/tickets.ts'
import { type SoldOrderRow, soldOrder } from '../../../tickets/order-reads.ts'
import { admittingStatuses, validTickets } from '../../../tickets/states.ts'
import { type Returnable, returnOf, returnSeats } from '../../../tickets/online/money-back/return-seats.ts'
import { callLink, card, choiceField, statePill } from '../frame/parts.ts'
import type { LinkPage } from '../frame/serve-visits.ts'
import { type GuestAnswer, type ShownPage, type Visit, typed } from '../frame/visit.ts'
import { addressLine } from '../frame/whole-page.ts'
import { slip } from './booking-parts.ts'
import { lostPage } from './news.ts'

/* `/o/{token}`: an order of tickets, for its buyer: the codes that let them in. It works with the venue's doors off. */

type Mine = {
  readonly work: Work
  readonly visit: Visit
  readonly order: SoldOrderRow
  readonly tickets: readonly TicketRow[]
  readonly going: GoingBack
  /** Those that let somebody in, and stay. */
  readonly good: readonly TicketRow[]
  /** What its buyer may give back by themselves. */
  readonly returnable: Returnable | undefined
  /** The event lets seats be returned, and only the venue can give the money back. */
  readonly isByVenue: boolean
}

/** A link ends so long after the date: until then somebody may want the paper of it. */
const keptDays = 30

/** The order behind a link; undefined once the link ended: by staff, with time, or because its buyer was erased. */
const mineOf = async (
  work: Work,
  visit: Visit,
  { record, issue }: { readonly record: number; readonly issue: number },
): Promise<Mine | undefined> => {
  const { db, venue } = work
  const own = await ownOrder(db, venue.id, record)
  const order = await soldOrder(db, venue.id, record)
  if (!own || !order || own.is_erased || own.link_issue !== issue) return undefined
  if (addDays(order.event_date, keptDays) < wallTimeOf(visit.now, venue.timezone).date) return undefined
  const tickets = (await ticketsOf(work, [order])).get(order.id) ?? []
  const going = await goingBackOf(work, order, tickets)
  const good = staying(tickets, going)
  return { work, visit, order, tickets, going, good, ...(await returnOf(work, order)) }
}

const onMine =
  (answer: (mine: Mine) => Promise<GuestAnswer> | GuestAnswer): LinkPage['answer'] =>
  async (work, visit, link) => {
    const mine = await mineOf(work, visit, link)
    return mine ? answer(mine) : lostPage(visit)
  }

const languageOf: LinkPage['languageOf'] = async ({ db, venue }, { record }) => {
  const kept = (await ownOrder(db, venue.id, record))?.language ?? ''
  return isGuestLanguage(kept) ? kept : null
}

const shared = { purpose: 'order', languageOf } as const

export const ownOrderPages: readonly LinkPage[] = [
  {
    ...shared,
    method: 'GET',
    path: '/o/:token',
    answer: onMine((mine) => (mine.visit.query.has('return') ? returnPage(mine) : viewPage(mine))),
  },
  {
    ...shared,
    method: 'GET',
    path: '/o/:token/tickets.pdf',
    answer: onMine(({ order, good, visit }) =>
      good.length === 0
        ? lostPage(visit)
        : {
            file: ticketsOnPaper(order, good, visit.venue, visit),
            type: 'application/pdf',
            name: 'tickets.pdf',
          },
    ),
  },
  {
    ...shared,
    method: 'GET',
    path: '/o/:token/event.ics',
    answer: onMine((mine) => {
      const entry = entryOf(mine)
      return entry
        ? { file: calendarFile(entry), type: calendarType(entry), name: 'event.ics' }
        : lostPage(mine.visit)
    }),
  },
  {
    ...shared,
    method: 'POST',
    path: '/o/:token',
    answer: onMine(async (mine) => {
      const { work, visit, order } = mine
      const back = (done: string): GuestAnswer => ({ to: visit.link(`${visit.path}?done=${done}`) })
      switch (typed(visit, 'do')) {
        case 'resend':
          await mailTicketsAgain(work, order)
          return back('resend')
        case 'return':
          await returnSeats(work, {
            ...{ order: order.id, seats: Number(typed(visit, 'seats')) },
            ...{ shownCents: Number(typed(visit, 'cents')), seenVersion: Number(typed(visit, 'version')) },
          })
          return back('return')
        default:
          return viewPage(mine)
      }
    }),
    again: async (work, visit, _refusal, link) => {
      const mine = await mineOf(work, visit, link)
      return mine ? { ...viewPage(mine, visit.words.tickets.returnChanged), status: 409 } : lostPage(visit)
    },
  },
]

const entryOf = ({ visit, order, good }: Mine) =>
  good.length === 0
    ? undefined
    : entryOfOrder(order, visit.venue, {
        words: visit.words,
        url: `${visit.publicUrl}${visit.path.replace(/\/event\.ics$/, '')}`,
        host: new URL(visit.publicUrl).hostname,
        settings: visit.settings,
        now: visit.now,
      })

/** Its state in a word, and what that is for its buyer; no sentence while the sum on its way says it all. */
const stateOf = (mine: Mine): readonly [pill: Html, text: string | undefined] => {
  const {
    visit: { words },
    order,
    good,
  } = mine
  const { tickets } = words
  switch (order.status) {
    case 'paid_unconfirmed':
      return isOnline(order)
        ? [statePill('wait', 'waiting', words.sale.confirmTitle), words.sale.confirm]
        : [statePill('wait', 'waiting', tickets.unpaid), tickets.unpaidText]
    case 'cancelled':
      return [
        statePill('off', 'cross', tickets.cancelled),
        isOnline(order) ? `${words.sale.unpaid} ${tickets.cancelledText}` : tickets.cancelledText,
      ]
    case 'refunded':
      // The lines below say how much went back before.
      return order.lost_cents > 0
        ? [statePill('off', 'cross', tickets.lost), tickets.lostText]
        : [statePill('off', 'cross', tickets.refunded), tickets.refundedText]
    default:
      if (validTickets(order) === 0)
        return [statePill('off', 'cross', tickets.allReturned), tickets.allReturnedText]
      return good.length === 0
        ? [statePill('wait', 'waiting', tickets.returning), undefined]
        : [statePill('good', 'check', tickets.paid), tickets.show]
  }
}

/** Who paid online has done their part; such an order is cancelled where its money does not come. */
const isOnline = ({ payment_method: method }: Mine['order']): boolean => method === 'processor_link'

/** Money that is on its way back, or that did not arrive; once it has, what was done here. */
const moneyPart = ({ visit: { words, formats, query }, order, going }: Mine): Html => {
  const money = (cents: number): string => moneyIn(formats, cents, order.currency ?? 'USD')
  const { onWayCents, waitingCents, stuckCents, keptCents } = going
  const isDone = query.get('done') === 'return' && onWayCents + waitingCents + stuckCents === 0
  return html`${isDone && html`<p class="note good" role="status">${words.tickets.returned}</p>`}
    ${onWayCents > 0 && html`<p class="note wait" role="status">${words.secure.onWay(money(onWayCents))}</p>`}
    ${waitingCents > 0 && html`<p class="note wait" role="status">${words.secure.waits(money(waitingCents))}</p>`}
    ${stuckCents > 0 && html`<p class="note wait" role="status">${words.secure.stuck(money(stuckCents))}</p>`}
    ${keptCents > 0 && html`<p class="note wait" role="status">${words.secure.keeps(money(keptCents))}</p>`}`
}

/** How many seats are still the buyer's, or were before the whole order ended. */
const seatsOf = ({ order, good }: Mine): number =>
  admittingStatuses.some((one) => one === order.status) ? good.length : order.seats

const viewPage = (mine: Mine, changed?: string): ShownPage => {
  const { visit, order, tickets, returnable } = mine
  const { words, formats, venue, query, link, path } = visit
  const { book } = words
  const isValid = mine.good.length > 0
  const [pill, text] = stateOf(mine)
  const seats = seatsOf(mine)
  const address = addressLine(venue.postal_address)
  const buyer = buyerName(order)
  const entry = entryOf(mine)
  const web = entry && calendarLinks(entry)
  const time = order.event_start_time
  const fact = (label: string, value: Html | string): Html =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`
  return {
    title: `${words.tickets.title} · ${venue.name}`,
    body: html`<div class="page wide">
      <div class="card">
        ${query.get('done') === 'resend' && html`<p class="note good" role="status">${book.resent}</p>`}
        ${moneyPart(mine)}
        ${changed !== undefined && html`<p class="note wait" role="alert" tabindex="-1" autofocus>${changed}</p>`}
        <div class="stack">
          ${pill}
          <h1>${words.tickets.title}</h1>
          <p><b>${eventOf(order)}</b></p>
          ${text !== undefined && html`<p>${text}</p>`}
        </div>
        ${slip(words.tickets.order, [
          ...(seats === 0 ? [] : [{ label: words.tickets.seats, value: formats.number(seats) }]),
          { label: book.date, value: formats.shortDay(order.event_date) },
          ...(time === null ? [] : [{ label: book.time, value: formats.time(time.slice(0, 5)) }]),
        ])}
        ${tickets.length > 0 && html`<ul class="tickets">${tickets.map((ticket) => ticketPart(mine, ticket))}</ul>`}
      </div>
      <aside class="aside" aria-label="${words.tickets.order}">
        <dl class="facts">
          ${fact(words.tickets.event, eventOf(order))}
          ${fact(words.tickets.number, html`<span class="num">${order.order_number}</span>`)}
          ${buyer !== null && fact(book.name, buyer)}
          ${fact(book.when, whenOfOrder(order, formats))}
          ${fact(
            book.where,
            html`${venue.name}${address !== '' && html`<br />${address}`}${venue.phone !== null && html`<br />${callLink(venue)}`}`,
          )}
          ${receiptLines(order, visit).map(([label, amount]) => fact(label, html`<span class="num">${amount}</span>`))}
        </dl>
        ${
          isValid &&
          html`<div class="stack no-print">
            <h2>${book.keep}</h2>
            <p class="links">
              <a class="tap" href="${link(`${path}/tickets.pdf`)}">${words.tickets.pdf}</a>
              ${entry && html`<a class="tap" href="${link(`${path}/event.ics`)}">${book.calendar}</a>`}
              ${
                web &&
                html`<a class="tap" href="${web.google}" target="_blank" rel="noreferrer">Google Calendar</a>
                  <a class="tap" href="${web.outlook}" target="_blank" rel="noreferrer">Outlook</a>`
              }
            </p>
            ${
              mayMailTickets(order) &&
              html`<form method="post" action="${link(path)}">
                <button class="btn line" name="do" value="resend">${book.resend}</button>
              </form>`
            }
          </div>`
        }
        ${returnable && returnPart(visit, returnable)}
        ${mine.isByVenue && html`<p class="soft no-print">${words.tickets.returnByVenue}</p>`}
      </aside>
    </div>`,
  }
}

/** How many seats, and until when: the next page says what comes back. */
const returnPart = (visit: Visit, { seats, until }: Returnable): Html => {
  const { words, formats, link, path } = visit
  const counts = Array.from({ length: seats }, (_, place) => place + 1)
  return html`<form class="fields no-print" method="get" action="${path}">
    <h2>${words.tickets.returnTitle}</h2>
    <p class="soft">${words.tickets.returnText(momentInWords(until, visit))}</p>
    ${new URL(link(path), visit.publicUrl).searchParams.has('lang') && html`<input type="hidden" name="lang" value="${visit.language}" />`}
    ${choiceField({
      name: 'return',
      label: words.tickets.seats,
      value: '1',
      choices: counts.map((count) => [String(count), formats.number(count)] as const),
    })}
    <button class="btn line">${words.tickets.returnShow}</button>
  </form>`
}

/** What comes back is said before the press. */
const returnPage = (mine: Mine): ShownPage => {
  const { visit, order, returnable } = mine
  const { words, formats, venue, query, link, path } = visit
  const seats = Number(query.get('return'))
  const cents =
    returnable && Number.isInteger(seats) && seats <= returnable.seats ? returnable.centsFor(seats) : 0
  if (cents === 0) return viewPage(mine, words.tickets.returnChanged)
  const money = moneyIn(formats, cents, order.currency ?? 'USD')
  return {
    title: `${words.tickets.returnTitle} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
        <h1>${words.tickets.returnTitle}</h1>
        <p>${eventOf(order)}, ${whenOfOrder(order, formats)}</p>
        <p>${words.tickets.returnSum(formats.number(seats), money)}</p>
      </div>
      <form class="acts" method="post" action="${link(path)}">
        ${Object.entries({ seats, cents, version: order.version }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button class="btn" name="do" value="return">${words.tickets.returnPress}</button>
        <a class="btn line" href="${link(path)}">${words.mail.tickets.button}</a>
      </form>`),
  }
}

/** One ticket: its code while it lets somebody in, else why it does not. */
const ticketPart = ({ visit: { words, formats }, order, good, going }: Mine, ticket: TicketRow): Html => {
  const number = formats.number(ticket.number)
  const isGood = good.includes(ticket)
  const isTaken = going.taken.has(ticket.number)
  const isVoid = isTaken ? words.tickets.voidTaken : words.tickets.void
  const why = ticket.void_at === null ? words.tickets.returning : isVoid
  return html`<li class="ticket">
    <h2>${words.tickets.ticket(number, formats.number(order.seats))}</h2>
    ${isGood && qrPart(ticket.code, words.tickets.code(number))}
    ${isGood && html`<p class="code num">${codeInGroups(ticket.code)}</p>`}
    ${!isGood && html`<p class="soft">${why}</p>`}
    ${ticket.void_at === null && ticket.in_at !== null && html`<p class="note good">${words.tickets.used(formats.timeAt(toInstant(ticket.in_at)))}</p>`}
  </li>`
}

/** Dark on white in every mode: scanners read no light code on dark. */
const qrPart = (code: string, label: string): Html => {
  const { size, bars } = qrOf(code)
  const whole = size + 2 * quietZone
  const path = bars
    .map(({ x, y, length }) => `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`)
    .join('')
  return html`<svg class="qr" viewBox="0 0 ${whole} ${whole}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <rect width="${whole}" height="${whole}" fill="#ffffff" />
    <path d="${path}" fill="#000000" />
  </svg>`
}
