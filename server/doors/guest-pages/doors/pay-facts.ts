import { bookedReservation } from '../../../book/day/book-row.ts'
import type { TableForm } from '../../../book/reservations/guarantee/ask-table.ts'
import type { CheckoutRow } from '../../../core/money/checkout-store.ts'
import { refundOfCheckout } from '../../../core/money/payment-store.ts'
import type { Work } from '../../../context.ts'
import { endedTitle, refusedTitle, refusedWhy } from '../../../messages/guest-mail/refused-facts.ts'
import { priceLines } from '../../../messages/guest-mail/ticket-facts.ts'
import { moneyIn } from '../../../messages/guest-words/formats.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { dateById } from '../../../tickets/date-reads.ts'
import type { Visit } from '../frame/visit.ts'
import { slip } from './booking-parts.ts'

/* What a payment is for: when, for how many, and what the sum is made of. Guests who come from another site read it here first. */

type Line = readonly [label: string, amount: string]

export const payFacts = async (work: Work, visit: Visit, row: CheckoutRow): Promise<Html> => {
  const lines =
    row.kind === 'tickets' ? await ofTickets(work, visit, row) : ofSum(visit, sumOf(row), guestsOf(row))
  return html`${row.kind !== 'tickets' && (await tableOf(work, visit, row))}${lines.length > 0 && linesPart(lines)}`
}

export const linesPart = (lines: readonly Line[]): Html =>
  html`<dl class="facts">${lines.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`

/** What the button below the form says. In a frame the next page has the one that pays, since it leaves the frame. */
export const payButton = ({ words, framed }: Visit, amount: string): string =>
  framed ? words.experience.goOn : words.sale.pay(amount)

type Sum = {
  readonly feeCents: number
  readonly taxCents: number
  readonly totalCents: number
  readonly currency: string
}

const sumOf = (row: CheckoutRow): Sum => ({
  feeCents: row.fee_cents,
  taxCents: row.tax_cents,
  totalCents: row.total_cents,
  currency: row.currency,
})

/** What a sum is made of, where a fee or a tax is in it; `guests`: whose price is in it, where it is that of a table. */
export const ofSum = (
  { words: { sale, secure }, formats }: Pick<Visit, 'words' | 'formats'>,
  { feeCents, taxCents, totalCents, currency }: Sum,
  guests: number | null,
): readonly Line[] => {
  if (feeCents + taxCents === 0) return []
  const money = (cents: number): string => moneyIn(formats, cents, currency)
  const price = totalCents - feeCents - taxCents
  const each = guests === null ? 0 : price / guests
  return [
    ...(each > 0 ? [[secure.perGuest(money(each)), price] as const] : []),
    [sale.fee, feeCents] as const,
    [sale.tax, taxCents] as const,
    [sale.total, totalCents] as const,
  ].flatMap(([label, cents]) => (cents > 0 ? [[label, money(cents)] as const] : []))
}

/** How many the price of a table is for; what is asked later is a difference. */
const guestsOf = ({ kind, form }: CheckoutRow): number | null =>
  kind === 'table' ? ((form as Partial<TableForm> | null)?.asked?.partySize ?? null) : null

const ofTickets = async ({ db, venue }: Work, visit: Visit, row: CheckoutRow): Promise<readonly Line[]> => {
  const { words, formats } = visit
  const date =
    row.occurrence_id === null ? undefined : await dateById(db, venue.id, row.occurrence_id, visit.now)
  const time = date?.start_time?.slice(0, 5)
  return [
    ...(time === undefined ? [] : [[words.book.time, formats.time(time)] as const]),
    ...priceLines(visit, {
      ...{ seats: row.seats ?? 0, subtotalCents: row.subtotal_cents, discountCents: row.discount_cents },
      ...sumOf(row),
    }),
    [words.sale.total, moneyIn(formats, row.total_cents, row.currency)],
  ]
}

/** The same three as from the first press to the mail. */
const tableOf = async (work: Work, visit: Visit, row: CheckoutRow): Promise<Html | undefined> => {
  const table = (row.form as Partial<TableForm> | null)?.asked ?? (await bookingOf(work, row))
  if (!table) return undefined
  const { words, formats } = visit
  return slip(words.book.slipDone, [
    { label: words.book.guests, value: formats.number(table.partySize) },
    { label: words.book.date, value: formats.shortDay(table.date) },
    { label: words.book.time, value: formats.time(table.time) },
  ])
}

type Table = { readonly partySize: number; readonly date: LocalDate; readonly time: string }

/** Of what is asked for a booking that is there. */
const bookingOf = async (
  { db, venue }: Work,
  { reservation_id: id }: CheckoutRow,
): Promise<Table | undefined> => {
  const booking = id === null ? undefined : await bookedReservation(db, venue.id, id)
  if (!booking || booking.party_size === null || booking.date === null || booking.time === null)
    return undefined
  return { partySize: booking.party_size, date: booking.date, time: booking.time.slice(0, 5) }
}

/** Who paid for what could not be given: why, and where their money is by now. */
export const refusedFacts = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { words, formats }: Visit,
  row: CheckoutRow,
): Promise<{ readonly title: string; readonly sentences: readonly string[] }> => {
  const title = refusedTitle(words, row)
  const sentences = refusedWhy(words, row)
  const state = row.mode === 'payment' ? await refundOfCheckout(db, venue.id, row.id) : undefined
  if (state !== 'succeeded' && state !== 'failed') return { title, sentences }
  const amount = moneyIn(formats, row.total_cents, row.currency)
  const isBack = state === 'succeeded'
  const now = (isBack ? words.secure.back : words.secure.stuck)(amount)
  return {
    title:
      title === words.sale.refusedTitle ? (isBack ? words.tickets.refunded : endedTitle(words, row)) : title,
    sentences: sentences.map((one) => (one === words.sale.back ? now : one)),
  }
}
