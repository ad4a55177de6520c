import { bookedReservation } from '../../../book/day/book-row.ts'
import { type GuaranteeRow, guaranteeOf } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { type ActivityRow, activityOfRecord } from '../../../core/activity/reads.ts'
import type { MatterRow } from '../../../core/money/matter-store.ts'
import {
  type PdfPage,
  type PdfText,
  linesOf,
  pdfFile,
  pdfPaper,
} from '../../../messages/guest-mail/pdf-file.ts'
import { dayAndYearInWords, momentInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import { ticketsOf } from '../../../tickets/admission/tickets.ts'
import { type SentMail, mailName, mailsAbout } from '../../../mail/sent-mails.ts'
import { agreedPages, paidBy, refundsOf } from '../../../tickets/online/money-back/evidence-reads.ts'
import { soldOrder } from '../../../tickets/order-reads.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { whenOf } from '../tickets/date-words.ts'
import { counted } from '../parts/pager.ts'
import { deedOf } from './deeds.ts'
import { amountOf } from './matters.ts'

/*
 * What a bank asks for when a guest disputes a payment, on paper: what was agreed on and when, who came in, which mails went
 * out and what became of them, and everything that was done since.
 */

type Part = { readonly title: string; readonly lines: readonly string[] }

export const evidenceOf = async (work: OfficeWork, matter: MatterRow): Promise<Buffer> => {
  const { venue } = work
  const parts =
    matter.order_id !== null
      ? await ofOrder(work, matter.order_id)
      : matter.reservation_id === null
        ? []
        : await ofBooking(work, matter.reservation_id)
  const dispute: Part = {
    title: 'Dispute',
    lines: [
      `Amount: ${amountOf(matter)}`,
      ...(matter.reason === null ? [] : [`Reason: ${matter.reason.replaceAll('_', ' ')}`]),
      `Known since ${momentInWords(matter.made_at, venue.timezone)}`,
    ],
  }
  const title = `${venue.name}: evidence for a disputed payment`
  return pdfFile(pagesOf(title, [dispute, ...parts]), { title, language: 'en' })
}

const ofOrder = async (work: OfficeWork, id: number): Promise<Part[]> => {
  const { db, venue } = work
  const zone = venue.timezone
  const order = await soldOrder(db, venue.id, id)
  if (!order) return []
  const tickets = (await ticketsOf(work, [order])).get(id) ?? []
  const payments = await paidBy(db, venue.id, { order: id })
  const when = { date: order.event_date, start_time: order.event_start_time, title: order.occurrence_title }
  const buyer = [order.buyer_first_name, order.buyer_last_name].filter((one) => one !== null).join(' ')
  return [
    {
      title: `Order ${order.order_number}`,
      lines: [
        `${order.event_name}, ${whenOf(when)}`,
        counted(order.seats, 'seat'),
        `Buyer: ${[buyer, order.buyer_email, order.buyer_phone].filter(Boolean).join(', ')}`,
      ],
    },
    {
      title: 'What was agreed on, and when',
      lines: payments.flatMap((payment) => [
        `${amountOf(payment)}, shown to the buyer before the button at ${momentInWords(payment.asked_at, zone)}`,
        ...(payment.sentence === null ? [] : [`“${payment.sentence}”`]),
        `Paid on Stripe’s page; known here at ${momentInWords(payment.settled_at, zone)}`,
      ]),
    },
    {
      title: 'Tickets',
      lines: tickets.map(
        ({ number, in_at, void_at, door }) =>
          `Ticket ${number}: ${in_at !== null ? `let in at ${momentInWords(in_at, zone)}${door === null ? '' : `, ${door}`}` : void_at === null ? 'not used' : 'void'}`,
      ),
    },
    refundsPart(await refundsOf(db, venue.id, { order: id }), zone),
    mailsPart(await mailsAbout(db, venue.id, { order: id }), zone),
    historyPart(await activityOfRecord(db, venue.id, 'ticket_order', id), zone),
  ]
}

const ofBooking = async ({ db, venue }: OfficeWork, id: number): Promise<Part[]> => {
  const zone = venue.timezone
  const [booking, guarantee] = [
    await bookedReservation(db, venue.id, id),
    await guaranteeOf(db, venue.id, id),
  ]
  if (!booking || !guarantee) return []
  const payments = await paidBy(db, venue.id, { guarantee: guarantee.id })
  const history = await activityOfRecord(db, venue.id, 'reservation', id)
  const agreed = agreementsOf(guarantee, await agreedPages(db, venue.id, id), history)
  return [
    {
      title: `Booking ${id}`,
      lines: [
        `${booking.date === null ? 'No day' : dayAndYearInWords(booking.date)}${booking.time === null ? '' : `, ${timeInWords(booking.time)}`}, party of ${booking.party_size}: ${booking.status}`,
        `Guest: ${[booking.guest_name, booking.email, booking.phone].filter((one) => one !== null).join(', ')}`,
      ],
    },
    {
      title: 'What was agreed on, and when',
      lines: [
        ...agreed.flatMap(({ sentence, at }) => [
          `“${sentence}”`,
          at === undefined
            ? 'Agreed on by the guest'
            : `Agreed on by the guest at ${momentInWords(at, zone)}`,
        ]),
        `Free of charge until ${momentInWords(guarantee.free_until, zone)}`,
        ...payments.map(
          (payment) => `${amountOf(payment)} ${howPaid(payment)} ${momentInWords(payment.settled_at, zone)}`,
        ),
      ],
    },
    refundsPart(await refundsOf(db, venue.id, { guarantee: guarantee.id }), zone),
    mailsPart(await mailsAbout(db, venue.id, { booking: id }), zone),
    historyPart(history, zone),
  ]
}

/**
 * Each sentence that the guest agreed to, and when. What was agreed to on a page of the processor has the moment of its press; more
 * that may be charged to a card that was kept already needs no page: the last one has that of the guarantee, those before
 * it that of their entries in the history.
 */
export const agreementsOf = (
  guarantee: Pick<GuaranteeRow, 'sentence' | 'agreed_at'>,
  pages: readonly { readonly sentence: string; readonly made_at: Moment }[],
  history: readonly Pick<ActivityRow, 'action' | 'at'>[],
): { readonly sentence: string; readonly at: Moment | undefined }[] => {
  const agreed: { readonly sentence: string; readonly page: Moment | undefined }[] = []
  const unused = [...pages]
  for (let rest = guarantee.sentence; rest !== '';) {
    const place = unused.findIndex(({ sentence }) => `${rest}\n`.startsWith(`${sentence}\n`))
    const [page] = place < 0 ? [] : unused.splice(place, 1)
    const sentence = page?.sentence ?? rest.replace(/\n[^]*$/, '')
    agreed.push({ sentence, page: page?.made_at })
    rest = rest.slice(sentence.length + 1)
  }
  const last = Temporal.Instant.from(guarantee.agreed_at)
  const pressed = history
    .filter(
      ({ action, at }) =>
        action === 'secure' && Temporal.Instant.compare(Temporal.Instant.from(at), last) < 0,
    )
    .map(({ at }) => at)
  const moments = agreed.at(-1)?.page === undefined ? [guarantee.agreed_at, ...pressed] : pressed
  return agreed
    .toReversed()
    .map(({ sentence, page }) => ({ sentence, at: page ?? moments.shift() }))
    .toReversed()
}

/** A bank judges what the guest paid themselves in another way than what came off their card without them. */
const howPaid = ({ via, is_own: isOwn }: Awaited<ReturnType<typeof paidBy>>[number]): string => {
  if (via !== 'processor') return 'was paid another way, as noted at'
  return isOwn
    ? 'was paid by the guest on Stripe’s page; known here at'
    : 'was charged to the card that the guest had left; known here at'
}

const refundsPart = (refunds: Awaited<ReturnType<typeof refundsOf>>, zone: string): Part => ({
  title: 'Refunds to the guest',
  lines:
    refunds.length === 0
      ? ['None.']
      : refunds.map((refund) => `${amountOf(refund)} ${wayOf(refund)} ${momentInWords(refund.at, zone)}`),
})

const wayOf = ({ via, state }: { readonly via: string; readonly state: string }): string => {
  if (state === 'pending') return 'is to go back to the card, as asked for on'
  if (via === 'processor') return 'went back to the card on'
  return via === 'cash' ? 'was refunded in cash on' : 'was refunded another way on'
}

const mailsPart = (mails: readonly SentMail[], zone: string): Part => ({
  title: 'Emails to the guest',
  lines: mails
    .toReversed()
    .map(
      ({ kind, state, made_at, due_at, ended_at, answer }) =>
        `${mailName(kind)}: ${fates[state]} ${momentInWords(ended_at ?? due_at ?? made_at, zone)}${answer === null ? '' : ` (${answer})`}`,
    ),
})

const fates: Readonly<Record<SentMail['state'], string>> = {
  waiting: 'goes out',
  sent: 'sent',
  failed: 'not delivered,',
  dropped: 'not sent,',
}

/** The oldest first, as a story is read. */
const historyPart = (rows: readonly ActivityRow[], zone: string): Part => ({
  title: 'History',
  lines: rows.toReversed().map((row) => `${momentInWords(row.at, zone)}: ${deedOf(row)}.`),
})

const margin = 56
const sizes = { title: 16, head: 12, text: 10 } as const

const pagesOf = (title: string, parts: readonly Part[]): PdfPage[] => {
  const pages: PdfText[][] = [[]]
  let y: number = margin
  const write = (text: string, size: number, bold = false): void => {
    for (const line of linesOf(text, size, pdfPaper.width - 2 * margin)) {
      if (y > pdfPaper.height - margin) {
        pages.push([])
        y = margin
      }
      pages.at(-1)?.push({ x: margin, y, size, bold, text: line })
      y += size * 1.4
    }
  }
  write(title, sizes.title, true)
  for (const part of parts) {
    y += sizes.head
    write(part.title, sizes.head, true)
    for (const line of part.lines.length === 0 ? ['None.'] : part.lines) write(line, sizes.text)
  }
  return pages.map((texts) => ({ texts, boxes: [] }))
}
