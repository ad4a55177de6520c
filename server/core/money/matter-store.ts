import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, type RowOf, columnsOf, fragment, part, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/* What somebody of the venue has to look at, until they say that it is done. */

export const matterRow = {
  id: 'int8',
  kind: 'text',
  subject: 'text',
  order_id: 'int8?',
  reservation_id: 'int8?',
  amount_cents: 'int4',
  currency: 'text',
  state: 'text?',
  reason: 'text?',
  due_at: 'timestamptz?',
  /** When the money moved. */
  moved_at: 'timestamptz?',
  made_at: 'timestamptz',
  done_at: 'timestamptz?',
} as const
export type MatterRow = RowOf<typeof matterRow>

export type MatterKind =
  /** A guest’s bank takes the money back, or asks for it. */
  | 'dispute'
  /**
   * Paid, but not what was asked for. `state`: `above`, of a card that was charged for more than its guest agreed to; `since`, of
   * what was paid for a booking as it was after a backup; `refund-since`, of what went back after it.
   */
  | 'payment-differs'
  /** More was given back at the processor than an order had left. */
  | 'refund-above'
  /** The processor has something of ours that is not written here. */
  | 'not-here'
  /** The processor’s books and ours do not agree; `state` says how, `reason` about what. */
  | 'differs'
  /** Nobody could be told that a table which was paid for, or a booking that was asked, was refused. */
  | 'not-told'
  /** Perhaps paid: the processor no longer lets this key look. */
  | 'not-seen'

export type Matter = {
  readonly kind: MatterKind
  readonly subject: string
  readonly order: number | null
  readonly reservation?: number | null
  /** Of a dispute: which payment it is about. */
  readonly payment?: number
  readonly amountCents: number
  readonly currency: string
  readonly state?: string
  readonly reason?: string | null
  readonly dueAt?: Temporal.Instant | null
  /** When the money moved, of what is there and not here, or the other way around. */
  readonly movedAt?: Temporal.Instant
}

/** Undefined when it was written before. */
export const addMatter = (
  db: Queries,
  venue: VenueId,
  {
    kind,
    subject,
    order,
    reservation,
    payment,
    amountCents,
    currency,
    state,
    reason,
    dueAt,
    movedAt,
  }: Matter,
  now: Temporal.Instant,
): Promise<MatterRow | undefined> =>
  db.maybe(sql(matterRow)`
    insert into money_matter (
      venue_id, kind, subject, order_id, reservation_id, payment_id, amount_cents, currency, state, reason, due_at, moved_at, made_at)
    values (
      ${venue}, ${kind}, ${subject}, ${order}, ${reservation ?? null}, ${payment ?? null}, ${amountCents}, ${currency}, ${state ?? null}, ${reason ?? null},
      ${dueAt ?? null}, ${movedAt ?? null}, ${now})
    on conflict (venue_id, kind, subject) do nothing
    returning ${columnsOf(matterRow)}`)

const heldRow = { state: 'text?', seen_at: 'timestamptz?' } as const

/** What is written of a dispute, locked: its state, and since when that is known. */
export const matterForUpdate = (
  db: Queries,
  venue: VenueId,
  { kind, subject }: Pick<Matter, 'kind' | 'subject'>,
): Promise<RowOf<typeof heldRow> | undefined> =>
  db.maybe(sql(heldRow)`
    select ${columnsOf(heldRow)} from money_matter
     where venue_id = ${venue} and kind = ${kind} and subject = ${subject} for update`)

/** How a dispute stands, by a look that began then; one that moved is open again. */
export const moveMatter = (
  db: Queries,
  venue: VenueId,
  { kind, subject, state, dueAt, payment }: Matter,
  seenAt: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update money_matter set
      done_at = case when state is distinct from ${state ?? null}::text then null else done_at end,
      state = ${state ?? null}, due_at = ${dueAt ?? null}, seen_at = ${seenAt},
      payment_id = coalesce(${payment ?? null}, payment_id)
     where venue_id = ${venue} and kind = ${kind} and subject = ${subject}`)

/** Undefined when it was done before. */
export const endMatter = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<MatterRow | undefined> =>
  db.maybe(sql(matterRow)`
    update money_matter set done_at = ${now}
     where venue_id = ${venue} and id = ${id} and done_at is null
    returning ${columnsOf(matterRow)}`)

/** So long after it was decided a bank may decide a dispute another way, or take it up again. */
const turnDays = 120
const mostDisputes = 500

/**
 * Disputes of an account that may still turn, by the processor’s names: those that are not decided, also where somebody took them off
 * the list, and those that were decided lately.
 */
export const disputesToLookAt = async (
  db: Queries,
  venue: VenueId,
  account: string,
  now: Temporal.Instant,
): Promise<readonly string[]> => {
  const rows = await db.many(sql({ subject: 'text' })`
    select m.subject from money_matter m
      left join payment p on p.venue_id = ${venue} and p.id = m.payment_id
     where m.venue_id = ${venue} and m.kind = 'dispute'
       and (m.state = 'open' or m.state = 'warning' and m.done_at is null or m.state in ('lost', 'won') and m.done_at >= ${now.subtract({ hours: 24 * turnDays })})
       and (p.id is null or p.account_id = ${account})
     order by m.made_at desc, m.id desc limit ${mostDisputes}`)
  return rows.map(({ subject }) => subject)
}

/** It has ended at the processor. */
export const endMatterOf = (
  db: Queries,
  venue: VenueId,
  { kind, subject }: Pick<Matter, 'kind' | 'subject'>,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update money_matter set done_at = ${now}
     where venue_id = ${venue} and kind = ${kind} and subject = ${subject} and done_at is null`)

/** What moved beyond what was left has come back: nobody has to look at it. */
export const endAbove = (
  db: Queries,
  venue: VenueId,
  refund: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update money_matter set done_at = ${now}
     where venue_id = ${venue} and kind = 'refund-above' and done_at is null and subject = (
       select r.processor_ref from refund r where r.venue_id = ${venue} and r.id = ${refund})`)

/** What the processor had, and that was not written here, is. */
export const endMissing = (
  db: Queries,
  venue: VenueId,
  processorRef: string,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update money_matter set done_at = ${now}
     where venue_id = ${venue} and kind in ('not-here', 'differs') and done_at is null
       and subject in (${processorRef}, ${`refund missing-here ${processorRef}`}, ${`payment missing-here ${processorRef}`})`)

const mostMatters = 200

export const openMatters = (db: Queries, venue: VenueId): Promise<MatterRow[]> =>
  db.many(sql(matterRow)`
    select ${columnsOf(matterRow)} from money_matter
     where venue_id = ${venue} and done_at is null order by made_at, id limit ${mostMatters}`)

export const matterById = (db: Queries, venue: VenueId, id: number): Promise<MatterRow | undefined> =>
  db.maybe(sql(matterRow)`
    select ${columnsOf(matterRow)} from money_matter where venue_id = ${venue} and id = ${id}`)

export const mattersOfOrder = (db: Queries, venue: VenueId, order: number): Promise<MatterRow[]> =>
  db.many(sql(matterRow)`
    select ${columnsOf(matterRow)} from money_matter
     where venue_id = ${venue} and order_id = ${order} order by id limit ${mostMatters}`)

export const mattersOfBooking = (db: Queries, venue: VenueId, reservation: number): Promise<MatterRow[]> =>
  db.many(sql(matterRow)`
    select ${columnsOf(matterRow)} from money_matter
     where venue_id = ${venue} and reservation_id = ${reservation} order by id limit ${mostMatters}`)

/**
 * Whether a row `m` is a dispute of one payment, in a state: by the payment, or, of one that was recorded before it was, by what was
 * paid for. The row is a payment `p`, or a refund.
 */
const isDisputeOf = (venue: VenueId, row: 'p' | 'r' | 'refund', state: 'open' | 'lost'): Fragment => {
  const of = fragment(row)
  const payment = fragment(row === 'p' ? 'p.id' : `${row}.payment_id`)
  const isSo = fragment(`m.state = '${state}'`)
  return part`m.kind = 'dispute' and ${isSo}
     and (m.payment_id is null or m.payment_id = ${payment})
     and (m.order_id = ${of}.order_id or m.reservation_id = (
       select g.reservation_id from guarantee g where g.venue_id = ${venue} and g.id = ${of}.guarantee_id))`
}

/**
 * Whether a bank holds back a payment `p`, or the payment of a refund: the processor gives nothing back of it until that is
 * decided. The others behind the same booking can go back, and a warning holds nothing back.
 */
export const isHeldByBank = (venue: VenueId, row: 'p' | 'r' | 'refund' = 'p'): Fragment =>
  part`exists (select from money_matter m where m.venue_id = ${venue} and ${isDisputeOf(venue, row, 'open')})`

/** The same of a refund that the processor does not have yet: it waits until that is decided. */
export const waitsForBank = (venue: VenueId, refund: 'r' | 'refund'): Fragment => {
  const of = fragment(refund)
  return part`(${of}.processor_ref is null and ${of}.payment_id is not null and ${isHeldByBank(venue, refund)})`
}

/** The answer to one that is not sent, as the dispute was lost. */
export const takenAnswer = 'the dispute took the money first'
/** The answer to one that is not sent, as the service sent it before this database was restored. */
export const sentAnswer = 'it was sent already, after the backup that this copy is from'

/** What it waits for, in a few words. */
export const waitsInWords = 'Waits for the dispute'

export const whyDisputed =
  'The guest’s bank disputes this payment, so Stripe gives nothing back until that is decided. If the dispute is lost, the money goes back that way; if it is won, you can refund it here.'

/**
 * Whether a dispute that was lost took so much of what a refund `r` is of, by its payment `p`, that nothing is left to give back:
 * nobody asks the processor to.
 */
export const tookItAll = (venue: VenueId): Fragment =>
  part`exists (select from money_matter m where m.venue_id = ${venue} and ${isDisputeOf(venue, 'r', 'lost')} and m.amount_cents + r.amount_cents > p.amount_cents)`

/** What disputes that were lost took of a payment, also what is not written as a refund yet. */
export const lostDisputesOf = async (db: Queries, venue: VenueId, payment: number) => {
  const rows = await db.many(sql({ subject: 'text', amount_cents: 'int4', currency: 'text' })`
    select m.subject, m.amount_cents, m.currency
      from payment p join money_matter m on m.venue_id = ${venue} and ${isDisputeOf(venue, 'p', 'lost')}
     where p.venue_id = ${venue} and p.id = ${payment} order by m.id`)
  return rows.map(({ subject, amount_cents, currency }) => ({
    ...{ disputeRef: subject, amountCents: amount_cents, currency },
  }))
}

/** Whether a refund `r` waits to be sent and will not be, as a dispute that was lost took its payment `p`: nothing of it is on its way. */
export const isNotSent = (venue: VenueId): Fragment =>
  part`(r.state = 'pending' and r.processor_ref is null and ${tookItAll(venue)})`

/** What is written of these differences, under any of their names, and whether somebody has marked it as done. */
export const mattersNamed = async (
  db: Queries,
  venue: VenueId,
  subjects: readonly string[],
): Promise<readonly RowOf<typeof namedRow>[]> =>
  subjects.length === 0
    ? []
    : db.many(sql(namedRow)`
        select subject, done_at is not null as is_done from money_matter
         where venue_id = ${venue} and kind in ('differs', 'not-here', 'payment-differs') and subject = any(${subjects})`)

const namedRow = { subject: 'text', is_done: 'bool' } as const
