import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, part, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/** What refunds are of: exactly one of the two. */
type PaidFor = { readonly order: number } | { readonly guarantee: number }

/**
 * Counts what went back of what was paid for an order or a booking, with that locked: of each refund, in the order in which they
 * were recorded, as much comes off as is left by then; the rest moved beyond it. It is counted again whenever one arrives or
 * comes back, as a bank may take by a dispute what went back before, of this payment or of another. Returns what came off.
 */
export const countBack = async (
  db: Queries,
  venue: VenueId,
  of: PaidFor,
  paidCents: number,
): Promise<number> => {
  const owned = 'order' in of ? part`f.order_id = ${of.order}` : part`f.guarantee_id = ${of.guarantee}`
  const changed = await db.many(sql({ processor_ref: 'text?', beyond_cents: 'int4' })`
    update refund r set amount_cents = s.taken, beyond_cents = s.cents - s.taken
      from (
        select f.id, f.amount_cents + f.beyond_cents as cents,
               greatest(0, least(f.amount_cents + f.beyond_cents, ${paidCents}::integer - (
                 select coalesce(sum(f.amount_cents), 0) from refund f
                  where f.venue_id = ${venue} and ${owned} and (f.state = 'pending' or f.state = 'succeeded' and f.via <> 'processor'))
                 - (sum(f.amount_cents + f.beyond_cents) over (order by f.id) - f.amount_cents - f.beyond_cents)))::integer as taken
          from refund f
         where f.venue_id = ${venue} and ${owned} and f.state = 'succeeded' and f.via = 'processor') s
     where r.venue_id = ${venue} and r.id = s.id and r.amount_cents <> s.taken
    returning r.processor_ref, r.beyond_cents`)
  for (const { processor_ref: subject, beyond_cents: cents } of changed)
    if (subject !== null) await moveAbove(db, venue, { subject, cents, owned })
  const { back } = await db.one(sql({ back: 'int4' })`
    select coalesce(sum(f.amount_cents), 0)::integer as back from refund f
     where f.venue_id = ${venue} and ${owned} and f.state = 'succeeded'`)
  return back
}

/** What somebody is to look at is what is beyond by now; nobody has to, once that is nothing. */
const moveAbove = (
  db: Queries,
  venue: VenueId,
  { subject, cents, owned }: { readonly subject: string; readonly cents: number; readonly owned: Fragment },
): Promise<number> =>
  db.run(sql()`
    update money_matter set
      amount_cents = case when ${cents} = 0 then amount_cents else ${cents} end,
      done_at = case when ${cents} = 0 then coalesce(done_at, (
        select max(f.settled_at) from refund f where f.venue_id = ${venue} and ${owned})) else done_at end
     where venue_id = ${venue} and kind = 'refund-above' and subject = ${subject}`)
