import type { Actor } from '../core/activity/actor.ts'
import { recordActivity } from '../core/activity/record.ts'
import { currenciesOffered } from '../core/money/currency.ts'
import { venueCurrency } from '../core/money/venue-currency.ts'
import type { Work } from '../context.ts'
import { bookingRulesAround } from '../book/rules/rules-store.ts'
import { venueForUpdate } from '../core/venue/venues.ts'
import type { Queries } from '../platform/db/pool.ts'
import { sql } from '../platform/db/sql.ts'
import { Refusal, badRequest } from '../platform/kernel/refusal.ts'
import { wallTimeOf } from '../platform/kernel/time/venue-clock.ts'
import type { VenueId } from '../core/venue/venue.ts'

/*
 * The one currency of a venue. An owner may choose it while nothing has a price: from then on every amount that is written
 * down is of it, and another name for it would change what people owe.
 */

/** Chooses it; refuses one that is not offered, and any other once something has a price. */
export const chooseCurrency = async (work: Work, actor: Actor, currency: string): Promise<void> => {
  const { db, venue } = work
  if (!currenciesOffered.includes(currency)) throw badRequest('Choose one of the currencies listed.')
  const row = await venueForUpdate(db, venue.id)
  const before = venueCurrency(row) ?? null
  if (before === currency) return
  if (await hasPrices(work)) throw new Refusal(409, fixedSentence)
  await writeCurrency(db, venue.id, currency)
  await recordActivity(
    work,
    actor,
    {
      action: 'change the venue',
      record: { kind: 'venue', id: venue.id },
      before: { currency: before },
      after: { currency },
    },
    work.now(),
  )
}

const fixedSentence =
  'The currency stays as it is: there are orders, deposits or prices in it. Take the prices away first; an order keeps it for good.'

/** Whether an amount is written down anywhere: an order, a guarantee, or a price above 0. */
export const hasPrices = async ({ db, venue, now }: Work): Promise<boolean> => {
  const { prices } = await db.one(sql({ prices: 'bool' })`
    select exists (select from ticket_order where venue_id = ${venue.id})
        or exists (select from guarantee where venue_id = ${venue.id})
        or exists (select from occurrence where venue_id = ${venue.id} and price_cents > 0)
        or exists (select from ticket_settings where venue_id = ${venue.id} and fee_per_seat_cents > 0)
        or exists (select from promo_code where venue_id = ${venue.id} and amount_cents > 0) as prices`)
  if (prices) return true
  const rules = await bookingRulesAround(db, venue, wallTimeOf(now(), venue.timezone).date)
  return rules.guarantees.length > 0 || rules.experiences.some(({ asks }) => asks !== 'nothing')
}

const writeCurrency = (db: Queries, venue: VenueId, currency: string): Promise<number> =>
  db.run(sql()`update venue set currency = ${currency} where id = ${venue}`)
