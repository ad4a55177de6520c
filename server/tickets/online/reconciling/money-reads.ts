import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, type RowOf, part, sql } from '../../../platform/db/sql.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { isTakenByRemoved } from '../../../core/money/former-accounts.ts'
import { isHeldByBank, waitsForBank } from '../../../core/money/matter-store.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/*
 * What came in and went back through the processor for dates and days of service, and what is on its way, by the rows that say
 * so. Money of test accounts is in no figure of a venue whose payments are live.
 */

/** Of a payment `p`: what went back at the processor, and what of that a bank took by a dispute, which nobody refunded. */
const backThere = (venue: VenueId): Fragment => part`left join lateral (
        select sum(b.amount_cents + b.beyond_cents) filter (where b.origin <> 'dispute') as cents,
            sum(b.amount_cents + b.beyond_cents) filter (where b.origin = 'dispute') as lost from refund b
         where b.venue_id = ${venue} and b.payment_id = p.id and b.state = 'succeeded' and b.via = 'processor') r on true`

const byDateRow = {
  id: 'int8',
  event_name: 'text',
  date: 'date',
  start_time: 'text?',
  title: 'text?',
  currency: 'text',
  cents_in: 'int8',
  cents_back: 'int8',
  cents_lost: 'int8',
  /** Refunded in cash or another way of what was paid online: it moved nothing at the processor, and is no part of the rest. */
  cents_otherwise: 'int8',
} as const
export type MovedForDate = RowOf<typeof byDateRow>

const mostDates = 50

/** What moved for each date from a day on, the nearest first. */
export const movedByDate = (
  db: Queries,
  venue: VenueId,
  { from, live }: { readonly from: LocalDate; readonly live: boolean },
): Promise<MovedForDate[]> =>
  db.many(sql(byDateRow)`
    select o.id, e.name as event_name, o.date, o.start_time::text as start_time, o.title, p.currency,
        sum(p.amount_cents)::bigint as cents_in, coalesce(sum(r.cents), 0)::bigint as cents_back,
        coalesce(sum(r.lost), 0)::bigint as cents_lost, coalesce(sum(h.cents), 0)::bigint as cents_otherwise
      from occurrence o
      join ticketed_event e on e.venue_id = o.venue_id and e.id = o.event_id
      join ticket_order t on t.venue_id = o.venue_id and t.occurrence_id = o.id
      join payment p on p.venue_id = t.venue_id and p.order_id = t.id and p.state = 'succeeded'
      join processor_account a on a.venue_id = p.venue_id and a.id = p.account_id and a.live = ${live}
      ${backThere(venue)}
      left join lateral (
        select sum(c.amount_cents) as cents from refund c
         where c.venue_id = ${venue} and c.order_id = t.id and c.via <> 'processor' and c.state = 'succeeded') h on true
     where o.venue_id = ${venue} and o.date >= ${from}
     group by o.id, e.name, o.date, o.start_time, o.title, p.currency
     order by o.date, o.start_time, o.id limit ${mostDates}`)

const byKindRow = {
  kind: 'text',
  currency: 'text',
  cents_in: 'int8',
  cents_back: 'int8',
  cents_lost: 'int8',
} as const
export type MovedForTables = RowOf<typeof byKindRow>

/** What moved at the processor for tables from a day of service on, by what the venue asks for. */
export const movedByKind = (
  db: Queries,
  venue: VenueId,
  { from, live }: { readonly from: LocalDate; readonly live: boolean },
): Promise<MovedForTables[]> =>
  db.many(sql(byKindRow)`
    select g.kind, p.currency, sum(p.amount_cents)::bigint as cents_in, coalesce(sum(r.cents), 0)::bigint as cents_back,
        coalesce(sum(r.lost), 0)::bigint as cents_lost
      from guarantee g
      join reservation b on b.venue_id = g.venue_id and b.id = g.reservation_id and b.date >= ${from}
      join payment p on p.venue_id = g.venue_id and p.guarantee_id = g.id and p.state = 'succeeded' and p.via = 'processor'
      join processor_account a on a.venue_id = p.venue_id and a.id = p.account_id and a.live = ${live}
      ${backThere(venue)}
     where g.venue_id = ${venue}
     group by g.kind, p.currency order by g.kind, p.currency`)

/** Seats that guests are paying for at this moment, and until when they are nobody else's; of one date or of all. */
export const seatsBeingPaid = async (
  db: Queries,
  venue: VenueId,
  occurrence: number | null,
  now: Temporal.Instant,
): Promise<{ readonly seats: number; readonly until: Moment | null }> => {
  const row = await db.one(sql({ seats: 'int4', until: 'timestamptz?' })`
    select coalesce(sum(seats), 0)::integer as seats, max(counts_until) as until from checkout
     where venue_id = ${venue} and state in ('made', 'opening', 'open') and counts_until > ${now}
       and (${occurrence}::bigint is null or occurrence_id = ${occurrence})`)
  return row
}

const failedRow = {
  id: 'int8',
  guarantee_id: 'int8?',
  order_id: 'int8?',
  order_number: 'text?',
  reservation_id: 'int8?',
  amount_cents: 'int4',
  currency: 'text',
  state: 'text',
  made_at: 'timestamptz',
  /** The processor does not have it yet, as a bank holds its payment back. */
  waits: 'bool',
  /** A bank holds its payment back: it cannot be sent once more. */
  is_held: 'bool',
  /** The account that took its payment was removed: it cannot be sent once more either. */
  is_removed: 'bool',
} as const
export type OpenRefund = RowOf<typeof failedRow>

/** Refunds that failed, those that wait for a dispute, those of what could not be given, and those that have been under way for long. */
export const refundsToLookAt = (
  db: Queries,
  venue: VenueId,
  before: Temporal.Instant,
): Promise<OpenRefund[]> =>
  db.many(sql(failedRow)`
    select r.id, r.guarantee_id, r.order_id, t.order_number, coalesce(g.reservation_id, k.reservation_id) as reservation_id, r.amount_cents + case when r.state = 'failed' then 0 else r.beyond_cents end as amount_cents, p.currency, r.state, r.made_at,
        r.state = 'pending' and ${waitsForBank(venue, 'r')} as waits, ${isHeldByBank(venue, 'r')} as is_held, ${isTakenByRemoved(venue)} as is_removed
      from refund r
      join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
      left join ticket_order t on t.venue_id = r.venue_id and t.id = r.order_id
      left join guarantee g on g.venue_id = r.venue_id and g.id = r.guarantee_id
      left join checkout k on k.venue_id = p.venue_id and k.id = p.checkout_id
     where r.venue_id = ${venue} and (r.state = 'failed' or r.state = 'pending' and (r.made_at < ${before} or ${waitsForBank(venue, 'r')} or k.state = 'refused'))
     order by r.made_at, r.id limit ${mostDates}`)
