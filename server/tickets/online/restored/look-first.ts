import type { Context } from '../../../context.ts'
import {
  type AccountRow,
  accountLookedAt,
  accountsToLookAt,
  keyOf,
  lookAtAccount,
  usedAccounts,
  venuesWithAccounts,
} from '../../../core/money/account-store.ts'
import {
  checkoutMinutes,
  checkoutOfRef,
  unsettledCheckouts,
  unsettledOf,
} from '../../../core/money/checkout-store.ts'
import { forEachDue } from '../../../core/money/each-due.ts'
import { type Looking, lookInLists } from '../../../core/money/look.ts'
import { addMatter } from '../../../core/money/matter-store.ts'
import { isPaymentKnown } from '../../../core/money/payment-store.ts'
import {
  type CardThere,
  type MovedThere,
  type Outcome,
  answerOf,
  mayBeOf,
} from '../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import { allVenues } from '../../../core/venue/venues.ts'
import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { takeCard } from '../../../book/reservations/guarantee/charging/take-card.ts'
import {
  type SaidBy,
  settleMade,
  takePayment,
} from '../../../book/reservations/guarantee/charging/take-payment.ts'
import { notKnownYet, takeInstead } from '../money-back/made-instead.ts'
import { type DisputeThere, disputesThere, takeDispute } from '../money-back/take-dispute.ts'
import { takeRefund } from '../money-back/take-refund.ts'

/*
 * What a restored copy does before it sends again: it knows less than the processor, so it looks at everything that moved
 * since a day before its backup, at cards that pages kept since, and at disputes that were opened since or may still turn, and only then writes. What is named by us and has no row here is for somebody to look at.
 */

export type LookedFirst = {
  readonly checkouts: number
  /** Of ours, and not written here. */
  readonly notHere: number
  /** Venues with a key that is not taken, so that nothing is known of that account. */
  readonly denied: readonly string[]
}

type Parts = Pick<Context, 'db' | 'clock' | 'secrets' | 'processors' | 'log' | 'config' | 'hold'>
type LookingAt = (parts: Parts) => Looking
type Seen = {
  readonly cards: readonly (SaidBy & { readonly one: CardThere })[]
  readonly moved: readonly (SaidBy & { readonly one: MovedThere })[]
  readonly disputes: readonly DisputeThere[]
  /** The account does not let us know all of it. */
  readonly isDenied: boolean
}

/** The pages of the service of before end by then: who had one open may have paid after the copy looked. */
const pagesMinutes = checkoutMinutes.page + checkoutMinutes.grace

/**
 * `lookingAt`: what looks at checkouts and gives what was paid for. Throws a Refusal, with nothing written, while the processor
 * does not answer. An account whose key is not taken is looked at as soon as it is, by `lookAfterwards`.
 */
export const lookFirst = async (
  context: Parts,
  heldSince: Temporal.Instant,
  lookingAt: LookingAt,
): Promise<LookedFirst> => {
  // The copy as a whole stays on hold; only this looks.
  const parts = { ...context, hold: { ...context.hold, isOn: () => false } }
  const { db, clock } = parts
  const concerned = await venuesWithAccounts(db)
  const until = heldSince.add({ minutes: pagesMinutes })
  const found: {
    venue: Venue
    accounts: (Seen & { id: string; began: Temporal.Instant; since: Temporal.Instant })[]
  }[] = []
  for (const row of await allVenues(db)) {
    if (!concerned.has(row.id)) continue
    const venue = { ...row, plan: row.plan as Plan }
    const from = (await backupOf(db, venue.id, heldSince)).subtract({ hours: 24 })
    const accounts = []
    for (const account of await usedAccounts(db, venue.id)) {
      const began = clock()
      const since = sinceThen(account, from)
      accounts.push({ id: account.id, began, since, ...(await seenSince(parts, venue, account, since)) })
    }
    found.push({ venue, accounts })
  }
  const sums = { checkouts: 0, notHere: 0 }
  for (const { venue, accounts } of found) {
    const wrote = await writeSeen(parts, venue, lookingAt, {
      cards: accounts.flatMap(({ cards }) => cards),
      moved: accounts.flatMap(({ moved }) => moved),
      disputes: accounts.flatMap(({ disputes }) => disputes),
      underWay: await unsettledCheckouts(db, venue.id),
    })
    sums.checkouts += wrote.checkouts
    sums.notHere += wrote.notHere
    for (const { id, began, since, isDenied } of accounts) {
      await lookAtAccount(db, venue.id, id, { from: since, until, at: clock() })
      if (!isDenied) await accountLookedAt(db, venue.id, id, began)
    }
  }
  const denied = found.filter(({ accounts }) => accounts.some(({ isDenied }) => isDenied))
  return { ...sums, denied: denied.map(({ venue }) => venue.slug) }
}

/** What a copy of before could not look at yet, as a key was not taken, is looked at with the rest. */
const sinceThen = ({ look_from: before }: AccountRow, from: Temporal.Instant): Temporal.Instant =>
  before !== null && Temporal.Instant.compare(toInstant(before), from) < 0 ? toInstant(before) : from

/** So long an account whose key is not taken is asked again. */
const deniedDays = 7

/**
 * Once a copy sends again: looks at what could not be known then, as a key was not taken, or a guest still had a page of the service
 * of before.
 */
export const lookAfterwards = (parts: Parts, lookingAt: LookingAt, signal: AbortSignal): Promise<void> =>
  forEachDue(parts, signal, {
    queue: accountsToLookAt,
    act: (venue, account) => lookSince(parts, lookingAt, venue, account),
    mistake: 'what was done since a backup could not be looked at',
  })

/** One that is not known all of is asked again when its lease has ended. */
const lookSince = async (
  parts: Parts,
  lookingAt: LookingAt,
  venue: Venue,
  account: AccountRow & Readonly<Record<'look_from' | 'look_until', Moment>>,
): Promise<void> => {
  const { db, clock, log } = parts
  const began = clock()
  try {
    const seen = await seenSince(parts, venue, account, toInstant(account.look_from))
    await writeSeen(parts, venue, lookingAt, { ...seen, underWay: [] })
    const isGivenUp =
      Temporal.Instant.compare(toInstant(account.look_until).add({ hours: 24 * deniedDays }), began) < 0
    if (!seen.isDenied || isGivenUp) await accountLookedAt(db, venue.id, account.id, began)
  } catch (error) {
    // The processor does not answer, which is no mistake of ours.
    if (!(error instanceof Refusal)) throw error
    log.warn({ venue: venue.slug }, 'the processor does not say what it did since a backup')
  }
}

/** By its own key: that of an account that was left says nothing about the others. */
const seenSince = async (
  { db, secrets, processors, clock }: Parts,
  venue: Venue,
  account: AccountRow,
  from: Temporal.Instant,
): Promise<Seen> => {
  const by = processors.of(keyOf(secrets, venue.id, account), 'job')
  const said = { by, account: account.id }
  const to = clock().add({ minutes: 1 })
  const known = <T>(outcome: Outcome<T>): T | undefined => answerOf(outcome, () => notKnownYet(venue))
  const moved = known(await by.movedBetween(from, to))
  const cards = moved && known(await by.cardsKeptBetween(from, to))
  const disputes = moved && known(await disputesThere({ db, clock }, venue, { account, by, from, to }))
  const ours = <One extends { readonly venue: string | null }>(all: readonly One[] | undefined) =>
    (all ?? []).filter(mayBeOf(venue)).map((one) => ({ one, ...said }))
  return {
    ...{ cards: ours(cards), moved: ours(moved), disputes: disputes ?? [] },
    isDenied: cards === undefined || disputes === undefined,
  }
}

/** In the order in which each needs what is before it. */
const writeSeen = async (
  parts: Parts,
  venue: Venue,
  lookingAt: LookingAt,
  { cards, moved, disputes, underWay }: Omit<Seen, 'isDenied'> & { readonly underWay: readonly number[] },
): Promise<Pick<LookedFirst, 'checkouts' | 'notHere'>> => {
  let notHere = 0
  // In the order in which they were made.
  const payments = moved.filter(isOf('payment')).toReversed()
  const paidOn = [...cards.toReversed(), ...payments].flatMap(({ one: { ref } }) =>
    ref !== null && isUuid(ref) ? [ref] : [],
  )
  const checkouts = new Set([...underWay, ...(await unsettledOf(parts.db, venue.id, paidOn))])
  for (const id of checkouts) await lookInLists(lookingAt(parts), venue, id)
  for (const { one, ...said } of cards.toReversed())
    if ((await takeCard(parts, venue, one, said)) === 'not here') notHere++
  // Once every card is known that was kept since.
  for (const seenThere of payments)
    if (!(await isTaken(parts, venue, seenThere))) notHere += await noteNotHere(parts, venue, seenThere.one)
  // Once every payment that can be written here is.
  for (const { one, by } of moved.filter(isOf('refund'))) {
    await takeInstead(parts, venue, one, by, true)
    if (!(await takeRefund(parts, venue, one, by, true))) notHere += await noteNotHere(parts, venue, one)
  }
  // Once the payments that they are of are known, and what of them went back another way.
  for (const dispute of disputes) await takeDispute(parts, venue, dispute)
  return { checkouts: checkouts.size, notHere }
}

const isOf =
  (what: MovedThere['what']) =>
  ({ one }: Seen['moved'][number]): boolean =>
    one.what === what

/** The last that anybody did before the copy began is about when its backup was made. */
const backupOf = async (
  db: Queries,
  venue: VenueId,
  heldSince: Temporal.Instant,
): Promise<Temporal.Instant> => {
  const { at } = await db.one(sql({ at: 'timestamptz?' })`
    select max(at) as at from activity where venue_id = ${venue} and at < ${heldSince}`)
  return at === null ? heldSince.subtract({ hours: 24 * 30 }) : Temporal.Instant.from(at)
}

/** Whether it is the venue's other business, known here, or written now. */
const isTaken = async (
  parts: Parts,
  venue: Venue,
  { one, ...by }: Seen['moved'][number],
): Promise<boolean> => {
  const { ref, objectRef } = one
  if (ref === null || !isUuid(ref)) return true
  await settleMade(parts, venue, ref, objectRef)
  if (await isPaymentKnown(parts.db, venue.id, ref, objectRef)) return true
  return (await checkoutOfRef(parts.db, venue.id, ref)) !== undefined || takePayment(parts, venue, one, by)
}

const noteNotHere = async (
  { db, clock }: Parts,
  venue: Venue,
  { what, objectRef, amountCents, currency, movedAt }: MovedThere,
): Promise<number> => {
  const matter = {
    kind: 'not-here',
    subject: objectRef,
    order: null,
    amountCents,
    currency,
    movedAt,
    reason: what,
  } as const
  const added = await db.transaction((queries) =>
    addMatter(queries.within(venue.id), venue.id, matter, clock()),
  )
  return added ? 1 : 0
}
