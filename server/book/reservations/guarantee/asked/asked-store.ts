import { type CheckoutRow, leaseSeconds } from '../../../../core/money/checkout-store.ts'
import type { CardKept } from '../../../../core/money/processor.ts'
import { leasedRows } from '../../../../core/venue/leased-rows.ts'
import type { VenueId } from '../../../../core/venue/venue.ts'
import type { Queries } from '../../../../platform/db/pool.ts'
import { columnsOf, fragment, sql } from '../../../../platform/db/sql.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import type { Terms } from '../../../rules/guarantee-asked.ts'
import { type GuaranteeRow, guaranteeRow } from '../guarantee-store.ts'

/* What is asked of a guest after their booking was made: what staff ask for, and what they do with it. */

export type NewAsk = {
  readonly reservation: number
  readonly account: string
  readonly terms: Terms
  readonly currency: string
  readonly language: string
  readonly note: string | null
  readonly until: Temporal.Instant
}

/** Asks for the first time, or again where nothing is left behind the booking. */
export const writeAsk = (
  db: Queries,
  venue: VenueId,
  { reservation, account, terms, currency, language, note, until }: NewAsk,
  now: Temporal.Instant,
): Promise<GuaranteeRow | undefined> =>
  db.maybe(sql(guaranteeRow)`
    insert into guarantee (
      venue_id, reservation_id, account_id, kind, status, per_guest_cents, amount_cents, asked_cents, currency, free_until,
      sentence, language, agreed_at, ask_until, ask_note, look_at)
    values (
      ${venue}, ${reservation}, ${account}, ${terms.kind}, 'asked', ${terms.perGuestCents}, 0, ${terms.amountCents},
      ${currency}, ${terms.freeUntil}, '', ${language}, ${now}, ${until}, ${note}, ${until})
    on conflict (venue_id, reservation_id) where reservation_id is not null do update set
      account_id = excluded.account_id, kind = excluded.kind, status = 'asked', per_guest_cents = excluded.per_guest_cents,
      each_cents = null, each_fee_cents = null, tax_rate = null, fee_cents = 0, tax_cents = 0,
      amount_cents = 0, asked_cents = excluded.asked_cents, currency = excluded.currency, free_until = excluded.free_until,
      sentence = '', language = excluded.language, agreed_at = excluded.agreed_at, delete_at = null, deleted_at = null,
      ask_until = excluded.ask_until, ask_note = excluded.ask_note, ask_over_at = null, look_at = excluded.look_at
     where guarantee.venue_id = ${venue} and guarantee.status in ('waived', 'released', 'refunded') and guarantee.customer_ref is null
    returning ${columnsOf(guaranteeRow)}`)

/** A guest agreed: to a card that is kept or money that came in, or to more than was agreed on of a card. */
export const writeSecured = (
  db: Queries,
  venue: VenueId,
  { id, status, sentence: before }: GuaranteeRow,
  {
    cents,
    sentence,
    card,
    deleteAt,
    ...agreed
  }: {
    /** Of what was asked. */
    readonly cents: number
    readonly account: string
    readonly sentence: string
    readonly language: string
    readonly agreedAt: Temporal.Instant
    readonly card: CardKept | null
    readonly deleteAt: Temporal.Instant | null
  },
): Promise<number> =>
  db.run(sql()`
    update guarantee set
      status = case when status <> 'asked' then status when ${card !== null}::boolean then 'held' else 'paid' end,
      account_id = case when status = 'asked' then ${agreed.account}::uuid else account_id end,
      amount_cents = amount_cents + ${cents}, asked_cents = asked_cents - ${cents},
      sentence = ${[status === 'asked' ? '' : before, sentence].filter(Boolean).join('\n')}, language = ${agreed.language},
      agreed_at = ${agreed.agreedAt}, customer_ref = coalesce(${card?.customerRef ?? null}, customer_ref),
      method_ref = coalesce(${card?.methodRef ?? null}, method_ref), delete_at = coalesce(${deleteAt}, delete_at),
      look_at = case when status = 'asked' then ${deleteAt} else look_at end, ask_until = null
     where venue_id = ${venue} and id = ${id}`)

/** So much is asked; `until`: more than that is asked until then. */
export const writeAsked = (
  db: Queries,
  venue: VenueId,
  id: number,
  cents: number,
  until: Temporal.Instant | null = null,
): Promise<number> =>
  db.run(sql()`
    update guarantee set
      asked_cents = ${cents}, ask_until = ${until}, delete_at = greatest(delete_at, ${until}),
      look_at = case when look_at is null then null else greatest(look_at, ${until}) end
     where venue_id = ${venue} and id = ${id}`)

/** A card that would stay longer goes then. */
export const keepUntil = (
  db: Queries,
  venue: VenueId,
  id: number,
  at: Temporal.Instant | null,
): Promise<number> =>
  db.run(sql()`
    update guarantee set delete_at = ${at}, look_at = ${at}
     where venue_id = ${venue} and id = ${id} and customer_ref is not null and delete_at > ${at}`)

/** The venue does without it; a card goes at once. */
export const writeWaived = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guarantee set
      status = 'waived', asked_cents = 0, ask_until = null, delete_at = case when customer_ref is null then null else ${now}::timestamptz end,
      look_at = case when customer_ref is null then null else ${now}::timestamptz end
     where venue_id = ${venue} and id = ${id} and status in ('asked', 'held')`)

/** What was asked for a booking that is over or cancelled. */
export const releaseAsk = (db: Queries, venue: VenueId, id: number): Promise<number> =>
  db.run(sql()`
    update guarantee set status = 'released', asked_cents = 0, ask_until = null, look_at = null
     where venue_id = ${venue} and id = ${id} and status = 'asked'`)

/** It is asked again, for a cancellation that was undone. */
export const restoreAsk = (
  db: Queries,
  venue: VenueId,
  id: number,
  { cents, until }: { readonly cents: number; readonly until: Temporal.Instant },
): Promise<number> =>
  db.run(sql()`
    update guarantee set status = 'asked', asked_cents = ${cents}, ask_until = ${until}, look_at = ${until}
     where venue_id = ${venue} and id = ${id} and status = 'released' and customer_ref is null`)

/** More that was asked for a booking that is cancelled; what was agreed on stays. */
export const askNoMore = (db: Queries, venue: VenueId, id: number): Promise<number> =>
  db.run(sql()`
    update guarantee set asked_cents = 0, ask_until = null
     where venue_id = ${venue} and id = ${id} and asked_cents > 0 and status <> 'asked'`)

/** Those whose time to secure it, or whose evening, is over. */
export const asksDue = leasedRows('guarantee', guaranteeRow, {
  ...{ due: 'look_at', leaseSeconds, waits: fragment("and status = 'asked'") },
})

/** Until when somebody who began in time to do what was asked may still be doing it. */
export const securingUntil = async (
  db: Queries,
  venue: VenueId,
  { reservation_id: reservation, ask_until: inTime }: GuaranteeRow,
  now: Temporal.Instant,
): Promise<Temporal.Instant | undefined> => {
  const row = await db.maybe(sql({ counts_until: 'timestamptz' })`
    select counts_until from checkout
     where venue_id = ${venue} and reservation_id = ${reservation} and kind = 'ask'
       and state in ('made', 'opening', 'open') and counts_until > ${now}
       and (${inTime}::timestamptz is null or made_at <= ${inTime}::timestamptz)
     order by counts_until desc limit 1`)
  return row && toInstant(row.counts_until)
}

/** Staff know that it is not secured; it is looked at again when its evening is over. */
export const noteNotSecured = (
  db: Queries,
  venue: VenueId,
  id: number,
  { now, lookAt }: { readonly now: Temporal.Instant; readonly lookAt: Temporal.Instant },
): Promise<number> =>
  db.run(sql()`
    update guarantee set ask_over_at = coalesce(ask_over_at, ${now}), look_at = ${lookAt}
     where venue_id = ${venue} and id = ${id} and status = 'asked'`)

/** A checkout of the booking that can still be paid. */
export const liveCheckoutOf = async (
  db: Queries,
  venue: VenueId,
  {
    reservation,
    kind,
    same,
  }: {
    readonly reservation: number
    /** Null: of any kind. */
    readonly kind: string | null
    /** Only one on which exactly this is agreed to; missing: whatever it is. */
    readonly same?: Pick<CheckoutRow, 'mode' | 'sentence' | 'total_cents' | 'currency'>
  },
  now: Temporal.Instant,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from checkout
       where venue_id = ${venue} and reservation_id = ${reservation} and kind in ('ask', 'fee')
         and (${kind}::text is null or kind = ${kind}::text)
         and (${same === undefined}::boolean or mode = ${same?.mode ?? ''} and total_cents = ${same?.total_cents ?? 0}
           and currency = ${same?.currency ?? ''} and sentence is not distinct from ${same?.sentence ?? null}::text)
         and state in ('made', 'opening', 'open') and counts_until > ${now} and why is distinct from 'not-asked'
       order by id desc limit 1`)
  )?.id
