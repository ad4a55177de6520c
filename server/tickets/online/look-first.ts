import type { Context } from '../../context.ts'
import { keyOf, usedAccounts, venuesWithAccounts } from '../../core/money/account-store.ts'
import { checkoutOfRef, unsettledCheckouts } from '../../core/money/checkout-store.ts'
import { type Looking, lookInLists } from '../../core/money/look.ts'
import { addMatter } from '../../core/money/matter-store.ts'
import { isPaymentKnown } from '../../core/money/payment-store.ts'
import { type MovedThere, type Outcome, mayBeOf } from '../../core/money/processor.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { allVenues } from '../../core/venue/venues.ts'
import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { isUuid } from '../../platform/kernel/uuid.ts'
import {
  type SaidBy,
  settleMade,
  takePayment,
} from '../../book/reservations/guarantee/charging/take-payment.ts'
import { notKnownYet, takeInstead } from './made-instead.ts'
import { type DisputeThere, disputesThere, takeDispute } from './take-dispute.ts'
import { takeRefund } from './take-refund.ts'

/*
 * What a restored copy does before it sends again: it knows less than the processor, so it looks at everything that moved
 * since a day before its backup, and at disputes that were opened since or are not decided here, and only then writes. What is named by us and has no row here is for somebody to look at.
 */

export type LookedFirst = {
  readonly checkouts: number
  /** Of ours, and not written here. */
  readonly notHere: number
  /** Venues with a key that is not taken, so that nothing is known of that account. */
  readonly denied: readonly string[]
}

type Parts = Pick<Context, 'db' | 'clock' | 'secrets' | 'processors' | 'log' | 'config' | 'hold'>
type Seen = {
  readonly venue: Venue
  readonly moved: readonly (SaidBy & { readonly one: MovedThere })[]
  readonly disputes: readonly DisputeThere[]
}

/**
 * `lookingAt`: what looks at checkouts and gives what was paid for. Throws a Refusal, with nothing written, while the processor
 * does not answer.
 */
export const lookFirst = async (
  context: Parts,
  heldSince: Temporal.Instant,
  lookingAt: (parts: Parts) => Looking,
): Promise<LookedFirst> => {
  // The copy as a whole stays on hold; only this looks.
  const parts = { ...context, hold: { ...context.hold, isOn: () => false } }
  const concerned = await venuesWithAccounts(parts.db)
  const seen: Seen[] = []
  const denied: string[] = []
  for (const row of await allVenues(parts.db)) {
    if (!concerned.has(row.id)) continue
    const venue = { ...row, plan: row.plan as Plan }
    const { isDenied, ...there } = await seenSince(
      parts,
      venue,
      await backupOf(parts.db, venue.id, heldSince),
    )
    if (isDenied) denied.push(venue.slug)
    seen.push({ venue, ...there })
  }
  let checkouts = 0
  let notHere = 0
  for (const { venue, moved, disputes } of seen) {
    // In the order in which they were made.
    const payments = moved.filter(isOf('payment')).toReversed()
    for (const id of await checkoutsOf(parts.db, venue.id, payments)) {
      await lookInLists(lookingAt(parts), venue, id)
      checkouts++
    }
    // Once every card is known that was kept since.
    for (const seenThere of payments)
      if (!(await isTaken(parts, venue, seenThere))) notHere += await noteNotHere(parts, venue, seenThere.one)
    // Once every payment that can be written here is.
    for (const { one, by } of moved.filter(isOf('refund'))) {
      await takeInstead(parts, venue, one, by)
      if (!(await takeRefund(parts, venue, one, by))) notHere += await noteNotHere(parts, venue, one)
    }
    // Once the payments that they are of are known, and what of them went back another way.
    for (const dispute of disputes) await takeDispute(parts, venue, dispute)
  }
  return { checkouts, notHere, denied }
}

const isOf =
  (what: MovedThere['what']) =>
  ({ one }: Seen['moved'][number]): boolean =>
    one.what === what

/** By each account that takes its key: the key of one that was left says nothing about the others. */
const seenSince = async (
  { db, secrets, processors, clock }: Parts,
  venue: Venue,
  backup: Temporal.Instant,
): Promise<Omit<Seen, 'venue'> & { readonly isDenied: boolean }> => {
  const moved: (SaidBy & { one: MovedThere })[] = []
  const disputes: DisputeThere[] = []
  let isDenied = false
  const from = backup.subtract({ hours: 24 })
  const to = clock().add({ minutes: 1 })
  for (const account of await usedAccounts(db, venue.id)) {
    const by = processors.of(keyOf(secrets, venue.id, account), 'job')
    const listed = answered(venue, await by.movedBetween(from, to))
    const disputed =
      listed && answered(venue, await disputesThere({ db, clock }, venue, { account, by, from, to }))
    if (disputed === undefined) isDenied = true
    moved.push(...(listed ?? []).filter(mayBeOf(venue)).map((one) => ({ one, by, account: account.id })))
    disputes.push(...(disputed ?? []))
  }
  return { moved, disputes, isDenied }
}

/** Undefined where the key is not taken. */
const answered = <T>(venue: Venue, outcome: Outcome<T>): T | undefined => {
  if (outcome.kind === 'done') return outcome.value
  if (outcome.kind === 'denied') return undefined
  throw notKnownYet(venue)
}

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

/** Those that the copy knows as under way, and those of which only the processor knows that they were paid. */
const checkoutsOf = async (
  db: Queries,
  venue: VenueId,
  payments: Seen['moved'],
): Promise<ReadonlySet<number>> => {
  const found = new Set(await unsettledCheckouts(db, venue))
  for (const { one } of payments) {
    if (one.ref === null || !isUuid(one.ref) || (await isPaymentKnown(db, venue, one.ref, one.objectRef)))
      continue
    const checkout = await checkoutOfRef(db, venue, one.ref)
    if (checkout !== undefined) found.add(checkout)
  }
  return found
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
  { what, objectRef, amountCents, currency }: MovedThere,
): Promise<number> => {
  const matter = {
    kind: 'not-here',
    subject: objectRef,
    order: null,
    amountCents,
    currency,
    reason: what,
  } as const
  const added = await db.transaction((queries) =>
    addMatter(queries.within(venue.id), venue.id, matter, clock()),
  )
  return added ? 1 : 0
}
