import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type VenueRow, venueOfId } from '../venue/venues.ts'
import { moneyOf } from '../../platform/kernel/money.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { currencyOf, isWhole, leastCharge } from './currency.ts'

/** The one currency of a venue: what an owner chose, else that of its country. Undefined: nothing is paid online there yet. */
export const venueCurrency = ({
  country,
  currency,
}: Pick<VenueRow, 'country' | 'currency'>): string | undefined => currency ?? currencyOf(country)

/** The same for who knows the venue's id alone. */
export const currencyOfVenue = async (db: Queries, venue: VenueId): Promise<string | undefined> => {
  const row = await venueOfId(db, venue)
  return row && venueCurrency(row)
}

/** The same for who knows its country. */
export const currencyIn = async (
  db: Queries,
  venue: VenueId,
  country: string,
): Promise<string | undefined> => {
  const row = await db.maybe(sql({ currency: 'text?' })`select currency from venue where id = ${venue}`)
  return row?.currency ?? currencyOf(country)
}

/** Refuses a part of a unit in a currency that has no coins for it. */
export const refusePart = (what: string, cents: number, currency: string | null | undefined): void => {
  if (currency == null || isWhole(cents, currency)) return
  throw badRequest(`${what} must be in whole units: ${currency} has no coins for a part of one.`)
}

/** The same for who has to look the currency up; asks only where there is a part of a unit. */
export const refusePartAt = async (
  { db, venue }: { readonly db: Queries; readonly venue: { readonly id: VenueId } },
  what: string,
  cents: number,
): Promise<void> => {
  if (cents % 100 !== 0) refusePart(what, cents, await currencyOfVenue(db, venue.id))
}

/** Refuses a price that no card could pay: a part of a unit without coins, or less than the processor charges. 0 is free. */
export const refusePrice = async (
  { db, venue }: { readonly db: Queries; readonly venue: { readonly id: VenueId } },
  cents: number,
): Promise<void> => {
  const currency = cents === 0 ? undefined : await currencyOfVenue(db, venue.id)
  if (currency === undefined) return
  refusePart('The price', cents, currency)
  const leastCents = leastCharge(currency)
  if (cents < leastCents)
    throw badRequest(
      `The price must be 0 or at least ${moneyOf(leastCents, currency)}: less cannot be paid by card.`,
    )
}

/** How much can still be refunded. */
export const mostRefundable = (leftCents: number, currency: string | null): string =>
  leftCents <= 0
    ? 'There is nothing left to refund.'
    : `At most ${moneyOf(leftCents, currency ?? 'USD')} can be refunded.`
