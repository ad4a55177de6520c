import { centsOfRefundMail } from '../../mail/refund-mails.ts'
import { checkoutById } from '../../core/money/checkout-store.ts'
import { goingBackOf, staying } from '../../tickets/admission/going-back.ts'
import { ownOrder, orderLink } from '../../tickets/admission/own-order.ts'
import { ticketsOf } from '../../tickets/admission/tickets.ts'
import { refundById, soldOrder } from '../../tickets/order-reads.ts'
import { validTickets } from '../../tickets/states.ts'
import { calendarFile, calendarType } from './calendar-file.ts'
import {
  buyerName,
  entryOfOrder,
  eventOf,
  receiptLines,
  ticketsOnPaper,
  whenOfOrder,
} from './ticket-facts.ts'
import { moneyIn } from '../guest-words/formats.ts'
import { refusedTitle, refusedWhy } from './refused-facts.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/** An order, with its private link, of a buyer who has an address. */
const aboutOrder = async ({ db, venue }: Writing['work'], id: number) => {
  const order = await soldOrder(db, venue.id, id)
  const own = await ownOrder(db, venue.id, id)
  return !order || !own || order.buyer_email === null ? noAddress : { order, own, to: order.buyer_email }
}

const noAddress = { dropped: 'the order no longer has an address' } as const

/** More would make the mail too large for some; the page has them all. */
const mostOnPaper = 20

/** The tickets of an order, to the address given with it and to no other. */
export const ticketsLetter = async ({ work, context, venue, settings, mail }: Writing): Promise<Written> => {
  const about = await aboutOrder(work, mail.record_id)
  if ('dropped' in about) return about
  const { order, own, to } = about
  if (validTickets(order) === 0) return { dropped: `the order is ${order.status} by now` }
  const all = (await ticketsOf(work, [order])).get(order.id) ?? []
  const tickets = staying(all, await goingBackOf(work, order, all))
  const valid = tickets.length
  if (valid === 0) return { dropped: 'all seats are on their way back' }
  const speaking = speakingIn(own.language, settings, venue)
  const { words, formats } = speaking
  const url = orderLink(context, venue.id, own)
  const event = eventOf(order)
  const host = new URL(context.config.publicUrl).hostname
  const entry = entryOfOrder(order, venue, { words, url, host, settings, now: work.now() })
  const time = order.event_start_time
  const when = [formats.shortDay(order.event_date), time && formats.time(time.slice(0, 5))]
    .filter(Boolean)
    .join(', ')
  const buyer = buyerName(order)
  return {
    speaking,
    letter: {
      to,
      subject: words.mail.tickets.subject(event, when),
      preheader: `${words.tickets.counted(formats.number(valid))}. ${words.mail.tickets.text}`,
      state: { tone: 'good', words: words.tickets.paid },
      title: words.tickets.title,
      slip: [
        [words.tickets.seats, formats.number(valid)],
        [words.book.date, formats.shortDay(order.event_date)],
        ...(time === null ? [] : [[words.book.time, formats.time(time.slice(0, 5))] as const]),
      ],
      paragraphs: [words.mail.tickets.text],
      facts: [
        [words.tickets.event, event],
        [words.tickets.number, order.order_number],
        ...(buyer === null ? [] : [[words.book.name, buyer] as const]),
        [words.book.when, whenOfOrder(order, formats)],
        [
          words.book.where,
          [venue.name, (venue.postal_address ?? '').replaceAll(/\r?\n/g, ', ')].filter(Boolean).join('\n'),
        ],
        ...receiptLines(order, speaking),
      ],
      button: { words: words.mail.tickets.button, url },
      own: words.mail.tickets.own,
      attachments: [
        {
          name: 'tickets.pdf',
          type: 'application/pdf',
          content: ticketsOnPaper(order, tickets.slice(0, mostOnPaper), venue, speaking),
        },
        ...(entry ? [{ name: 'event.ics', type: calendarType(entry), content: calendarFile(entry) }] : []),
      ],
    },
  }
}

/** To a buyer whose money went back: how much, and what of the order it leaves. */
export const ticketsRefundedLetter = async ({
  work,
  context,
  venue,
  settings,
  mail,
}: Writing): Promise<Written> => {
  const refund = await refundById(work.db, venue.id, mail.record_id)
  const cents = await centsOfRefundMail(work.db, venue.id, { ...mail, kind: 'ticketsRefunded' })
  if (!refund || cents === 0) return { dropped: 'the money did not arrive' }
  const about = await aboutOrder(work, refund.order_id)
  if ('dropped' in about) return about
  const { order, own, to } = about
  const speaking = speakingIn(own.language, settings, venue)
  const { words, formats } = speaking
  const stays = validTickets(order)
  const title = order.refunded_cents < order.total_cents ? words.tickets.refundedPart : words.tickets.refunded
  const back = words.secure.back(moneyIn(formats, cents, order.currency ?? 'USD'))
  return {
    speaking,
    letter: {
      to,
      subject: `${title}: ${eventOf(order)}, ${formats.shortDay(order.event_date)}`,
      preheader: back,
      state: { tone: 'wait', words: words.tickets.order },
      title,
      paragraphs: [back, ...(stays > 0 ? [words.tickets.stayValid(formats.number(stays))] : [])],
      facts: [
        [words.tickets.event, eventOf(order)],
        [words.tickets.number, order.order_number],
        [words.book.when, whenOfOrder(order, formats)],
        ...receiptLines(order, speaking),
      ],
      button: { words: words.mail.tickets.button, url: orderLink(context, venue.id, own) },
      own: words.mail.tickets.own,
    },
  }
}

/** To somebody who paid for tickets that could no longer be given, or whose money did not come: why, and what happens to it. */
export const ticketsRefusedLetter = async ({ work, venue, settings, mail }: Writing): Promise<Written> => {
  const { db } = work
  const paid = await checkoutById(db, venue.id, mail.record_id)
  const order = paid?.order_id ? await soldOrder(db, venue.id, paid.order_id) : undefined
  if (!paid || !order || order.buyer_email === null) return noAddress
  const speaking = speakingIn(paid.language, settings, venue)
  const { words, formats } = speaking
  const { sale } = words
  const why = refusedWhy(words, paid)
  const title = refusedTitle(words, paid)
  return {
    speaking,
    letter: {
      to: order.buyer_email,
      subject: `${title}: ${eventOf(order)}, ${formats.shortDay(order.event_date)}`,
      preheader: why[0] ?? '',
      state: { tone: 'wait', words: sale.title },
      title,
      paragraphs: why,
      facts: [
        [words.tickets.event, eventOf(order)],
        [words.tickets.number, order.order_number],
        [words.book.when, whenOfOrder(order, formats)],
        [sale.total, moneyIn(formats, paid.total_cents, paid.currency)],
      ],
      own: words.mail.tickets.own,
    },
  }
}
