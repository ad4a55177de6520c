import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { isWhole, leastCharge, leastCoin } from '../../../core/money/currency.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { priceOfParty, termsOfExperience } from '../../rules/guarantee-asked.ts'
import type { GuaranteeRow } from './guarantee-store.ts'

/** Whether the processor takes such an amount. */
export const isPayable = (cents: number, currency: string): boolean =>
  cents >= leastCharge(currency) && isWhole(cents, currency)

/** Whether it can be paid for a guest more or fewer, too: half a coin a guest could not. */
export const isPayablePerGuest = (
  { amountCents, guests }: { readonly amountCents: number; readonly guests: number },
  currency: string,
): boolean => isWhole(amountCents, currency) && isPayable(amountCents * guests, currency)

/** The sentence for an amount that cannot be paid. */
export const whyUnpayable = (cents: number, currency: string): string =>
  cents < leastCharge(currency)
    ? `The least that a card can pay is ${moneyOf(leastCharge(currency), currency)}.`
    : `Enter whole amounts: nobody can pay a part of one in ${currency}.`

/** Why the experiences of a venue with this currency cannot be saved: one asks its smallest party for less than can be paid. */
export const unpayableExperience = (
  { experiences }: Pick<BookingRules, 'experiences'>,
  currency: string | undefined,
): string | undefined => {
  if (currency === undefined) return undefined
  const coin = leastCoin(currency)
  const found = experiences.find((one) => {
    const party = { partySize: one.partyFrom, startsAt: Temporal.Instant.fromEpochMilliseconds(0) }
    const terms = termsOfExperience(one, party, coin)
    const hasCoins = [one.amountCents ?? 0, one.feeCents].every((cents) => isWhole(cents, currency))
    return terms !== undefined && !(hasCoins && isPayable(terms.amountCents, currency))
  })
  return (
    found &&
    `“${found.name}” must ask for at least ${moneyOf(leastCharge(currency), currency)}${coin > 1 ? ', in whole units' : ''}: less cannot be paid by card.`
  )
}

/* What another size of a party costs. Of what is paid in advance that is a whole price: the tax of a guest more or fewer is not that of one alone. */

type Priced = Pick<
  GuaranteeRow,
  'per_guest_cents' | 'each_cents' | 'each_fee_cents' | 'tax_rate' | 'currency'
>

const priceBehind = (row: Priced, guests: number) =>
  row.each_cents === null
    ? undefined
    : priceOfParty(
        { priceCents: row.each_cents, feeCents: row.each_fee_cents ?? 0, taxRate: row.tax_rate ?? 0 },
        guests,
        leastCoin(row.currency),
      )

/** What is asked of so many guests; undefined: the sum is for the party, whatever its size. */
export const centsForGuests = (row: Priced, guests: number): number | undefined => {
  if (row.per_guest_cents === null) return undefined
  // One that was agreed on before prices were kept has about what each pays.
  return priceBehind(row, guests)?.totalCents ?? row.per_guest_cents * guests
}

/** Writes what of the price is a fee and what is tax, where what was agreed on now is the price of so many guests. */
export const writePriceParts = async (
  db: Queries,
  venue: VenueId,
  row: Priced & Pick<GuaranteeRow, 'id'>,
  guests: number | null,
): Promise<void> => {
  const price = guests === null ? undefined : priceBehind(row, guests)
  if (!price) return
  await db.run(sql()`
    update guarantee set fee_cents = ${price.feeCents}, tax_cents = ${price.taxCents}
     where venue_id = ${venue} and id = ${row.id} and amount_cents = ${price.totalCents}`)
}
