import type { AccountRow } from '../../../core/money/account-store.ts'
import { keepCall } from '../../../core/money/call-store.ts'
import type { ProcessorWork } from '../../../core/money/each-due.ts'
import { disputesToLookAt } from '../../../core/money/matter-store.ts'
import { paymentByProcessorRef } from '../../../core/money/payment-store.ts'
import type { DisputeSeen, Outcome, Processor } from '../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { recordDispute } from './disputes.ts'

/* Disputes that nobody may have called about: those that the processor lists, and those that may turn since they were last seen. */

/** `lookedAt`: when the look began that saw it so. */
export type DisputeThere = { readonly seen: DisputeSeen; readonly lookedAt: Temporal.Instant }

type Asked = {
  readonly account: Pick<AccountRow, 'id'>
  readonly by: Processor
  readonly from: Temporal.Instant
  readonly to: Temporal.Instant
}

/**
 * What was opened in that time, and, one by one, what may still turn: a bank takes months. Nothing is written. Anything
 * but an answer to all of it is the answer; what the account does not know is another account’s.
 */
export const disputesThere = async (
  { db, clock }: Pick<ProcessorWork, 'db' | 'clock'>,
  venue: Venue,
  { account, by, from, to }: Asked,
): Promise<Outcome<DisputeThere[]>> => {
  const lookedAt = clock()
  const listed = await by.disputesBetween(from, to)
  if (listed.kind !== 'done') return listed
  const there: DisputeThere[] = listed.value.map((seen) => ({ seen, lookedAt }))
  const names = new Set(listed.value.map(({ disputeRef }) => disputeRef))
  for (const ref of await disputesToLookAt(db.within(venue.id), venue.id, account.id, lookedAt)) {
    if (names.has(ref)) continue
    const began = clock()
    const looked = await by.lookAtDispute(ref)
    if (looked.kind === 'done') there.push({ seen: looked.value, lookedAt: began })
    else if (looked.kind !== 'gone') return looked
  }
  return { kind: 'done', value: there }
}

/**
 * Notes how a dispute of a payment of ours stands, as if it had been called about; one that has to wait for a refund that is under
 * way is looked at again like that. Whether it stood otherwise here. What is of no payment of ours is the venue’s other business.
 */
export const takeDispute = async (
  { db, clock }: Pick<ProcessorWork, 'db' | 'clock'>,
  venue: Venue,
  { seen, lookedAt }: DisputeThere,
): Promise<boolean> => {
  const { disputeRef, paymentRef } = seen
  const payment =
    paymentRef === null ? undefined : await paymentByProcessorRef(db.within(venue.id), venue.id, paymentRef)
  if (!payment) return false
  return db.transaction(async (queries) => {
    const within = queries.within(venue.id)
    const work = { db: within, venue, now: clock }
    const before = await stateHere(within, venue.id, disputeRef)
    const isWritten = await recordDispute(work, payment, seen, lookedAt)
    const call = {
      eventRef: `found ${disputeRef} ${String(lookedAt.epochMilliseconds)}`,
      ...{ kind: 'charge.dispute.found', objectRef: disputeRef },
    }
    if (!isWritten) await keepCall(within, venue.id, payment.account_id, call, clock())
    return (await stateHere(within, venue.id, disputeRef)) !== before
  })
}

/** Not locked: what was paid for is locked before. */
const stateHere = async (db: Queries, venue: VenueId, subject: string): Promise<string | undefined> => {
  const row = await db.maybe(sql({ state: 'text?' })`
    select state from money_matter where venue_id = ${venue} and kind = 'dispute' and subject = ${subject}`)
  return row?.state ?? undefined
}
