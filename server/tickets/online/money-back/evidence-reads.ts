import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, sql } from '../../../platform/db/sql.ts'

/* What was agreed on and what became of it, for a bank that asks. */

const paidRow = {
  amount_cents: 'int4',
  currency: 'text',
  via: 'text',
  sentence: 'text?',
  is_own: 'bool',
  asked_at: 'timestamptz',
  settled_at: 'timestamptz',
} as const

/** The payments of an order or a guarantee, each with the page on which it was agreed to. */
export const paidBy = (
  db: Queries,
  venue: VenueId,
  { order = null, guarantee = null }: { readonly order?: number | null; readonly guarantee?: number | null },
): Promise<RowOf<typeof paidRow>[]> =>
  db.many(sql(paidRow)`
    select p.amount_cents, p.currency, p.via, c.sentence, p.checkout_id is not null as is_own, coalesce(c.made_at, p.made_at) as asked_at, p.settled_at
      from payment p left join checkout c on c.venue_id = p.venue_id and c.id = p.checkout_id
     where p.venue_id = ${venue} and p.state = 'succeeded'
       and (p.order_id = ${order}::bigint or p.guarantee_id = ${guarantee}::bigint) order by p.id`)

const backRow = {
  amount_cents: 'int4',
  currency: 'text',
  state: 'text',
  via: 'text',
  at: 'timestamptz',
} as const

/** What went back of an order or a guarantee, or is on its way; not what a bank takes by the dispute itself. */
export const refundsOf = (
  db: Queries,
  venue: VenueId,
  { order = null, guarantee = null }: { readonly order?: number | null; readonly guarantee?: number | null },
): Promise<RowOf<typeof backRow>[]> =>
  db.many(sql(backRow)`
    select r.amount_cents + r.beyond_cents as amount_cents, coalesce(p.currency, t.currency, 'USD') as currency, r.state, r.via,
        coalesce(r.settled_at, r.made_at) as at
      from refund r
      left join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
      left join ticket_order t on t.venue_id = r.venue_id and t.id = r.order_id
     where r.venue_id = ${venue} and r.state in ('pending', 'succeeded') and r.origin <> 'dispute'
       and (r.order_id = ${order}::bigint or r.guarantee_id = ${guarantee}::bigint) order by r.id`)

const pageRow = { sentence: 'text', made_at: 'timestamptz' } as const

/** The pages on which a guest agreed to something for a booking, and when they pressed; the first one first. */
export const agreedPages = (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<RowOf<typeof pageRow>[]> =>
  db.many(sql(pageRow)`
    select sentence, made_at from checkout
     where venue_id = ${venue} and reservation_id = ${reservation} and state = 'completed' and kind <> 'fee'
       and sentence is not null order by id`)
