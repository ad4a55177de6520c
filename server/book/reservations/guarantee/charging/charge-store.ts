import type { Queries } from '../../../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, sql } from '../../../../platform/db/sql.ts'
import { leasedRows } from '../../../../core/venue/leased-rows.ts'
import type { VenueId } from '../../../../core/venue/venue.ts'
import { leaseSeconds } from '../../../../core/money/checkout-store.ts'
import type { GuaranteeRow } from '../guarantee-store.ts'

/* Charges of cards that are kept: payments of a guarantee without a checkout. */

const chargeRow = {
  id: 'int8',
  ref: 'uuid',
  account_id: 'uuid',
  guarantee_id: 'int8?',
  amount_cents: 'int4',
  currency: 'text',
  state: 'text',
  why: 'text?',
  try: 'int4',
  processor_ref: 'text?',
  made_at: 'timestamptz',
  tried_at: 'timestamptz?',
} as const
export type ChargeRow = RowOf<typeof chargeRow>

export const chargesOf = (db: Queries, venue: VenueId, guarantee: number): Promise<ChargeRow[]> =>
  db.many(sql(chargeRow)`
    select ${columnsOf(chargeRow)} from payment
     where venue_id = ${venue} and guarantee_id = ${guarantee} and checkout_id is null order by id`)

export const isBeingCharged = async (db: Queries, venue: VenueId, guarantee: number): Promise<boolean> =>
  (await chargesOf(db, venue, guarantee)).some(({ state }) => state === 'pending')

export const insertCharge = (
  db: Queries,
  venue: VenueId,
  {
    ref,
    guarantee,
    amountCents,
  }: { readonly ref: string; readonly guarantee: GuaranteeRow; readonly amountCents: number },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into payment (
      venue_id, ref, account_id, guarantee_id, amount_cents, currency, via, state, made_at, look_at)
    values (
      ${venue}, ${ref}, ${guarantee.account_id}, ${guarantee.id}, ${amountCents}, ${guarantee.currency}, 'processor',
      'pending', ${now}, ${now})`)

export const markTakenOff = (
  db: Queries,
  venue: VenueId,
  guarantee: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guarantee set taken_off_at = ${now}
     where venue_id = ${venue} and id = ${guarantee} and taken_off_at is null`)

export const chargesDue = leasedRows('payment', chargeRow, {
  ...{ due: 'look_at', leaseSeconds, waits: fragment("and state = 'pending'") },
})

/** One that is under way, by our name of it. */
export const pendingCharge = (db: Queries, venue: VenueId, ref: string): Promise<ChargeRow | undefined> =>
  db.maybe(sql(chargeRow)`
    select ${columnsOf(chargeRow)} from payment where venue_id = ${venue} and ref = ${ref} and state = 'pending'`)

const stuckRow = { what: 'text', reservation_id: 'int8?', since: 'timestamptz' } as const
export type StuckCard = RowOf<typeof stuckRow>

/** Cards whose charge has no answer, or that are still not deleted, since before then. */
export const stuckCards = (db: Queries, venue: VenueId, before: Temporal.Instant): Promise<StuckCard[]> =>
  db.many(sql(stuckRow)`
    select 'charge' as what, g.reservation_id, p.made_at as since
      from payment p join guarantee g on g.venue_id = p.venue_id and g.id = p.guarantee_id
     where p.venue_id = ${venue} and p.state = 'pending' and p.made_at < ${before}
    union all
    select 'deletion', g.reservation_id,
           case when g.status = 'released' then least(g.delete_at, r.cancelled_at) else g.delete_at end
      from guarantee g left join reservation r on r.venue_id = g.venue_id and r.id = g.reservation_id
     where g.venue_id = ${venue} and g.customer_ref is not null
       and case when g.status = 'released' then least(g.delete_at, r.cancelled_at) else g.delete_at end < ${before}
     limit 100`)

/** How it ended; undefined when somebody else wrote that. */
export const settleCharge = (
  db: Queries,
  venue: VenueId,
  id: number,
  {
    state,
    why,
    processorRef,
  }: {
    readonly state: 'succeeded' | 'failed'
    readonly why: string | null
    readonly processorRef: string | null
  },
  now: Temporal.Instant,
): Promise<ChargeRow | undefined> =>
  db.maybe(sql(chargeRow)`
    update payment set
      state = ${state}, why = ${why}, processor_ref = coalesce(${processorRef}, processor_ref), settled_at = ${now},
      look_at = null
     where venue_id = ${venue} and id = ${id} and state = 'pending'
    returning ${columnsOf(chargeRow)}`)

export const lookAtChargeLater = (
  db: Queries,
  venue: VenueId,
  id: number,
  { at, processorRef = null }: { readonly at: Temporal.Instant; readonly processorRef?: string | null },
): Promise<number> =>
  db.run(sql()`
    update payment set look_at = ${at}, processor_ref = coalesce(${processorRef}, processor_ref)
     where venue_id = ${venue} and id = ${id} and state = 'pending'`)

/** Nothing was done for certain: the next call has another key. */
export const raiseChargeTry = (
  db: Queries,
  venue: VenueId,
  { id, try: tried }: ChargeRow,
  at: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update payment set try = try + 1, look_at = ${at}, tried_at = ${at}
     where venue_id = ${venue} and id = ${id} and try = ${tried} and state = 'pending'`)

/** The card said no; it may be tried again. */
export const chargeFailed = (db: Queries, venue: VenueId, guarantee: number): Promise<number> =>
  db.run(sql()`
    update guarantee set status = 'charge_failed'
     where venue_id = ${venue} and id = ${guarantee} and status in ('held', 'charge_failed')`)

/** What an account at the processor is still needed for: cards that are kept, guests who were asked, and refunds under way. */
export const heldWithProcessor = (
  db: Queries,
  venue: VenueId,
): Promise<{ cards: number; asked: number; refunds: number }> =>
  db.one(sql({ cards: 'int4', asked: 'int4', refunds: 'int4' })`
    select (select count(*)::integer from guarantee where venue_id = ${venue} and customer_ref is not null) as cards,
           (select count(*)::integer from guarantee where venue_id = ${venue} and status = 'asked') as asked,
           (select count(*)::integer from refund where venue_id = ${venue} and state = 'pending' and payment_id is not null) as refunds`)
