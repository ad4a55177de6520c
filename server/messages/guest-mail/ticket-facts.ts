import { type QrCode, codeInGroups, qrOf, quietZone } from '../../tickets/admission/qr.ts'
import type { TicketRow } from '../../tickets/admission/ticket-reads.ts'
import type { SoldOrderRow } from '../../tickets/order-reads.ts'
import type { GuestSettings } from '../../core/venue/guest-settings-rules.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { type GuestFormats, moneyIn } from '../guest-words/formats.ts'
import type { Words } from '../guest-words/en.ts'
import { replyAddressOf } from './booking-facts.ts'
import type { CalendarEntry } from './calendar-file.ts'
import { type PdfBox, type PdfPage, type PdfText, linesOf, pdfFile, pdfPaper } from './pdf-file.ts'
import type { Speaking } from './writing.ts'

/* What the page, the mail and the paper of an order's tickets say alike. */

/** "Wine dinner, Late seating" */
export const eventOf = ({ event_name: name, occurrence_title: title }: SoldOrderRow): string =>
  [name, title].filter((one) => one !== null).join(', ')

/** "Saturday, October 10, 2026, 7:30 PM (New York time)"; some dates have no time. */
export const whenOfOrder = (
  { event_date: date, event_start_time: time }: SoldOrderRow,
  { fullDate, time: clock, zone }: GuestFormats,
): string => (time === null ? fullDate(date) : `${fullDate(date)}, ${clock(time.slice(0, 5))} (${zone})`)

export const buyerName = ({ buyer_first_name: first, buyer_last_name: last }: SoldOrderRow): string | null =>
  [first, last].filter((one) => one !== null).join(' ') || null

type Priced = {
  readonly seats: number
  readonly subtotalCents: number
  readonly discountCents: number
  readonly feeCents: number
  readonly taxCents: number
  readonly currency: string
}

/** What a sum is made of, line by line: "2 tickets", $90.00; "Tax", $7.99. */
export const priceLines = (
  { words: { sale }, formats }: Pick<Speaking, 'words' | 'formats'>,
  { seats, subtotalCents, discountCents, feeCents, taxCents, currency }: Priced,
): readonly (readonly [label: string, amount: string])[] => {
  const lines = [
    [sale.discount, -discountCents],
    [sale.fee, feeCents],
    [sale.tax, taxCents],
  ] as const
  const count = seats === 1 ? sale.one : sale.more(formats.number(seats))
  const more = lines.filter(([, cents]) => cents !== 0)
  return [[count, subtotalCents] as const, ...more].map(([label, cents]) => [
    label,
    moneyIn(formats, cents, currency),
  ])
}

/** What was paid for an order, and what of it went back; nothing of one that cost nothing or is not paid. */
export const receiptLines = (
  order: SoldOrderRow,
  speaking: Pick<Speaking, 'words' | 'formats'>,
): readonly (readonly [label: string, amount: string])[] => {
  const { total_cents: total, lost_cents: lost, taken_cents: taken, currency, seats, paid_at } = order
  const refunded = order.refunded_cents - lost
  if (total === 0 || paid_at === null || currency === null) return []
  const { words, formats } = speaking
  return [
    ...priceLines(speaking, {
      ...{ seats, currency, subtotalCents: order.subtotal_cents, discountCents: order.discount_cents },
      ...{ feeCents: order.fee_cents, taxCents: order.tax_cents },
    }),
    [words.sale.total, moneyIn(formats, total, currency)],
    ...(refunded === 0 ? [] : [[words.tickets.refunded, moneyIn(formats, refunded, currency)] as const]),
    ...(taken === 0 ? [] : [[words.tickets.lost, moneyIn(formats, taken, currency)] as const]),
  ]
}

/** Why somebody who paid has no tickets. */
export const whyRefused = ({ sale }: Words, why: string | null): string => {
  if (why === 'promo-code-invalid') return sale.used
  return why === 'over' ? sale.over : sale.full
}

/** How long a date stays in a calendar: nobody says when an event ends. */
const minutesInCalendar = 120

/** An order's date as an entry in the buyer's calendar; none where the date has no time. */
export const entryOfOrder = (
  order: SoldOrderRow,
  venue: VenueRow,
  {
    words,
    url,
    host,
    settings,
    now,
  }: {
    readonly words: Words
    readonly url: string
    readonly host: string
    readonly settings: Pick<GuestSettings, 'staffMail'>
    readonly now: Temporal.Instant
  },
): CalendarEntry | undefined => {
  if (order.event_start_time === null) return undefined
  const email = replyAddressOf(settings, venue)
  return {
    uid: `tickets-${venue.id}-${order.id}@${host}`,
    sequence: order.revision,
    madeAt: now,
    startsAt: momentWallReaches(
      { date: order.event_date, time: order.event_start_time.slice(0, 5) },
      venue.timezone,
    ),
    minutes: minutesInCalendar,
    timezone: venue.timezone,
    title: `${eventOf(order)} · ${venue.name}`,
    place: (venue.postal_address ?? '').replaceAll(/\r?\n/g, ', '),
    notes: `${words.tickets.number}: ${order.order_number}`,
    url,
    organizer: email === null ? null : { name: venue.name, email },
    state: 'CONFIRMED',
  }
}

const margin = 48
const side = 160
const high = 236
const onAPage = 3

/** The valid tickets of an order, three on a page. */
export const ticketsOnPaper = (
  order: SoldOrderRow,
  tickets: readonly TicketRow[],
  venue: VenueRow,
  { language, words, formats }: Speaking,
): Buffer => {
  const event = eventOf(order)
  const valid = tickets.filter(({ void_at }) => void_at === null)
  const pages: PdfPage[] = []
  for (let first = 0; first < valid.length; first += onAPage) {
    const shown = valid.slice(first, first + onAPage)
    const parts = shown.map(({ number, code }, place) => {
      const top = margin + place * (high + 16)
      const says: readonly (readonly [string, number, boolean?])[] = [
        [event, 17, true],
        [whenOfOrder(order, formats), 11],
        [
          [venue.name, (venue.postal_address ?? '').replaceAll(/\r?\n/g, ', ')].filter(Boolean).join(', '),
          11,
        ],
        [words.tickets.ticket(formats.number(number), formats.number(order.seats)), 13, true],
        [`${words.tickets.number}: ${order.order_number}`, 11],
        [buyerName(order) ?? '', 11],
        [codeInGroups(code), 10],
      ]
      const texts: PdfText[] = []
      let y = top + 20
      for (const [text, size, bold = false] of says) {
        const x = margin + side + 28
        for (const line of linesOf(text, size, pdfPaper.width - margin - x).slice(0, 3)) {
          texts.push({ x, y, size, bold, text: line })
          y += size * 1.3
        }
        y += 6
      }
      return { texts, boxes: [...barsOf(qrOf(code), top), cutAt(top + high)] }
    })
    pages.push({ texts: parts.flatMap((one) => one.texts), boxes: parts.flatMap((one) => one.boxes) })
  }
  return pdfFile(pages, { title: `${words.tickets.title} · ${event}`, language })
}

const barsOf = ({ size, bars }: QrCode, top: number): PdfBox[] => {
  const module = side / (size + 2 * quietZone)
  return bars.map(({ x, y, length }) => ({
    x: margin + (x + quietZone) * module,
    y: top + (y + quietZone) * module,
    // A little over the edge, or some readers show a light line between two bars.
    ...{ width: length * module, height: module + 0.25 },
  }))
}

const cutAt = (y: number): PdfBox => ({ x: margin, y, width: pdfPaper.width - 2 * margin, height: 0.4 })
