import type { Outcome } from '../../../mail/mailer.ts'

/* When a copy that the relay deferred is tried again, and what an outcome means for the copy, as data. */

/** Minutes from the n-th deferred attempt to the next one. */
export const RETRY_AFTER_MINUTES: readonly number[] = [1, 5, 15, 60, 180, 360, 720]
export const GIVE_UP_AFTER_HOURS = 24

/** When the next attempt is due after `tries` deferred ones; undefined: given up. */
export const nextTry = (
  tries: number,
  firstTriedAt: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const minutes = RETRY_AFTER_MINUTES[tries - 1]
  if (minutes === undefined) return undefined
  const at = now.add({ minutes })
  return Temporal.Instant.compare(at, firstTriedAt.add({ hours: GIVE_UP_AFTER_HOURS })) <= 0 ? at : undefined
}

const fullMailbox = '5.2.2'
/** No such mailbox, no such domain, moved without address: writing there again only harms. */
const deadAddress = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])

/**
 * What the answer says of the mailbox, as a report of a bounce does: hard ones go on the do-not-email list at once.
 */
export type RelayBounce = { readonly kind: 'hard' | 'soft'; readonly code: string }

const bounceOf = (phase: string, code: string | null): RelayBounce | undefined => {
  if (phase === 'recipient' && code !== null && deadAddress.has(code)) return { kind: 'hard', code }
  return code === fullMailbox ? { kind: 'soft', code } : undefined
}

/** What an outcome means for the copy and for the sending. */
export type Meaning =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly why: 'permanent' | 'unknown'; readonly bounce?: RelayBounce }
  /** Again later; one attempt is used. `sender`: the relay rejects us, which no other copy would change. */
  | { readonly kind: 'put off'; readonly slower: boolean; readonly sender: boolean }
  /** Again as soon as the relay recovers; no attempt is used. */
  | { readonly kind: 'given back' }

/** Bad sender address, in one of its two forms: many relays judge the sender only when they hear the recipient. */
const badSender = new Set(['5.1.7', '5.1.8'])
/** Sign in, or encrypt, first. */
const signInFirst = 530

/** The relay refuses us, and would refuse every other copy the same way. */
const isAboutSender = ({ phase, status, code }: Extract<Outcome, { kind: 'refused' }>): boolean =>
  phase === 'sender' ||
  status === signInFirst ||
  (code !== null && (code.startsWith('5.7.') || badSender.has(code)))

export const meaningOf = (outcome: Outcome): Meaning => {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'sent' }
    case 'unknown':
      return { kind: 'failed', why: 'unknown' }
    case 'relay-trouble':
      return { kind: 'given back' }
    case 'later':
      return { kind: 'put off', slower: asksForLess(outcome.status, outcome.answer), sender: false }
    case 'refused': {
      const { phase, code } = outcome
      if (isAboutSender(outcome)) return { kind: 'put off', slower: false, sender: true }
      const bounce = bounceOf(phase, code)
      return { kind: 'failed', why: 'permanent', ...(bounce && { bounce }) }
    }
    default:
      return outcome satisfies never
  }
}

const asksForLess = (status: number, answer: string): boolean =>
  status === 421 ||
  status === 454 ||
  (status >= 450 &&
    status <= 452 &&
    /\b(rate|throttl\w*|too (many|much|fast)|limit\w*|quota|slow)\b/i.test(answer))
