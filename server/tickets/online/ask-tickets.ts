import { randomUUID } from 'node:crypto'
import { openAccount } from '../../core/money/account-store.ts'
import { type BegunByKey, insertCheckout } from '../../core/money/checkout-store.ts'
import { leastCharge, leastCoin } from '../../core/money/currency.ts'
import { hasTooMany } from '../../core/money/live-checkouts.ts'
import { currencyIn } from '../../core/money/venue-currency.ts'
import type { Work } from '../../context.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import {
  type OccurrenceRow,
  type PromoCodeRow,
  chargesOf,
  eventById,
  occurrenceForUpdate,
  promoCodeByText,
  promoCodeForUpdate,
  seatsTaken,
  ticketSettings,
  usesOfPromoCode,
} from '../event-reads.ts'
import type { NewsAsked } from '../../book/reservations/guarantee/ask-table.ts'
import { isOnSale } from '../on-sale.ts'
import type { Buyer } from '../order-writes.ts'
import { type Price, priceOf, seatsOfOrderMost } from '../../core/money/price.ts'
import { discountOf, promoCodeKey, promoMistake } from '../promo-rules.ts'
import { buyerOf, sellTickets } from '../sell-tickets.ts'

/*
 * Tickets for guests on the venue's own pages: what an order would cost, and the press that asks for it. What costs
 * nothing is sold at once; anything else is a checkout, whose seats are nobody else's while it can be paid.
 */

export type TicketsWanted = {
  readonly occurrenceId: number
  readonly seats: number
  /** As typed; '' for no code. */
  readonly promoCode: string
}

export type WhyNot =
  | { readonly why: 'gone' | 'closed' | 'code' | 'off' | 'soon' | 'many' | 'free' }
  /** No number, or more than one order may have. */
  | { readonly why: 'seats'; readonly most: number }
  | { readonly why: 'full'; readonly left: number }
  | { readonly why: 'small'; readonly leastCents: number; readonly currency: string }
  | { readonly why: 'price'; readonly totalCents: number; readonly currency: string }

export type Quote = {
  readonly occurrence: OccurrenceRow
  readonly code: PromoCodeRow | null
  readonly price: Price
  readonly currency: string
}

/** What these tickets would cost now, or why they cannot be had. Nothing is locked. */
export const quoteTickets = async (
  work: Work,
  country: string,
  occurrence: OccurrenceRow,
  wanted: TicketsWanted,
): Promise<Quote | WhyNot> => {
  const key = promoCodeKey(wanted.promoCode)
  const code =
    key === '' || key.includes('\0') ? undefined : await promoCodeByText(work.db, work.venue.id, key)
  return judge(work, country, occurrence, wanted, code)
}

/** What the form of a checkout of tickets holds. */
export type TicketsForm = Buyer & { readonly news?: NewsChoice | undefined }

/** What they agreed to as they asked for the venue's news; null: they did not. Absent: nobody asked them. */
export type NewsChoice = NewsAsked | null

/** As their order says it. */
export const wantsNews = (news: NewsChoice | undefined): boolean | null =>
  news === undefined ? null : news !== null

export type Asked =
  | { readonly kind: 'sold'; readonly order: number }
  | { readonly kind: 'checkout'; readonly checkout: number }
  | { readonly kind: 'refused'; readonly not: WhyNot }

/** The press: sells what is free, or makes a checkout. Locks the date, then the code, before seats and uses are summed; then the account, before the buyer's other checkouts are. */
export const askTickets = async (
  work: Work,
  country: string,
  {
    buyer: typed,
    shownTotalCents,
    language,
    title,
    by,
    news,
    ...wanted
  }: TicketsWanted & {
    readonly buyer: Buyer
    /** Absent: the page that takes the payment shows it first. */
    readonly shownTotalCents?: number
    readonly language: string
    /** What the processor's page calls it. */
    readonly title: string
    readonly news?: NewsChoice | undefined
    /** Software begins it: what costs nothing is ordered without a checkout. */
    readonly by?: BegunByKey
  },
): Promise<Asked> => {
  const { db, venue } = work
  const buyer = buyerOf(typed)
  const occurrence = await occurrenceForUpdate(db, venue.id, wanted.occurrenceId)
  if (!occurrence) return { kind: 'refused', not: { why: 'gone' } }
  const key = promoCodeKey(wanted.promoCode)
  const code = key === '' || key.includes('\0') ? undefined : await promoCodeForUpdate(db, venue.id, key)
  const quote = await judge(work, country, occurrence, wanted, code)
  if ('why' in quote) return { kind: 'refused', not: quote }
  const { price, currency } = quote
  if (shownTotalCents !== undefined && price.totalCents !== shownTotalCents)
    return { kind: 'refused', not: { why: 'price', totalCents: price.totalCents, currency } }
  if (price.totalCents === 0) {
    if (by) return { kind: 'refused', not: { why: 'free' } }
    const { order } = await sellTickets(
      work,
      { kind: 'guest' },
      {
        occurrenceId: occurrence.id,
        seats: wanted.seats,
        method: 'free',
        promoCode: wanted.promoCode,
        buyer,
        marketingOptIn: wantsNews(news),
        channel: 'public',
        language,
      },
    )
    return { kind: 'sold', order: order.id }
  }
  const account = await openAccount(db, venue.id)
  if (!account) return { kind: 'refused', not: { why: 'off' } }
  const now = work.now()
  const buyerEmailKey = buyer.email === null ? null : emailKey(buyer.email)
  const counted = { account: account.id, buyerEmailKey, key: by?.key }
  if (await hasTooMany(db, venue.id, counted, now)) return { kind: 'refused', not: { why: 'many' } }
  const checkout = await insertCheckout(
    db,
    venue.id,
    {
      ref: randomUUID(),
      account: account.id,
      of: {
        kind: 'tickets',
        occurrenceId: occurrence.id,
        seats: wanted.seats,
        promoCodeId: quote.code?.id ?? null,
      },
      sentence: null,
      form: { ...buyer, ...(news !== undefined && { news }) } satisfies TicketsForm,
      buyerEmailKey,
      language,
      title,
      price,
      currency,
      by,
    },
    now,
  )
  return { kind: 'checkout', checkout }
}

const judge = async (
  work: Work,
  country: string,
  occurrence: OccurrenceRow,
  { seats, promoCode }: TicketsWanted,
  code: PromoCodeRow | undefined,
): Promise<Quote | WhyNot> => {
  const { db, venue } = work
  const wall = wallTimeOf(work.now(), venue.timezone)
  if (!isOnSale(occurrence, work.now(), venue.timezone)) return { why: 'closed' }
  const most = (await eventById(db, venue.id, occurrence.event_id))?.order_most ?? seatsOfOrderMost
  if (!Number.isInteger(seats) || seats < 1 || seats > most) return { why: 'seats', most }
  const left = Math.max(occurrence.capacity - (await seatsTaken(db, venue.id, occurrence.id, work.now())), 0)
  if (seats > left) return { why: 'full', left }
  if (promoCodeKey(promoCode) !== '') {
    const uses = code ? await usesOfPromoCode(db, venue.id, code.id, work.now()) : 0
    if (!code || promoMistake(code, { eventId: occurrence.event_id, today: wall.date, uses }))
      return { why: 'code' }
  }
  const currency = await currencyIn(db, venue.id, country)
  const price = priceOf({
    seats,
    priceCents: occurrence.price_cents,
    method: 'processor_link',
    channel: 'public',
    discount: code ? discountOf(code) : null,
    charges: chargesOf(await ticketSettings(db, venue.id)),
    coin: leastCoin(currency ?? 'USD'),
  })
  if (price.totalCents > 0) {
    if (currency === undefined || price.totalCents % leastCoin(currency) !== 0) return { why: 'off' }
    const leastCents = leastCharge(currency)
    if (price.totalCents < leastCents) return { why: 'small', leastCents, currency }
  }
  return { occurrence, code: code ?? null, price, currency: currency ?? 'USD' }
}
