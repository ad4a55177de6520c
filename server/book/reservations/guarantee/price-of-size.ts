import { leastCoin } from '../../../core/money/currency.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { priceOfParty } from '../../rules/guarantee-asked.ts'
import type { GuaranteeRow } from './guarantee-store.ts'

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
