import { takeReport } from '../../bounces/take-report.ts'
import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import { bounceTokensIn } from '../../../mail/copy-address.ts'
import type { Outcome } from '../../../mail/mailer.ts'
import { UnmailableAddress } from '../../../mail/mime/header-text.ts'
import type { Active } from './active.ts'
import type { Claimed } from './claim.ts'
import { type Result, untried } from './mark.ts'
import type { RelayUse } from './relay-use.ts'
import { meaningOf, nextTry } from './schedule.ts'

export type Delivery = Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'secrets' | 'hold'> & {
  readonly relay: RelayUse
  readonly onOutcome: (outcome: Outcome) => void
  readonly onSenderRefused: (active: Active, outcome: Outcome) => Promise<void>
}

/** Hands one copy, marked as on the wire, to the relay, and returns the outcome. */
export const deliverCopy = async (
  delivery: Delivery,
  active: Active,
  copy: Claimed,
  messageId: string,
): Promise<Result> => {
  const { clock, log, mail, relay } = delivery
  const subscriber = copy.subscriber_id
  // Marked a moment ago but not to be sent now: nothing of it has left.
  if (relay.isHeld() || delivery.hold.isOn() || active.isGone) return untried(subscriber, clock())
  try {
    const outcome = await mail.deliver(active.copies.mailFor(copy, messageId))
    delivery.onOutcome(outcome)
    return await resultOf(delivery, active, copy, messageId, outcome)
  } catch (error) {
    // Ours, not the relay's: a copy that cannot be written never leaves.
    const isUnmailable = error instanceof UnmailableAddress
    log.error(
      { err: (error as Error).name, campaign: active.id },
      'a copy of a campaign could not be written',
    )
    const answer = isUnmailable ? 'no address that mail can go to' : 'it could not be written'
    return { subscriber, state: 'failed', why: 'permanent', dueAt: clock(), tried: false, answer }
  }
}

const resultOf = async (
  delivery: Delivery,
  active: Active,
  copy: Claimed,
  messageId: string,
  outcome: Outcome,
): Promise<Result> => {
  const { clock, relay } = delivery
  const meaning = meaningOf(outcome)
  const now = clock()
  relay.heard(active.id, outcome, meaning)
  // Not awaited: holding the campaign waits for this very batch.
  if (relay.isAllRefused(active.id, outcome, meaning)) void delivery.onSenderRefused(active, outcome)
  const told = { subscriber: copy.subscriber_id, answer: outcome.answer, why: null, dueAt: now, tried: true }
  switch (meaning.kind) {
    case 'sent':
      return { ...told, state: 'sent' }
    case 'given back':
      return { ...told, state: 'waiting', tried: false }
    case 'failed':
      if (meaning.bounce) await noteBounce(delivery, active, copy, messageId, meaning.bounce)
      return { ...told, state: 'failed', why: meaning.why }
    case 'put off': {
      const first = copy.first_tried_at === null ? now : Temporal.Instant.from(copy.first_tried_at)
      const dueAt = nextTry(copy.tries + 1, first, now)
      return dueAt ? { ...told, state: 'waiting', dueAt } : { ...told, state: 'failed', why: 'used-up' }
    }
    default:
      return meaning satisfies never
  }
}

/**
 * A bounce like any other, only known at once. What fails here is logged only: the copy has its result either way.
 */
const noteBounce = async (
  delivery: Delivery,
  { id }: Active,
  { subscriber_id }: Claimed,
  messageId: string,
  bounce: { readonly kind: 'hard' | 'soft'; readonly code: string },
): Promise<void> => {
  try {
    await takeReport(delivery, {
      kind: bounce.kind,
      source: 'relay',
      tokens: bounceTokensIn(messageId),
      statusCode: bounce.code,
      key: `relay:${id}:${subscriber_id}`,
    })
  } catch (error) {
    delivery.log.warn({ code: codeOf(error) }, 'a bounce could not be noted')
  }
}
