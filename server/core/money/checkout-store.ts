import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { leasedRows } from '../venue/leased-rows.ts'
import type { VenueId } from '../venue/venue.ts'
import { answerMs, mostCalls } from './processor.ts'

/*
 * Somebody who is about to pay. Cast: a guest's press makes the row and opens the processor's page; a call of the
 * processor, the guest who comes back and the worker all look at it by one function (look.ts). Every parameter of a call
 * is in the row before the call, so a crash leaves nothing that the same call does not settle. A row is in no list, no
 * feed and no event.
 *
 * made -> opening -> open -> completed or refused; any of the first three -> ended; ended -> completed or refused, if it
 * was paid after all. Who pays in a way that takes days has finished the page: tickets are completed then, with an order that
 * waits for its money, and are looked at until it is known; anything else stays open, and keeps its place.
 */

export const checkoutRow = {
  id: 'int8',
  ref: 'uuid',
  account_id: 'uuid',
  kind: 'text',
  mode: 'text',
  state: 'text',
  occurrence_id: 'int8?',
  seats: 'int4?',
  promo_code_id: 'int8?',
  form: 'jsonb?',
  language: 'text',
  title: 'text',
  sentence: 'text?',
  subtotal_cents: 'int4',
  discount_cents: 'int4',
  fee_cents: 'int4',
  tax_cents: 'int4',
  total_cents: 'int4',
  currency: 'text',
  made_at: 'timestamptz',
  ends_at: 'timestamptz?',
  counts_until: 'timestamptz',
  try: 'int4',
  session_ref: 'text?',
  why: 'text?',
  order_id: 'int8?',
  hold_id: 'text?',
  reservation_id: 'int8?',
  key_id: 'int8?',
  return_url: 'text?',
  look_at: 'timestamptz?',
} as const
export type CheckoutRow = RowOf<typeof checkoutRow>

/** Why one was ended or refused, for the words of a page. */
export type CheckoutWhy =
  | 'late'
  /** Its time is over and the processor did not say whether it was paid: `late` once it has said that it was not. */
  | 'unheard'
  | 'given-up'
  | 'away'
  | 'not-opened'
  | 'seats-full'
  | 'promo-code-invalid'
  | 'over'
  | 'amount'
  | 'taken'
  /** The venue takes no bookings for that time any more. */
  | 'closed'
  /** It is no longer asked for: of one that is not over, its page is to be closed. */
  | 'not-asked'
  /** The page is finished and the money has not come: not yet, or, of one that ended, never. */
  | 'unpaid'

/** What it is for: seats of a date, the place that a hold keeps, or a booking that is there. */
type CheckoutOf =
  | {
      readonly kind: 'tickets'
      readonly occurrenceId: number
      readonly seats: number
      readonly promoCodeId: number | null
    }
  | { readonly kind: 'table'; readonly mode: 'payment' | 'setup'; readonly holdId: string }
  | { readonly kind: 'ask' | 'fee'; readonly mode: 'payment' | 'setup'; readonly reservationId: number }

export type NewCheckout = {
  readonly ref: string
  readonly account: string
  readonly of: CheckoutOf
  readonly form: object
  readonly sentence: string | null
  readonly buyerEmailKey: string | null
  readonly language: string
  readonly title: string
  readonly price: {
    readonly subtotalCents: number
    readonly discountCents: number
    readonly feeCents: number
    readonly taxCents: number
    readonly totalCents: number
  }
  readonly currency: string
  readonly by?: BegunByKey | undefined
}

/** A key that began it on the venue's own site, and where its guest goes afterwards. */
export type BegunByKey = { readonly key: number; readonly returnUrl: string }

export const { checkoutMinutes } = limits

export const insertCheckout = async (
  db: Queries,
  venue: VenueId,
  { ref, account, of, form, price, ...more }: NewCheckout,
  now: Temporal.Instant,
): Promise<number> => {
  const tickets = of.kind === 'tickets' ? of : null
  const table = of.kind === 'table' ? of : null
  const booking = of.kind === 'ask' || of.kind === 'fee' ? of : null
  const until = now.add({ minutes: checkoutMinutes.made })
  const { id } = await db.one(sql({ id: 'int8' })`
    insert into checkout (
      venue_id, ref, account_id, kind, mode, state, occurrence_id, seats, promo_code_id, hold_id, reservation_id, form, buyer_email_key,
      language, title, sentence, subtotal_cents, discount_cents, fee_cents, tax_cents, total_cents, currency, made_at, counts_until, look_at,
      key_id, return_url)
    values (
      ${venue}, ${ref}, ${account}, ${of.kind}, ${(table ?? booking)?.mode ?? 'payment'}, 'made', ${tickets?.occurrenceId ?? null},
      ${tickets?.seats ?? null}, ${tickets?.promoCodeId ?? null}, ${table?.holdId ?? null}, ${booking?.reservationId ?? null}, ${JSON.stringify(form)}::jsonb,
      ${more.buyerEmailKey}, ${more.language}, ${more.title}, ${more.sentence}, ${price.subtotalCents},
      ${price.discountCents}, ${price.feeCents}, ${price.taxCents}, ${price.totalCents}, ${more.currency}, ${now},
      ${until}, ${until}, ${more.by?.key ?? null}, ${more.by?.returnUrl ?? null})
    returning id`)
  return id
}

export const checkoutById = (db: Queries, venue: VenueId, id: number): Promise<CheckoutRow | undefined> =>
  db.maybe(sql(checkoutRow)`
    select ${columnsOf(checkoutRow)} from checkout where venue_id = ${venue} and id = ${id}`)

export const checkoutOfRef = async (db: Queries, venue: VenueId, ref: string): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from checkout where venue_id = ${venue} and ref = ${ref}`)
  )?.id

/** Those whose page at the processor may be open, or paid, or whose money is still to come. */
export const unsettledCheckouts = async (db: Queries, venue: VenueId): Promise<number[]> => {
  const rows = await db.many(sql({ id: 'int8' })`
    select id from checkout
     where venue_id = ${venue} and (state in ('opening', 'open') or state = 'completed' and look_at is not null) order by id`)
  return rows.map(({ id }) => id)
}

/** Those of these names that are not settled here, and whose account is not removed. */
export const unsettledOf = async (
  db: Queries,
  venue: VenueId,
  refs: readonly string[],
): Promise<number[]> => {
  const rows = await db.many(sql({ id: 'int8' })`
    select id from checkout c
     where venue_id = ${venue} and ref = any(${[...refs]}::uuid[])
       and not exists (
         select from processor_account a
          where a.venue_id = ${venue} and a.id = c.account_id and a.removed_at is not null)
       and (state in ('made', 'opening', 'open', 'ended') or state = 'completed' and look_at is not null) order by id`)
  return rows.map(({ id }) => id)
}

/** Locked until the transaction ends: after the date and the code, before an order. */
export const checkoutForUpdate = (
  db: Queries,
  venue: VenueId,
  id: number,
): Promise<CheckoutRow | undefined> =>
  db.maybe(sql(checkoutRow)`
    select ${columnsOf(checkoutRow)} from checkout where venue_id = ${venue} and id = ${id} for update`)

/** The guest pressed: it counts for as long as the processor's page may be open. Undefined when it no longer counts. */
export const beginOpening = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<CheckoutRow | undefined> => {
  const { ends, counts } = pageFrom(now)
  return db.maybe(sql(checkoutRow)`
    update checkout set
      state = 'opening', ends_at = ${ends}, counts_until = ${counts},
      look_at = ${now.add({ seconds: openingSeconds })}
     where venue_id = ${venue} and id = ${id} and state = 'made' and counts_until > ${now} and why is null
    returning ${columnsOf(checkoutRow)}`)
}

/**
 * What these are for is no longer asked: a worker closes their pages at the processor. Whose money has come by then is not
 * ended here: it goes back, or is what it was paid for.
 */
export const withdrawCheckouts = (
  db: Queries,
  venue: VenueId,
  { ids = [], reservations }: { readonly ids?: readonly number[]; readonly reservations: readonly number[] },
): Promise<number> =>
  db.run(sql()`
    update checkout set why = 'not-asked', look_at = made_at
     where venue_id = ${venue} and (id = any(${ids}::bigint[]) or reservation_id = any(${reservations}::bigint[]))
       and state in ('made', 'opening', 'open') and why is null`)

export const isWithdrawn = ({ state, why }: Pick<CheckoutRow, 'state' | 'why'>): boolean =>
  why === 'not-asked' && (state === 'made' || state === 'opening' || state === 'open')

/** When the processor's page ends that opens now, and until when what it is for is nobody else's. */
const pageFrom = (now: Temporal.Instant) => {
  const ends = now.add({ minutes: checkoutMinutes.page })
  return { ends, counts: ends.add({ minutes: checkoutMinutes.grace }) }
}

/** How long a worker that looks at a processor has a row to itself, in seconds: longer than all of its calls. */
export const leaseSeconds = (mostCalls * answerMs.job) / 1_000 + 10
/** How long the press that opens a page has its row to itself, in seconds: guests wait for the page. */
const openingSeconds = 45

/** Whether its order is made and its money is still to come: it is looked at until that is known. */
export const isAwaited = ({ state, look_at }: Pick<CheckoutRow, 'state' | 'look_at'>): boolean =>
  state === 'completed' && look_at !== null

/** Whether an order's money is on its way here. */
export const isMoneyAwaited = async (
  db: Queries,
  venue: VenueId,
  { id, occurrence_id }: { readonly id: number; readonly occurrence_id: number },
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from checkout
     where venue_id = ${venue} and occurrence_id = ${occurrence_id} and order_id = ${id} and state = 'completed' and look_at is not null`)) !==
  undefined

/** The page is finished and its money is still to come: the place is kept as long as if the page had been opened now. */
export const keepCounting = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<CheckoutRow | undefined> => {
  const { ends, counts } = pageFrom(now)
  return db.maybe(sql(checkoutRow)`
    update checkout set ends_at = ${ends}, counts_until = ${counts}, why = 'unpaid'
     where venue_id = ${venue} and id = ${id} and state = 'open'
    returning ${columnsOf(checkoutRow)}`)
}

/** It is known whether the money of an order came; `why`: it did not. */
export const endAwaiting = (
  db: Queries,
  venue: VenueId,
  id: number,
  why: CheckoutWhy | null,
): Promise<number> =>
  db.run(sql()`
    update checkout set look_at = null, why = ${why}, form = null, buyer_email_key = null
     where venue_id = ${venue} and id = ${id} and state = 'completed' and look_at is not null`)

/** The processor's page exists. One that ended meanwhile stays so; its page is looked at all the same. */
export const markOpen = (
  db: Queries,
  venue: VenueId,
  id: number,
  sessionRef: string,
  lookAt: Temporal.Instant,
): Promise<CheckoutRow | undefined> =>
  db.maybe(sql(checkoutRow)`
    update checkout set
      state = case when state = 'opening' then 'open' else state end, session_ref = ${sessionRef}, look_at = ${lookAt}
     where venue_id = ${venue} and id = ${id} and (state = 'opening' or (state = 'ended' and session_ref is null))
    returning ${columnsOf(checkoutRow)}`)

/** Nothing was done for certain: the next call has another key. */
export const raiseTry = (
  db: Queries,
  venue: VenueId,
  { id, try: tried }: Pick<CheckoutRow, 'id' | 'try'>,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update checkout set try = try + 1, look_at = ${now}
     where venue_id = ${venue} and id = ${id} and try = ${tried} and state = 'opening'`)

/**
 * Ends one that nobody paid; its places are free. `lookAt`: the processor has not said so, so it is asked again. One that was called
 * about meanwhile stays due.
 */
export const endCheckout = (
  db: Queries,
  venue: VenueId,
  id: number,
  why: CheckoutWhy,
  lookAt: Temporal.Instant | null,
): Promise<CheckoutRow | undefined> =>
  db.maybe(sql(checkoutRow)`
    update checkout set
      state = 'ended', why = ${why}, look_at = case when look_at <= made_at then look_at else ${lookAt}::timestamptz end
     where venue_id = ${venue} and id = ${id} and state in ('made', 'opening', 'open')
    returning ${columnsOf(checkoutRow)}`)

/** The processor has said by now that it was not paid. */
export const heardUnpaid = (db: Queries, venue: VenueId, id: number): Promise<number> =>
  db.run(sql()`
    update checkout set why = 'late'
     where venue_id = ${venue} and id = ${id} and state = 'ended' and why = 'unheard'`)

/**
 * It was paid: an order or a booking is there, given or to be refunded. What was typed is in it now; of a table that could not
 * be given it is nowhere else, so it stays until it is forgotten.
 */
export const settleCheckout = (
  db: Queries,
  venue: VenueId,
  id: number,
  {
    state,
    order,
    reservation,
    why,
    awaitedAt = null,
  }: {
    readonly state: 'completed' | 'refused'
    readonly order?: number
    readonly reservation?: number
    readonly why: CheckoutWhy | null
    /** Its money is still to come: when it is looked at next. */
    readonly awaitedAt?: Temporal.Instant | null
  },
): Promise<CheckoutRow | undefined> => {
  const keepsForm = (order === undefined && reservation === undefined) || awaitedAt !== null
  return db.maybe(sql(checkoutRow)`
    update checkout set
      state = ${state}, order_id = ${order ?? null}, reservation_id = coalesce(${reservation ?? null}, reservation_id), why = ${why}, look_at = ${awaitedAt}::timestamptz,
      form = case when ${keepsForm}::boolean then form else null end,
      buyer_email_key = case when ${keepsForm}::boolean then buyer_email_key else null end
     where venue_id = ${venue} and id = ${id} and state in ('made', 'opening', 'open', 'ended')
    returning ${columnsOf(checkoutRow)}`)
}

/** Sets when it is looked at next; one that was called about since this look began stays due. */
export const lookLater = (
  db: Queries,
  venue: VenueId,
  id: number,
  lookAt: Temporal.Instant | null,
): Promise<number> =>
  db.run(sql()`
    update checkout set look_at = ${lookAt}
     where venue_id = ${venue} and id = ${id}
       and (state in ('made', 'opening', 'open', 'ended') or state = 'completed' and look_at is not null)
       and (look_at is null or look_at > made_at)`)

/** Takes one for a guest who is back; false when it is not due for longer than the worker waits: somebody just looked. */
export const takeForGuest = async (
  db: Queries,
  venue: VenueId,
  id: number,
  {
    open,
    ended,
    paceSeconds,
  }: {
    readonly open: Temporal.Instant
    readonly ended: Temporal.Instant
    readonly paceSeconds: number
  },
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    update checkout set
      look_at = case when state = 'open' then ${open.add({ seconds: paceSeconds })}::timestamptz
                  else ${ended.add({ seconds: paceSeconds })}::timestamptz end
     where venue_id = ${venue} and id = ${id}
       and (state = 'open' and look_at <= ${open} or state = 'ended' and look_at <= ${ended})
    returning id`)) !== undefined

/** Those that are to be looked at. */
export const checkoutsDue = leasedRows('checkout', { id: 'int8' }, { due: 'look_at', leaseSeconds })

/** Those that an account's key could no longer look at are due again: it has another one. */
export const lookOnceMore = (
  db: Queries,
  venue: VenueId,
  account: string,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update checkout c set look_at = ${now}
     where c.venue_id = ${venue} and c.account_id = ${account} and c.state in ('ended', 'completed') and c.look_at is null
       and c.ref::text in (
         select m.subject from money_matter m
          where m.venue_id = ${venue} and m.kind = 'not-seen' and m.done_at is null)`)

/** What buyers typed is forgotten 30 days after, if they did not buy. */
export const forgetForms = (db: Queries, before: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update checkout set form = null, buyer_email_key = null where form is not null and made_at < ${before}`)

/** Whether somebody went to pay for a date: it cannot be removed then. */
export const hasCheckouts = async (db: Queries, venue: VenueId, occurrence: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from checkout where venue_id = ${venue} and occurrence_id = ${occurrence} limit 1`)) !==
  undefined
