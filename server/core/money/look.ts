import type { Work } from '../../context.ts'
import type { VenueQueries } from '../../platform/db/pool.ts'
import type { Venue } from '../venue/venue.ts'
import { processorOf } from './account-store.ts'
import { keyHours } from './call-once.ts'
import { bookingName } from './booking-name.ts'
import type { ProcessorWork } from './each-due.ts'
import {
  type CheckoutRow,
  type CheckoutWhy,
  beginOpening,
  checkoutById,
  checkoutMinutes,
  endCheckout,
  heardUnpaid,
  isAwaited,
  isWithdrawn,
  lookLater,
  markOpen,
  raiseTry,
  takeForGuest,
} from './checkout-store.ts'
import { addMatter, endMatterOf } from './matter-store.ts'
import {
  type CardKept,
  type Outcome,
  type Patience,
  type SessionAsked,
  type SessionSeen,
  isDenied,
} from './processor.ts'

/*
 * Where a checkout ends, by one function that looks at the processor and believes nothing else: a call of the
 * processor, the guest who comes back and the worker all end in it, in any order and any number. Who finds it paid gives
 * what was paid for, or says why it cannot be given, in one transaction of the giver's.
 */

/** What is known of a payment that arrived. */
export type Paid = {
  /** `pending`: the guest has done their part, and the money is still to come; `failed`: it never will. */
  readonly how: 'paid' | 'pending' | 'failed'
  readonly paymentRef: string | null
  readonly card: CardKept | null
}

/** Gives what was paid for and settles the checkout, once, in the transaction of `work`; or keeps it, or ends it unpaid. */
export type Give = (work: Work, checkout: number, paid: Paid) => Promise<void>

export type Looking = ProcessorWork & {
  /** The pages of a checkout at the service: where the processor sends the guest. */
  readonly pagesOf: (venue: Venue, checkout: number) => { readonly back: string; readonly cancel: string }
  readonly give: Give
  /** Keeps the place of one that may be paid now, and lets go of that of one that ended, in the same transaction. */
  readonly placeOf: (db: VenueQueries, venue: Venue, row: CheckoutRow) => Promise<unknown>
}

/** How often a page that is open is looked at, if nothing is heard of it, in seconds. */
const lookSeconds = 60
/** How often guests who are back have it looked at: as much longer the worker waits then. */
const guestPaceSeconds = 2
/**
 * What ended without a word of the processor's is looked at for a day, and until it was answered; with a key that the processor
 * does not take, for a week: the next key of the account looks once more.
 */
export const afterMinutes = 15
const lastHours = 24
const deniedHours = 7 * 24

export type Pressed =
  | { readonly kind: 'go'; readonly to: string }
  /** Nothing is known yet: the page asks again. */
  | { readonly kind: 'wait' }
  /** A copy that was restored asks the processor nothing until the operator says so. */
  | { readonly kind: 'soon' }
  /** It is what its row says: ended, or paid. */
  | { readonly kind: 'settled' }

/** The guest wants to pay: opens the processor's page, or leads to it again. */
export const press = async (parts: Looking, venue: Venue, id: number): Promise<Pressed> => {
  if (parts.hold.isOn()) return { kind: 'soon' }
  const begun = await parts.db.transaction(async (queries) => {
    const db = queries.within(venue.id)
    const row = await beginOpening(db, venue.id, id, parts.clock())
    if (row) await parts.placeOf(db, venue, row)
    return row
  })
  if (begun) return opened(await open(parts, venue, begun, 'request'))
  const row = await checkoutById(parts.db, venue.id, id)
  if (row && isWithdrawn(row)) {
    await withdraw(parts, venue, row, 'request')
    return { kind: 'settled' }
  }
  if (row?.state === 'opening') return { kind: 'wait' }
  if (row?.state !== 'open') return { kind: 'settled' }
  return opened(await lookAtSession(parts, venue, row, 'request'))
}

const opened = (seen: SessionSeen | 'unknown' | 'settled'): Pressed => {
  if (seen === 'settled') return { kind: 'settled' }
  return seen === 'unknown' || seen.url === null ? { kind: 'wait' } : { kind: 'go', to: seen.url }
}

/** Looks at one for a guest who is back, unless that was done just now: loading the page again asks nobody. */
export const lookForGuest = async (parts: Looking, venue: Venue, id: number): Promise<void> => {
  const now = parts.clock()
  const isDue = await takeForGuest(parts.db, venue.id, id, {
    open: now.add({ seconds: lookSeconds }),
    ended: now.add({ minutes: afterMinutes }),
    paceSeconds: guestPaceSeconds,
  })
  if (isDue) await look(parts, venue, id, 'request')
}

/** Looks at a checkout, and settles what can be settled. */
export const look = async (parts: Looking, venue: Venue, id: number, patience: Patience): Promise<void> => {
  const row = await checkoutById(parts.db, venue.id, id)
  if (!row || isSettled(row)) return
  if (isWithdrawn(row)) return withdraw(parts, venue, row, patience)
  if (row.state === 'made') {
    if (isPast(row.counts_until, parts.clock())) await end(parts, venue, row, 'late', null)
    return
  }
  if (parts.hold.isOn()) return
  if (row.session_ref !== null) await lookAtSession(parts, venue, row, patience)
  else if (row.state === 'opening' && !isForgotten(row, parts.clock()))
    await open(parts, venue, row, patience)
  else if (row.state === 'opening') await findOpened(parts, venue, row, patience)
  else await findEnded(parts, venue, row, patience)
}

/** Looks at one of which the processor may know more than its row, as on a restored copy; it makes no page. */
export const lookInLists = async (parts: Looking, venue: Venue, id: number): Promise<void> => {
  const row = await checkoutById(parts.db, venue.id, id)
  if (!row || isSettled(row)) return
  if (row.session_ref === null) {
    const found = await findPage(parts, venue, row, 'job')
    if (found.kind !== 'done' || !found.value) return
    // Its press was after the backup.
    if (row.state === 'made') await end(parts, venue, row, 'late', null)
    await take(parts, venue, row, found.value)
  }
  await look(parts, venue, id, 'job')
}

const isSettled = (row: CheckoutRow): boolean =>
  row.state === 'refused' || (row.state === 'completed' && !isAwaited(row))

/** One that ended before anybody knew of its page: the lists say for a day whether there is one. */
const findEnded = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  patience: Patience,
): Promise<void> => {
  const found = await findPage(parts, venue, row, patience)
  if (found.kind === 'done' && found.value) await take(parts, venue, row, found.value)
  else await lookLater(parts.db, venue.id, row.id, nextLook(parts, row, found))
}

/** The guest gives it up. One whose page is open is closed there first: who has paid meanwhile has paid. */
export const giveUp = async (parts: Looking, venue: Venue, id: number): Promise<void> => {
  const row = await checkoutById(parts.db, venue.id, id)
  if (row?.state === 'made') return end(parts, venue, row, 'given-up', null)
  if (row?.state !== 'open' || row.session_ref === null || parts.hold.isOn()) return
  await closePage(parts, venue, { ...row, session_ref: row.session_ref }, 'given-up', 'request')
}

const closePage = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow & { readonly session_ref: string },
  why: CheckoutWhy,
  patience: Patience,
): Promise<void> => {
  const processor = await processorOf(parts, venue, row.account_id, patience)
  const expired = await processor.expireSession(row.session_ref)
  if (expired.kind === 'done' && expired.value.state === 'expired') return end(parts, venue, row, why, null)
  await lookAtSession(parts, venue, row, patience)
}

/** It is no longer asked for, so its page is closed. One whose page may just be opening is looked for in the lists. */
const withdraw = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  patience: Patience,
): Promise<void> => {
  if (row.state === 'made') return end(parts, venue, row, 'not-asked', null)
  if (parts.hold.isOn()) return
  const { session_ref } = row
  if (session_ref !== null) return closePage(parts, venue, { ...row, session_ref }, 'not-asked', patience)
  const found = await findPage(parts, venue, row, patience)
  if (found.kind !== 'done')
    return void (await lookLater(parts.db, venue.id, row.id, parts.clock().add({ seconds: retrySeconds })))
  if (!found.value) return end(parts, venue, row, 'not-asked', nextLook(parts, row, found))
  await take(parts, venue, row, found.value)
  await closePage(parts, venue, { ...row, session_ref: found.value.sessionRef }, 'not-asked', patience)
}

/** Makes the call that opens the page, the first time or once more: the key is the same, so it is one page. */
const open = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  patience: Patience,
): Promise<SessionSeen | 'unknown' | 'settled'> => {
  const processor = await processorOf(parts, venue, row.account_id, patience)
  const outcome = await processor.openSession(await askedOf(parts, venue, row))
  switch (outcome.kind) {
    case 'done':
      return take(parts, venue, row, outcome.value)
    case 'unreached':
      await end(parts, venue, row, 'away', null)
      return 'settled'
    case 'refused':
    case 'gone':
      // Refused because its end is too near: then no page was made before either.
      if (outcome.kind === 'refused')
        parts.log.warn({ venue: venue.slug, code: outcome.code }, 'the processor opened no page')
      await end(parts, venue, row, 'not-opened', null)
      return 'settled'
    case 'denied':
      // A page of an earlier call may be open all the same.
      parts.log.warn({ venue: venue.slug, code: outcome.code }, 'the processor does not take the key')
      await end(parts, venue, row, 'not-opened', nextLook(parts, row, outcome))
      return 'settled'
    case 'failed':
      // Somebody waits: the worker looks in the lists.
      if (patience === 'job') await findOpened(parts, venue, row, patience)
      else await lookLater(parts.db, venue.id, row.id, parts.clock())
      return 'unknown'
    default:
      if (isOver(row, parts.clock())) await end(parts, venue, row, 'late', nextLook(parts, row, outcome))
      else await lookLater(parts.db, venue.id, row.id, parts.clock().add({ seconds: retrySeconds }))
      return 'unknown'
  }
}

const retrySeconds = 10

/** After a failure that will be repeated to this key: only the lists say whether a page was made. */
const findOpened = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  patience: Patience,
): Promise<void> => {
  const found = await findPage(parts, venue, row, patience)
  if (found.kind === 'done' && found.value) await take(parts, venue, row, found.value)
  else if (isOver(row, parts.clock())) await end(parts, venue, row, 'late', nextLook(parts, row, found))
  else if (found.kind === 'done') await raiseTry(parts.db, venue.id, row, parts.clock())
  else await lookLater(parts.db, venue.id, row.id, parts.clock().add({ seconds: retrySeconds }))
}

/** Its page, by the processor's lists; null: none was made. */
const findPage = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  patience: Patience,
): Promise<Outcome<SessionSeen | null>> => {
  const processor = await processorOf(parts, venue, row.account_id, patience)
  return processor.findSession(row.ref, Temporal.Instant.from(row.made_at))
}

const take = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  seen: SessionSeen,
): Promise<SessionSeen | 'settled'> => {
  const at = parts.clock().add({ seconds: lookSeconds })
  const marked = await parts.db.transaction((db) =>
    markOpen(db.within(venue.id), venue.id, row.id, seen.sessionRef, at),
  )
  // It ended meanwhile: its page is known now, so what is paid there is seen, but nobody is led to it.
  return marked?.state === 'open' ? seen : 'settled'
}

const lookAtSession = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  patience: Patience,
): Promise<SessionSeen | 'unknown' | 'settled'> => {
  const processor = await processorOf(parts, venue, row.account_id, patience)
  const outcome = await processor.lookAtSession(row.session_ref ?? '')
  if (outcome.kind === 'done') return judge(parts, venue, row, outcome.value, patience)
  await later(parts, venue, row, outcome, patience)
  return 'unknown'
}

const judge = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  seen: SessionSeen,
  patience: Patience,
): Promise<SessionSeen | 'settled'> => {
  if (seen.state === 'complete') {
    const isWhole =
      row.mode === 'setup'
        ? !seen.isPaid || seen.card !== null
        : seen.amountCents === row.total_cents && seen.currency === row.currency
    const isRight = seen.ref === row.ref && isWhole
    if (!isRight) {
      await differs(parts, venue, row, seen)
      return 'settled'
    }
    const how = seen.isPaid ? 'paid' : seen.isFailed ? 'failed' : 'pending'
    await parts.db.transaction((db) =>
      parts.give({ db: db.within(venue.id), venue, now: parts.clock }, row.id, {
        how,
        paymentRef: seen.paymentRef,
        card: seen.card,
      }),
    )
    if (how === 'pending') {
      // A way to pay that takes days: the processor calls when it is known.
      const next = row.kind === 'tickets' ? { minutes: afterMinutes } : { seconds: lookSeconds }
      await lookLater(parts.db, venue.id, row.id, parts.clock().add(next))
      return seen
    }
    await seenAfterAll(parts, venue, row)
    return 'settled'
  }
  if (seen.state === 'expired') {
    await end(parts, venue, row, 'late', null)
    // One that had ended before is now known never to be paid.
    await lookLater(parts.db, venue.id, row.id, null)
    await heardUnpaid(parts.db, venue.id, row.id)
    await seenAfterAll(parts, venue, row)
    return 'settled'
  }
  await later(parts, venue, row, { kind: 'done', value: seen }, patience)
  return seen
}

/** Not what was asked for, so not ours to give for: somebody has to look. It keeps no place, and nobody is paying any more. */
const differs = async (parts: Looking, venue: Venue, row: CheckoutRow, seen: SessionSeen): Promise<void> => {
  const { db, log, clock } = parts
  log.error({ venue: venue.slug }, 'a payment differs from what was asked for')
  await db.transaction(async (queries) => {
    const within = queries.within(venue.id)
    const [amountCents, currency] = [seen.amountCents ?? 0, seen.currency ?? row.currency]
    const matter = { kind: 'payment-differs', subject: row.ref, order: null, amountCents, currency } as const
    await addMatter(within, venue.id, matter, clock())
    const ended = await endCheckout(within, venue.id, row.id, 'amount', null)
    if (ended) await parts.placeOf(within, venue, ended)
    else await lookLater(within, venue.id, row.id, null)
  })
}

/** Not settled: looked at again, and past its end its places are free in any case. */
const later = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  outcome: Outcome<SessionSeen>,
  patience: Patience,
): Promise<void> => {
  const pace = { seconds: patience === 'request' ? guestPaceSeconds : 0 }
  if (isDenied(outcome))
    parts.log.warn({ venue: venue.slug, code: outcome.code }, 'the processor shows no page')
  const next = nextLook(parts, row, outcome)
  if (isOver(row, parts.clock())) {
    const isHeard = outcome.kind === 'done' || outcome.kind === 'gone'
    await end(parts, venue, row, isHeard ? 'late' : 'unheard', next)
    if (isHeard) await heardUnpaid(parts.db, venue.id, row.id)
    await lookLater(parts.db, venue.id, row.id, next?.add(pace) ?? null)
    if (next === null && isDenied(outcome) && row.mode === 'payment') await notSeen(parts, venue, row)
  } else await lookLater(parts.db, venue.id, row.id, parts.clock().add({ seconds: lookSeconds }).add(pace))
}

const end = async (
  parts: Looking,
  venue: Venue,
  row: CheckoutRow,
  why: CheckoutWhy,
  lookAt: Temporal.Instant | null,
): Promise<void> => {
  await parts.db.transaction(async (queries) => {
    const db = queries.within(venue.id)
    const ended = await endCheckout(db, venue.id, row.id, why, lookAt)
    if (ended) await parts.placeOf(db, venue, ended)
  })
}

/**
 * Whether the processor no longer knows the key of the call that opens the page: the same call says nothing of an earlier one
 * then, and only the lists do.
 */
const isForgotten = ({ ends_at, counts_until }: CheckoutRow, now: Temporal.Instant): boolean => {
  const pressed = Temporal.Instant.from(ends_at ?? counts_until).subtract({ minutes: checkoutMinutes.page })
  return Temporal.Instant.compare(pressed.add({ hours: keyHours }), now) <= 0
}

/** Two minutes past the end of the processor's page. */
const isOver = ({ ends_at }: CheckoutRow, now: Temporal.Instant): boolean =>
  ends_at !== null &&
  Temporal.Instant.compare(Temporal.Instant.from(ends_at).add({ minutes: checkoutMinutes.grace }), now) <= 0

/**
 * When one that is not settled is looked at again; null: never. The last look is one that was answered, however late that is: a
 * worker may have been down for a day, or an owner replaces a key that was not taken, and what was paid meanwhile is found then.
 */
const nextLook = (
  { clock }: Looking,
  { made_at }: CheckoutRow,
  outcome: Outcome<unknown>,
): Temporal.Instant | null => {
  const next = clock().add({ minutes: afterMinutes })
  const isAfter = (hours: number): boolean =>
    Temporal.Instant.compare(next, Temporal.Instant.from(made_at).add({ hours })) >= 0
  const isLast =
    outcome.kind === 'done' || outcome.kind === 'gone'
      ? isAfter(lastHours)
      : isDenied(outcome) && isAfter(deniedHours)
  return isLast ? null : next
}

/** The service has given up looking, and its guest may have paid on the page that they were led to: somebody of the venue has to look. */
const notSeen = ({ db, clock }: Looking, venue: Venue, row: CheckoutRow): Promise<unknown> =>
  addMatter(
    db,
    venue.id,
    {
      ...{ kind: 'not-seen', subject: row.ref, order: null, reservation: row.reservation_id },
      ...{ amountCents: row.total_cents, currency: row.currency },
    },
    clock(),
  )

/** It is known by now what became of it. */
const seenAfterAll = async (
  { db, clock }: Looking,
  venue: Venue,
  { ref, state }: CheckoutRow,
): Promise<void> => {
  if (state === 'ended' || state === 'completed')
    await endMatterOf(db, venue.id, { kind: 'not-seen', subject: ref }, clock())
}

const isPast = (moment: string, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(moment), now) <= 0

const askedOf = async ({ db, pagesOf }: Looking, venue: Venue, row: CheckoutRow): Promise<SessionAsked> => {
  const { email = null } = (row.form ?? {}) as { readonly email?: string | null }
  const pages = pagesOf(venue, row.id)
  return {
    mode: row.mode === 'setup' ? 'setup' : 'payment',
    ref: row.ref,
    venue: venue.id,
    booking: await bookingName(db, venue.id, row.reservation_id),
    try: row.try,
    amountCents: row.total_cents,
    currency: row.currency,
    title: row.title,
    sentence: row.sentence,
    email,
    language: row.language,
    endsAt: Temporal.Instant.from(row.ends_at ?? row.counts_until),
    backUrl: pages.back,
    cancelUrl: pages.cancel,
  }
}
