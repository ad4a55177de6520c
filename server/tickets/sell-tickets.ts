import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { PaymentMethod, TicketChannel, TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import type { Actor } from '../core/activity/actor.ts'
import { leastCoin } from '../core/money/currency.ts'
import { currencyOfVenue } from '../core/money/venue-currency.ts'
import { recordActivity } from '../core/activity/record.ts'
import type { Work } from '../context.ts'
import { recordEvent } from '../core/events/record.ts'
import { emailKey } from '../platform/kernel/email.ts'
import { moneyOf } from '../platform/kernel/money.ts'
import { dayAndYearInWords, momentInWords } from '../platform/kernel/time/in-words.ts'
import { Refusal, badRequest, notFound, refuse } from '../platform/kernel/refusal.ts'
import { typedEmail, typedLine, typedPhone, wholeNumber } from '../platform/kernel/typed-fields.ts'
import { wallTimeOf } from '../platform/kernel/time/venue-clock.ts'
import {
  type OccurrenceRow,
  type PromoCodeRow,
  chargesOf,
  occurrenceForUpdate,
  promoCodeForUpdate,
  seatsTaken,
  ticketSettings,
  usesOfPromoCode,
} from './event-reads.ts'
import { isOnSale, onlineWindow } from './on-sale.ts'
import { makeOrderNumber } from './order-number.ts'
import { type SoldOrderRow, orderOfReference, soldOrder } from './order-reads.ts'
import { type Buyer, type NewOrder, insertOrder } from './order-writes.ts'
import { mailTickets } from './admission/mail-tickets.ts'
import { isMadeByKey, presentTicketOrder } from './order.ts'
import { type Price, priceOf, seatsOfOrderMost } from '../core/money/price.ts'
import { discountOf, promoCodeKey, promoMistake } from './promo-rules.ts'
import { statusWhenSold } from './states.ts'

/** Payment methods at the box office; a processor's link is for the public pages. */
export type BoxOfficeMethod = Exclude<PaymentMethod, 'processor_link'>

export type Sale = {
  readonly occurrenceId: number
  readonly seats: number
  readonly method: BoxOfficeMethod
  /** For `external`: the money is already here, such as on the venue's own card machine. */
  readonly received?: boolean
  readonly promoCode?: string | null
  readonly buyer: Buyer
  readonly marketingOptIn?: boolean | null
  /** The total the buyer was shown. A different one is refused, so nobody pays what they did not see. */
  readonly shownTotalCents?: number | null
  /** The order's number in the software that makes it: sent twice, it sells once. */
  readonly reference?: string
  /** Online, the sale ends when the event begins. Left out, the box office. */
  readonly channel?: TicketChannel
  /** In which a buyer on the guest page reads. */
  readonly language?: string
}

export type Sold = {
  readonly order: TicketOrder
  readonly version: number
  /** The reference had been sent before; this is the order it made. */
  readonly repeated: boolean
}

/**
 * Sells seats, at the box office or online. Paid at once for cash, complimentary or free; otherwise paid_unconfirmed until the
 * money arrives. An order that leaves nothing to pay is `free` no matter what was chosen. A paid order also emits
 * `ticket_order.paid`.
 *
 * Never more seats than there are: the date is locked in a separate statement, and the seats taken are summed after
 * it. Refuses with 409 what is sold out, a code that does not apply, a total that has changed.
 */
export const sellTickets = async (work: Work, actor: Actor, sale: Sale): Promise<Sold> => {
  const { db, venue } = work
  const seats = wholeNumber('The number of seats', sale.seats, 1, seatsOfOrderMost)
  const buyer = buyerOf(sale.buyer)
  const occurrence = await occurrenceForUpdate(db, venue.id, sale.occurrenceId)
  if (!occurrence) throw notFound('date')
  const before = await soldBefore(work, sale)
  if (before) return soldAs(before, true)

  const { channel = 'box_office' } = sale
  if (channel === 'public' && !isOnSale(occurrence, work.now(), venue.timezone))
    throw saleClosed(occurrence, work.now(), venue.timezone)
  const left = Math.max(occurrence.capacity - (await seatsTaken(db, venue.id, occurrence.id, work.now())), 0)
  if (seats > left) throw refuse('seats-full', notEnough(left))
  const code = await codeFor(work, sale, occurrence)
  const currency = (await currencyOfVenue(db, venue.id)) ?? null
  const price = priceOf({
    seats,
    priceCents: occurrence.price_cents,
    method: sale.method,
    channel,
    discount: code ? discountOf(code) : null,
    charges: chargesOf(await ticketSettings(db, venue.id)),
    coin: leastCoin(currency ?? 'USD'),
  })
  const method = methodFor(sale, price, currency ?? 'USD')
  const now = work.now()
  const made = await insertNumbered(
    work,
    {
      occurrenceId: occurrence.id,
      status: method === 'external' && sale.received ? 'paid' : statusWhenSold[method],
      channel,
      method,
      buyer,
      seats,
      price,
      promoCode: code ?? null,
      marketingOptIn: sale.marketingOptIn ?? null,
      reference: sale.reference ?? null,
      currency,
      ...(sale.language !== undefined && { language: sale.language }),
    },
    now,
  )
  const sold = soldAs(made.row, made.repeated)
  if (sold.repeated) return sold
  if (sold.order.status === 'paid')
    await recordEvent(work, ['ticket_order.paid', 'ticket_order.created'], sold.order, now)
  else await recordEvent(work, 'ticket_order.created', sold.order, now)
  await recordActivity(
    work,
    actor,
    { action: 'sell', record: { kind: 'ticket_order', id: made.row.id }, before: null, after: made.row },
    now,
  )
  if (!isMadeByKey(made.row)) await mailTickets(work, made.row, now)
  return sold
}

/**
 * The order that the reference made earlier, if it was sent before. One sent with another date, other seats or another
 * buyer is refused: it must never show one buyer the order of another.
 */
export const soldBefore = async (
  { db, venue }: Work,
  { reference, ...asked }: Asked,
): Promise<SoldOrderRow | undefined> => {
  if (!reference) return undefined
  const found = await orderOfReference(db, venue.id, reference)
  if (found && !isSameOrder(found, asked)) throw otherOrder()
  return found
}

type Asked = Pick<Sale, 'occurrenceId' | 'seats' | 'buyer'> & {
  readonly reference?: string | null
}

const isSameOrder = (
  row: SoldOrderRow,
  { occurrenceId, seats, buyer }: Pick<Sale, 'occurrenceId' | 'seats' | 'buyer'>,
): boolean => {
  const { firstName, lastName, email, phone } = buyerOf(buyer)
  return (
    row.occurrence_id === occurrenceId &&
    row.seats === seats &&
    row.buyer_first_name === firstName &&
    row.buyer_last_name === lastName &&
    emailKey(row.buyer_email ?? '') === emailKey(email ?? '') &&
    row.buyer_phone === phone
  )
}

const otherOrder = (): Refusal =>
  refuse('different-body', endpoints.createTicketOrder.sentences['different-body'])

export const soldAs = (row: SoldOrderRow, repeated: boolean): Sold => ({
  order: presentTicketOrder(row),
  version: row.version,
  repeated,
})

/** What a buyer typed, ready to store; refuses what an order cannot hold. */
export const buyerOf = ({ firstName, lastName, email, phone }: Buyer): Buyer => ({
  firstName: typedLine('The first name', firstName, limits.nameCharacters),
  lastName: typedLine('The last name', lastName, limits.nameCharacters),
  email: typedEmail('The email', email),
  phone: typedPhone('The phone', phone),
})

/** Not yet, or no longer. */
export const saleClosed = (occurrence: OccurrenceRow, now: Temporal.Instant, zone: string): Refusal => {
  const { from } = onlineWindow(occurrence, zone)
  const date = `Tickets for ${dayAndYearInWords(occurrence.date)}`
  return refuse(
    'sale-closed',
    from !== null && Temporal.Instant.compare(now, from) < 0
      ? `${date} are sold online from ${momentInWords(from, zone)} on.`
      : `${date} are sold at the door only by now.`,
  )
}

const notEnough = (left: number): string => {
  if (left === 0) return 'This date is sold out.'
  return left === 1 ? 'There is only 1 seat left.' : `There are only ${left} seats left.`
}

/** The code of a sale, locked; refuses one that does not apply. */
const codeFor = async (
  { db, venue, now }: Work,
  { promoCode, method }: Sale,
  { event_id: eventId }: OccurrenceRow,
): Promise<PromoCodeRow | undefined> => {
  const key = promoCodeKey(promoCode ?? '')
  if (key === '') return undefined
  if (method === 'comp') throw badRequest('A complimentary order cannot use a code.')
  const row = key.includes('\0') ? undefined : await promoCodeForUpdate(db, venue.id, key)
  if (!row) throw refuse('promo-code-invalid', 'That code does not exist.')
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const uses = await usesOfPromoCode(db, venue.id, row.id, now())
  const mistake = promoMistake(row, { eventId, today, uses })
  if (mistake) throw refuse('promo-code-invalid', mistake)
  return row
}

const methodFor = (
  { method, shownTotalCents }: Sale,
  { totalCents }: Price,
  currency: string,
): BoxOfficeMethod => {
  const total = moneyOf(totalCents, currency)
  if (typeof shownTotalCents === 'number' && shownTotalCents !== totalCents) {
    throw new Refusal(409, `The price has changed: this order is now ${total}.`)
  }
  if (method === 'comp') return method
  if (totalCents === 0) return 'free'
  if (method === 'free') throw badRequest(`This order costs ${total}; choose a payment method.`)
  return method
}

/** Numbers are random; ten that are all taken do not happen. */
const mostDraws = 10

/** Inserts an order under a number that is free; one whose reference has sold before is that order. */
export const insertNumbered = async (
  work: Work,
  order: Omit<NewOrder, 'orderNumber'>,
  now: Temporal.Instant,
): Promise<{ row: SoldOrderRow; repeated: boolean }> => {
  const { db, venue } = work
  for (let draw = 0; draw < mostDraws; draw++) {
    const id = await insertOrder(db, venue.id, { ...order, orderNumber: makeOrderNumber(venue.slug) }, now)
    const row = id === undefined ? undefined : await soldOrder(db, venue.id, id)
    if (row) return { row, repeated: false }
    // The same reference, sent for another date at this very moment, has already sold.
    const before = await soldBefore(work, order)
    if (before) return { row: before, repeated: true }
  }
  throw new Error('no free order number was drawn')
}
