import type { Work } from '../../../context.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type OccurrenceRow, chargesOf, promoCodes, ticketSettings } from '../../../tickets/event-reads.ts'
import { leastCoin } from '../../../core/money/currency.ts'
import { type Price, priceOf } from '../../../core/money/price.ts'
import { currencyOfVenue } from '../../../core/money/venue-currency.ts'
import { discountOf, promoCodeKey, promoMistake } from '../../../tickets/promo-rules.ts'
import type { BoxOfficeMethod } from '../../../tickets/sell-tickets.ts'

export type Quoted = { readonly seats: number; readonly method: BoxOfficeMethod; readonly promoCode: string }

/** What a sale would cost now, by the rules of the sale. Nothing is reserved: the sale itself checks again. */
export const quoteOf = async (
  { db, venue, now }: Work,
  occurrence: OccurrenceRow,
  { seats, method, promoCode }: Quoted,
): Promise<Price> => {
  const key = promoCodeKey(promoCode)
  const [codes, settings] = await Promise.all([
    key === '' ? [] : promoCodes(db, venue.id),
    ticketSettings(db, venue.id),
  ])
  const code = codes.find((one) => one.code === key)
  if (key !== '' && !code) throw new Refusal(409, 'That code does not exist.')
  const mistake =
    code &&
    promoMistake(code, {
      eventId: occurrence.event_id,
      today: wallTimeOf(now(), venue.timezone).date,
      uses: code.uses,
    })
  if (mistake) throw new Refusal(409, mistake)
  const currency = await currencyOfVenue(db, venue.id)
  return priceOf({
    seats,
    priceCents: occurrence.price_cents,
    method,
    channel: 'box_office',
    discount: code ? discountOf(code) : null,
    charges: chargesOf(settings),
    coin: leastCoin(currency ?? 'USD'),
  })
}
