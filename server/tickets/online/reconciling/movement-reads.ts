import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, type RowOf, columnsOf, part, sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/*
 * Every movement of money through the processor, at the moment it was known here: what came in, what went back, and what came
 * back of that when a bank returned a refund or a dispute was won after it was lost: every cent, also what went back beyond what
 * an order had left. What was refunded in cash or another way moved nothing there, and is not in it. Sums of some days never change afterward.
 * Money of test accounts is in no figure of a venue whose payments are live.
 */

export type Span = { readonly from: Temporal.Instant; readonly to: Temporal.Instant; readonly live: boolean }

export const movementKinds = [
  'payment',
  /** A card that was charged, or a fee that its guest paid for themselves. */
  'fee',
  'refund',
  'dispute-lost',
  /** A refund that came back from the bank. */
  'refund-returned',
  'dispute-won',
] as const
export type MovementKind = (typeof movementKinds)[number]

const movementRow = {
  at: 'timestamptz',
  kind: 'text',
  id: 'int8',
  amount_cents: 'int4',
  currency: 'text',
  origin: 'text',
  order_number: 'text?',
  reservation_id: 'int8?',
  event_name: 'text?',
  guarantee_kind: 'text?',
  /** Its key in the booking rules. */
  experience: 'text?',
} as const
export type Movement = RowOf<typeof movementRow>

/** Of a refund `r`: where what moved belongs, as by its payment `p`. */
const ofRefund = (venue: VenueId): Fragment =>
  part`p.currency, r.origin, p.account_id, p.order_id, p.guarantee_id, p.checkout_id
          from refund r join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
         where r.venue_id = ${venue}`
const wentBack = (venue: VenueId): Fragment =>
  part`case when r.origin = 'dispute' then 'dispute-lost' else 'refund' end, r.id, -(r.amount_cents + r.beyond_cents), ${ofRefund(venue)}`

/**
 * What moved: the amount is what came in, or less than nothing. What was paid when it was no longer asked is behind no booking;
 * the page that was paid knows the one that it was asked for.
 */
const movements = (venue: VenueId, { from, to, live }: Span): Fragment => part`(
    select m.at, m.kind, m.id, m.amount_cents, m.currency, m.origin, t.order_number, coalesce(g.reservation_id, c.reservation_id) as reservation_id,
        e.name as event_name, g.kind as guarantee_kind, g.experience
      from (
        select p.settled_at as at, case when g.kind = 'card' then 'fee' else 'payment' end as kind, p.id, p.amount_cents, p.currency,
            case when p.checkout_id is null then 'charge' when c.key_id is null then 'guest' else 'key' end as origin,
            p.account_id, p.order_id, p.guarantee_id, p.checkout_id
          from payment p
          left join checkout c on c.venue_id = p.venue_id and c.id = p.checkout_id
          left join guarantee g on g.venue_id = p.venue_id and g.id = p.guarantee_id
         where p.venue_id = ${venue} and p.state = 'succeeded' and p.via = 'processor' and p.settled_at >= ${from} and p.settled_at < ${to}
        union all
        select r.settled_at, ${wentBack(venue)} and r.state = 'succeeded' and r.via = 'processor' and r.settled_at >= ${from} and r.settled_at < ${to}
        union all
        select r.arrived_at, ${wentBack(venue)} and r.arrived_at >= ${from} and r.arrived_at < ${to}
        union all
        select r.came_back_at, case when r.origin = 'dispute' then 'dispute-won' else 'refund-returned' end, r.id, r.amount_cents + r.beyond_cents, ${ofRefund(venue)} and r.arrived_at is not null and r.came_back_at >= ${from} and r.came_back_at < ${to}) m
      join processor_account a on a.venue_id = ${venue} and a.id = m.account_id and a.live = ${live}
      left join ticket_order t on t.venue_id = ${venue} and t.id = m.order_id
      left join occurrence o on o.venue_id = ${venue} and o.id = t.occurrence_id
      left join ticketed_event e on e.venue_id = ${venue} and e.id = o.event_id
      left join guarantee g on g.venue_id = ${venue} and g.id = m.guarantee_id
      left join checkout c on c.venue_id = ${venue} and c.id = m.checkout_id)`

const pageOfMovements = 1_000

/** In the order in which they happened, so many at a time; `after`: the last one of those before. */
export const movementsAfter = (
  db: Queries,
  venue: VenueId,
  span: Span,
  after: Movement | undefined,
): Promise<Movement[]> =>
  db.many(sql(movementRow)`
    select ${columnsOf(movementRow, 'm')} from ${movements(venue, span)} m
     where ${after === undefined}::boolean
        or (m.at, m.kind, m.id) > (${after?.at ?? null}::timestamptz, ${after?.kind ?? ''}::text, ${after?.id ?? 0}::bigint)
     order by m.at, m.kind, m.id limit ${pageOfMovements}`)

const sumRow = {
  currency: 'text',
  payments: 'int4',
  cents_in: 'int8',
  cents_back: 'int8',
  cents_lost: 'int8',
  cents_returned: 'int8',
} as const
export type Moved = RowOf<typeof sumRow>

/** Banks' disputes are by themselves; what came back again is what a bank returned of a refund, or gave back of a dispute. */
const sums = part`m.currency, count(*) filter (where m.kind in ('payment', 'fee'))::integer as payments,
        coalesce(sum(m.amount_cents) filter (where m.kind in ('payment', 'fee')), 0)::bigint as cents_in,
        coalesce(-sum(m.amount_cents) filter (where m.kind = 'refund'), 0)::bigint as cents_back,
        coalesce(-sum(m.amount_cents) filter (where m.kind = 'dispute-lost'), 0)::bigint as cents_lost,
        coalesce(sum(m.amount_cents) filter (where m.kind in ('refund-returned', 'dispute-won')), 0)::bigint as cents_returned`

/** What moved from one moment until another, by currency. */
export const movedBetween = (db: Queries, venue: VenueId, span: Span): Promise<Moved[]> =>
  db.many(sql(sumRow)`
    select ${sums} from ${movements(venue, span)} m group by m.currency order by m.currency`)

const namedRow = { ...sumRow, event_name: 'text?', guarantee_kind: 'text?', experience: 'text?' } as const
export type MovedForName = RowOf<typeof namedRow>

const mostNames = 200

/** The same for each event, experience and kind of guarantee, events first. */
export const movedByName = (db: Queries, venue: VenueId, span: Span): Promise<MovedForName[]> =>
  db.many(sql(namedRow)`
    select ${sums}, m.event_name, m.guarantee_kind, m.experience from ${movements(venue, span)} m
     group by m.event_name, m.guarantee_kind, m.experience, m.currency
     order by m.event_name nulls last, m.experience nulls last, m.guarantee_kind, m.currency limit ${mostNames}`)

/** What is left of it. */
export const netOf = ({
  cents_in,
  cents_back,
  cents_lost,
  cents_returned,
}: Omit<Moved, 'payments'>): number => cents_in - cents_back - cents_lost + cents_returned
