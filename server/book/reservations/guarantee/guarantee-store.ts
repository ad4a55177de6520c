import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, part, sql } from '../../../platform/db/sql.ts'
import { leasedRows } from '../../../core/venue/leased-rows.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { countBack } from '../../../core/money/refund-count.ts'
import type { CardKept } from '../../../core/money/processor.ts'
import { leaseSeconds } from '../../../core/money/checkout-store.ts'
import { undoUntil } from '../../day/freed-by-press.ts'
import type { Terms } from '../../rules/guarantee-asked.ts'

/*
 * What stands behind a booking: a card at the processor, or a deposit. Cast: a checkout that was completed makes the row
 * with its booking; who cancels, and managers who charge, change it with its row locked; a worker deletes cards and makes
 * what was asked of the processor. Its cents are the sums of its payments and refunds.
 */

export const guaranteeRow = {
  id: 'int8',
  reservation_id: 'int8?',
  account_id: 'uuid',
  kind: 'text',
  status: 'text',
  per_guest_cents: 'int4?',
  each_cents: 'int4?',
  each_fee_cents: 'int4?',
  tax_rate: 'int4?',
  fee_cents: 'int4',
  tax_cents: 'int4',
  amount_cents: 'int4',
  asked_cents: 'int4',
  paid_cents: 'int4',
  refunded_cents: 'int4',
  currency: 'text',
  free_until: 'timestamptz',
  sentence: 'text',
  language: 'text',
  agreed_at: 'timestamptz',
  customer_ref: 'text?',
  method_ref: 'text?',
  delete_at: 'timestamptz?',
  deleted_at: 'timestamptz?',
  taken_off_at: 'timestamptz?',
  ask_until: 'timestamptz?',
  ask_note: 'text?',
  ask_over_at: 'timestamptz?',
} as const
export type GuaranteeRow = RowOf<typeof guaranteeRow>

/** What its guest agreed to, each sentence once: a larger party may have agreed to the same once more. */
export const agreedSentences = ({ sentence }: Pick<GuaranteeRow, 'sentence'>): string[] =>
  [...new Set(sentence.split('\n'))].filter((one) => one !== '')

export type NewGuarantee = {
  /** Null: its table could not be given. */
  readonly reservation: number | null
  readonly account: string
  readonly terms: Terms
  /** What of its amount is a fee, and what is tax. */
  readonly feeCents?: number
  readonly taxCents?: number
  /** The key of the experience that asked for it. */
  readonly experience?: string | null
  readonly currency: string
  readonly sentence: string
  readonly language: string
  readonly agreedAt: string
  readonly card: CardKept | null
  /** When the card goes at the latest. */
  readonly deleteAt: Temporal.Instant | null
}

export const insertGuarantee = (
  db: Queries,
  venue: VenueId,
  { reservation, account, terms, currency, card, deleteAt, ...agreed }: NewGuarantee,
): Promise<GuaranteeRow> => {
  const isCard = terms.kind === 'card'
  return db.one(sql(guaranteeRow)`
    insert into guarantee (
      venue_id, reservation_id, account_id, kind, status, per_guest_cents, amount_cents, paid_cents, currency, free_until,
      sentence, language, agreed_at, customer_ref, method_ref, delete_at, look_at, fee_cents, tax_cents, experience,
      each_cents, each_fee_cents, tax_rate)
    values (
      ${venue}, ${reservation}, ${account}, ${terms.kind}, ${isCard ? 'held' : 'paid'}, ${terms.perGuestCents},
      ${terms.amountCents}, ${isCard ? 0 : terms.amountCents}, ${currency}, ${terms.freeUntil}, ${agreed.sentence},
      ${agreed.language}, ${agreed.agreedAt}::timestamptz, ${card?.customerRef ?? null}, ${card?.methodRef ?? null},
      ${deleteAt}, ${deleteAt}, ${agreed.feeCents ?? 0}, ${agreed.taxCents ?? 0}, ${agreed.experience ?? null},
      ${terms.each?.priceCents ?? null}, ${terms.each?.feeCents ?? null}, ${terms.each?.taxRate ?? null})
    returning ${columnsOf(guaranteeRow)}`)
}

export const guaranteeOf = (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<GuaranteeRow | undefined> =>
  db.maybe(sql(guaranteeRow)`
    select ${columnsOf(guaranteeRow)} from guarantee where venue_id = ${venue} and reservation_id = ${reservation}`)

/** Locked until the transaction ends: after the booking, before its payments and refunds. */
export const guaranteeOfForUpdate = (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<GuaranteeRow | undefined> =>
  db.maybe(sql(guaranteeRow)`
    select ${columnsOf(guaranteeRow)} from guarantee
     where venue_id = ${venue} and reservation_id = ${reservation} for update`)

const guaranteeByIdForUpdate = (db: Queries, venue: VenueId, id: number): Promise<GuaranteeRow | undefined> =>
  db.maybe(sql(guaranteeRow)`
    select ${columnsOf(guaranteeRow)} from guarantee where venue_id = ${venue} and id = ${id} for update`)

export const guaranteeById = (db: Queries, venue: VenueId, id: number): Promise<GuaranteeRow | undefined> =>
  db.maybe(sql(guaranteeRow)`
    select ${columnsOf(guaranteeRow)} from guarantee where venue_id = ${venue} and id = ${id}`)

/** Behind which booking a card is that the processor still keeps. */
export const guaranteeOfCard = async (
  db: Queries,
  venue: VenueId,
  customerRef: string,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from guarantee where venue_id = ${venue} and customer_ref = ${customerRef}`)
  )?.id

/** The same with its booking, which is locked first, as by everybody who changes bookings. */
export const holdGuarantee = async (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<GuaranteeRow | undefined> => {
  await db.maybe(sql({ id: 'int8' })`
    select r.id from reservation r
     where r.venue_id = ${venue} and r.id = (
       select g.reservation_id from guarantee g where g.venue_id = ${venue} and g.id = ${id})
       for update`)
  return guaranteeByIdForUpdate(db, venue, id)
}

/** The card is to go now; `lookAt`: later, where that waits for an undo, which needs to know its day. */
export const releaseCard = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
  lookAt?: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guarantee set
      status = 'released', asked_cents = 0, ask_until = null, delete_at = case when ${lookAt !== undefined}::boolean then delete_at else ${now} end,
      look_at = ${lookAt ?? now}
     where venue_id = ${venue} and id = ${id} and customer_ref is not null and status in ('held', 'charge_failed')`)

/** The card stays after all, if no worker has taken it up since the press that was to delete it. */
export const keepCard = (db: Queries, venue: VenueId, id: number, press: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update guarantee g set
      look_at = delete_at,
      status = case when exists (
          select from payment p where p.venue_id = ${venue} and p.guarantee_id = g.id and p.state = 'failed' and p.why <> 'withdrawn')
        then 'charge_failed' else 'held' end
     where g.venue_id = ${venue} and g.id = ${id} and g.status = 'released' and g.customer_ref is not null
       and g.look_at = ${undoUntil(press)} and g.delete_at > g.look_at`)

/**
 * Money on its way back: pending until the processor says how it ended. `lookAt`: when it is asked, where that waits for an
 * undo.
 */
export const insertGuaranteeRefund = (
  db: Queries,
  venue: VenueId,
  refund: {
    readonly guarantee: number
    readonly payment: number
    readonly amountCents: number
    readonly ref: string
    readonly lookAt?: Temporal.Instant
  },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into refund (
      venue_id, guarantee_id, amount_cents, seats, via, state, made_at, payment_id, ref, look_at)
    values (
      ${venue}, ${refund.guarantee}, ${refund.amountCents}, 0, 'processor', 'pending', ${now}, ${refund.payment},
      ${refund.ref}, ${refund.lookAt ?? now})`)

/** Money of a payment that somebody of the venue gave back by hand. */
export const insertRefundByHand = (
  db: Queries,
  venue: VenueId,
  refund: { readonly guarantee: number; readonly payment: number; readonly amountCents: number },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into refund (
      venue_id, guarantee_id, amount_cents, seats, via, state, made_at, settled_at, payment_id)
    values (
      ${venue}, ${refund.guarantee}, ${refund.amountCents}, 0, 'external', 'succeeded', ${now}, ${now}, ${refund.payment})`)

/** Forgets what a press at that moment was to send back; whatever a worker has taken up by now stays. */
export const dropRefunds = (
  db: Queries,
  venue: VenueId,
  guarantee: number,
  press: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    delete from refund
     where venue_id = ${venue} and guarantee_id = ${guarantee} and state = 'pending' and made_at = ${press}
       and look_at = ${undoUntil(press)} and try = 1 and processor_ref is null`)

/** What did not arrive is made good by what is on its way now. */
export const supersedeRefunds = (
  db: Queries,
  venue: VenueId,
  guarantee: number,
  refund: number | null = null,
): Promise<{ payment_id: number; amount_cents: number; origin: string }[]> =>
  db.many(sql({ payment_id: 'int8', amount_cents: 'int4', origin: 'text' })`
    update refund set state = 'superseded'
     where venue_id = ${venue} and guarantee_id = ${guarantee} and state = 'failed' and payment_id is not null
       and (${refund}::bigint is null or id = ${refund})
    returning payment_id, amount_cents, origin`)

/** A refund of what is behind a booking, with the booking. */
export const refundOfGuarantee = (db: Queries, venue: VenueId, refund: number) =>
  db.maybe(sql({ reservation_id: 'int8' })`
    select g.reservation_id
      from refund r join guarantee g on g.venue_id = r.venue_id and g.id = r.guarantee_id
     where r.venue_id = ${venue} and r.id = ${refund} and g.reservation_id is not null`)

/**
 * Counts its cents again from its payments and refunds, with its row locked, and says what it is by them. What is asked once
 * more stays so, whatever happens to money of before.
 */
export const countGuarantee = async (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<GuaranteeRow | undefined> => {
  const { paid } = await db.one(sql({ paid: 'int4' })`
    select coalesce(sum(amount_cents), 0)::integer as paid from payment
     where venue_id = ${venue} and guarantee_id = ${id} and state = 'succeeded'`)
  const back = await countBack(db, venue, { guarantee: id }, paid)
  return db.maybe(sql(guaranteeRow)`
    update guarantee set
      paid_cents = ${paid}, refunded_cents = ${back},
      status = case when status = 'asked' then status
        else coalesce(${statusByCents(paid, back)}, case when kind = 'card' then 'charged' else 'paid' end) end
     where venue_id = ${venue} and id = ${id}
    returning ${columnsOf(guaranteeRow)}`)
}

/** Null: all that came in is still here. */
const statusByCents = (paid: number, back: number): string | null => {
  if (back === 0) return null
  return back >= paid ? 'refunded' : 'partially_refunded'
}

/** Those whose card is to be deleted; not while it is being charged, or its guest pays instead. */
export const cardsDue = leasedRows('guarantee', guaranteeRow, {
  due: 'look_at',
  leaseSeconds,
  waits: fragment("and status <> 'asked'"),
  isFree: (venue, now) => part`
    and not exists (
      select from payment p
       where p.venue_id = ${venue} and p.guarantee_id = guarantee.id and p.state = 'pending')
    and not exists (
      select from checkout c
       where c.venue_id = ${venue} and c.reservation_id = guarantee.reservation_id and c.kind = 'fee'
         and c.state in ('opening', 'open') and c.counts_until > ${now})`,
})

/** That card is gone, and no other that its guest left meanwhile; a booking that was never charged has nothing behind it any more. */
export const cardDeleted = (
  db: Queries,
  venue: VenueId,
  { id, customer_ref }: Pick<GuaranteeRow, 'id' | 'customer_ref'>,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guarantee set
      deleted_at = ${now}, look_at = null, customer_ref = null, method_ref = null,
      status = case when status in ('held', 'charge_failed') then 'released' else status end,
      asked_cents = 0, ask_until = null
     where venue_id = ${venue} and id = ${id} and customer_ref is not distinct from ${customer_ref}`)

export const lookAtGuarantee = (
  db: Queries,
  venue: VenueId,
  id: number,
  at: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`update guarantee set look_at = ${at} where venue_id = ${venue} and id = ${id}`)
