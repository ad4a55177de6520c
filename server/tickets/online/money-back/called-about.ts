import type { Work } from '../../../context.ts'
import { accountById, keyOf } from '../../../core/money/account-store.ts'
import {
  type CalledAbout,
  answerCalls,
  putOffCall,
  takeCall,
  venuesWithOtherCalls,
} from '../../../core/money/call-store.ts'
import { paymentByProcessorRef } from '../../../core/money/payment-store.ts'
import type { Outcome, Processor } from '../../../core/money/processor.ts'
import { type ProcessorWork, forEachDue } from '../../../core/money/each-due.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { recordDispute } from './disputes.ts'
import { noted, refundOfRef } from './note-refund.ts'
import { recordRefundMadeThere } from './refunds-made-there.ts'

/*
 * What the processor called about that nobody here asked it to do: refunds made in its dashboard, and disputes. A refund of
 * ours may be called about before our own call is answered: it is known by its ref. A payment may be written here only after
 * its refund or dispute was called about, so what is of no payment of ours is the venue's other business after an hour.
 */

export const lookAtCalls = (parts: ProcessorWork, signal: AbortSignal): Promise<void> =>
  forEachDue(parts, signal, {
    queue: { venues: venuesWithOtherCalls, take: takeCall },
    act: (venue, call) => lookAtCall(parts, venue, call),
    mistake: 'a call could not be looked at',
  })

const lookAtCall = async (parts: ProcessorWork, venue: Venue, call: CalledAbout): Promise<void> => {
  const { db, clock, secrets, processors } = parts
  const account = await accountById(db, venue.id, call.account_id)
  const processor = account && processors.of(keyOf(secrets, venue.id, account), 'job')
  const lookedAt = clock()
  const isKnown =
    !processor ||
    (call.kind.startsWith('refund.')
      ? await lookAtRefund(parts, venue, call, processor)
      : await lookAtDispute(parts, venue, call, { processor, lookedAt }))
  // Otherwise it is looked at again when its lease has ended.
  if (isKnown) await answerCalls(db, venue.id, call.object_ref, lookedAt)
}

const lookAtRefund = async (
  parts: ProcessorWork,
  venue: Venue,
  call: CalledAbout,
  processor: Processor,
): Promise<boolean> => {
  const outcome = await processor.lookAtRefund(call.object_ref)
  if (outcome.kind !== 'done') return isNothing(parts, venue, outcome)
  const seen = outcome.value
  const ours = seen.ref === null ? undefined : await refundOfRef(parts.db, venue.id, seen.ref)
  if (ours) {
    await noted(parts, venue, ours, outcome)
    return true
  }
  return recordSeen(parts, venue, call, seen.paymentRef, (work, payment) =>
    recordRefundMadeThere(work, payment, { ...seen, origin: 'dashboard' }),
  )
}

const lookAtDispute = async (
  parts: ProcessorWork,
  venue: Venue,
  call: CalledAbout,
  { processor, lookedAt }: { readonly processor: Processor; readonly lookedAt: Temporal.Instant },
): Promise<boolean> => {
  const outcome = await processor.lookAtDispute(call.object_ref)
  if (outcome.kind !== 'done') return isNothing(parts, venue, outcome)
  const { value } = outcome
  return recordSeen(parts, venue, call, value.paymentRef, (work, payment) =>
    recordDispute(work, payment, value, lookedAt),
  )
}

/** Records what is of a payment of ours, in one transaction. */
const recordSeen = async (
  { db, clock }: ProcessorWork,
  venue: Venue,
  call: CalledAbout,
  paymentRef: string | null,
  record: (
    work: Work,
    payment: NonNullable<Awaited<ReturnType<typeof paymentByProcessorRef>>>,
  ) => Promise<boolean>,
): Promise<boolean> => {
  const payment = paymentRef === null ? undefined : await paymentByProcessorRef(db, venue.id, paymentRef)
  if (!payment) return isOthers(db, venue, call, clock())
  return db.transaction((queries) => record({ db: queries.within(venue.id), venue, now: clock }, payment))
}

const retryMinutes = 10

const isOthers = async (
  db: Queries,
  venue: Venue,
  { event_ref, at }: CalledAbout,
  now: Temporal.Instant,
): Promise<boolean> => {
  if (Temporal.Instant.compare(Temporal.Instant.from(at).add({ hours: 1 }), now) <= 0) return true
  await putOffCall(db, venue.id, event_ref, now.add({ minutes: retryMinutes }))
  return false
}

/** There is no such object; anything else is no word of it. */
const isNothing = (
  { log }: ProcessorWork,
  venue: Venue,
  outcome: Exclude<Outcome<unknown>, { kind: 'done' }>,
): boolean => {
  if (outcome.kind === 'gone') return true
  log.warn({ venue: venue.slug, answer: outcome.kind }, 'the processor does not say what it called about')
  return false
}
