import type { Work } from '../../../context.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { takesMore } from './asked/asking.ts'
import { type GuaranteeRow, supersedeRefunds } from './guarantee-store.ts'
import { stillHereOf } from './money-left.ts'
import { centsForGuests } from './payable.ts'

/* Money that was to go back for guests who would not come, and that is still here as its refund did not arrive. */

type Sizes = { readonly from: number | null; readonly to: number | null }

/**
 * A larger party is for the money again that was to go back and did not arrive: nobody pays what is still here. `rest`: what of
 * it is for more guests than that, and goes back once more.
 */
export const keepFailed = async (
  { db, venue }: Work,
  row: GuaranteeRow,
  sizes: Sizes,
): Promise<{ readonly row: GuaranteeRow; readonly failed: readonly number[]; readonly rest: number }> => {
  const nothing = { row, failed: [], rest: 0 }
  if (stillToPay(row, sizes) === 0) return nothing
  const refunds = await failedRefunds(db, venue.id, row.id)
  const sum = refunds.reduce((cents, { amount_cents: one }) => cents + one, 0)
  if (sum === 0) return nothing
  // A bank, or somebody by the dashboard, may have taken of it since.
  const failedCents = Math.min(sum, (await stillHereOf(db, venue.id, row.id)) - row.amount_cents)
  const again = keptAgain(row, sizes, failedCents)
  if (again === 0) return nothing
  await supersedeRefunds(db, venue.id, row.id)
  return {
    row: { ...row, amount_cents: row.amount_cents + again },
    failed: refunds.map(({ id }) => id),
    rest: failedCents - again,
  }
}

/** What of it that is. */
export const keptAgain = (row: GuaranteeRow, sizes: Sizes, failedCents: number): number =>
  Math.max(0, Math.min(failedCents, stillToPay(row, sizes)))

/** What a party that grows is for beyond what was paid. */
const stillToPay = (row: GuaranteeRow, { from, to }: Sizes): number => {
  if (row.kind === 'card' || !takesMore.has(row.status) || from === null || to === null || to <= from)
    return 0
  return Math.max(0, (centsForGuests(row, to) ?? 0) - row.amount_cents)
}

/** They did not arrive after all. */
export const restoreFailed = (
  db: Queries,
  venue: VenueId,
  guarantee: number,
  refunds: readonly number[],
): Promise<number> =>
  db.run(sql()`
    update refund set state = 'failed'
     where venue_id = ${venue} and guarantee_id = ${guarantee} and state = 'superseded' and id = any(${[...refunds]}::bigint[])`)

/** What was to go back and did not arrive, and nobody has done anything about yet. */
const failedRefunds = (
  db: Queries,
  venue: VenueId,
  guarantee: number,
): Promise<{ id: number; amount_cents: number }[]> =>
  db.many(sql({ id: 'int8', amount_cents: 'int4' })`
    select id, amount_cents from refund
     where venue_id = ${venue} and guarantee_id = ${guarantee} and state = 'failed' and payment_id is not null order by id`)
