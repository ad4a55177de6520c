import type {
  Subscriber,
  SubscriberOutcome,
  SubscriberSource,
  SubscriberStatus,
} from '@venue-data/contract/records/subscriber.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type SubscriberRow, presentSubscriber } from './subscriber.ts'
import { besideRow, isSuppressed, subscriberForUpdate } from './reads.ts'
import { outcomeMessage, outcomeOfAdding } from './rules.ts'
import { writeFirstTag, writeTags } from './tag-writes.ts'
import { type Consent, fillFirstName, insertConsent, insertSubscriber } from './writes.ts'

export type SignUp = {
  readonly email: string
  readonly firstName: string | null
  readonly tag: string | null
  readonly birthday?: { readonly month: number; readonly day: number } | null
  /** `agreedAt` undefined: now. */
  readonly consent: Omit<Consent, 'agreedAt'> & { readonly agreedAt: Temporal.Instant | undefined }
}

export type SignUpResult = {
  readonly added: boolean
  readonly status: SubscriberOutcome
  readonly message: string
  readonly subscriber: Subscriber | null
}

/**
 * Adds an address with the evidence of its owner's consent. Anyone who unsubscribed, has not confirmed yet or is on
 * the do-not-email list is left unchanged; that is a normal reply, not a refusal (docs/api.md#subscribers).
 */
export const addSubscriber = async (
  work: Work,
  signUp: SignUp,
  source: SubscriberSource = 'automation',
): Promise<SignUpResult> => {
  const { db, venue } = work
  const key = emailKey(signUp.email)
  const existing = await subscriberForUpdate(db, venue.id, key)
  const { added, status } = outcomeOfAdding(
    existing?.status as SubscriberStatus | undefined,
    await isSuppressed(db, venue.id, key),
  )
  const message = outcomeMessage(added, status)
  if (status === 'suppressed') return { added, status, message, subscriber: null }

  const now = work.now()
  if (!added && existing) {
    const row = status === 'subscribed' ? await fillIn(work, existing, signUp, source, now) : undefined
    return { added, status, message, subscriber: presentSubscriber(row ?? existing) }
  }

  const agreedAt = signUp.consent.agreedAt ?? now
  const made = await insertSubscriber(
    db,
    venue.id,
    {
      email: signUp.email.trim(),
      firstName: signUp.firstName,
      status: 'subscribed',
      source,
      consentAt: agreedAt,
      birthday: signUp.birthday ?? null,
    },
    now,
  )
  // Somebody else added the same address at this moment: it is treated as already there.
  if (!made) return addSubscriber(work, signUp, source)
  await insertConsent(db, venue.id, made.id, { ...signUp.consent, agreedAt }, source, now)
  const tags = signUp.tag === null ? [] : await writeFirstTag(db, venue.id, made.id, signUp.tag)
  const subscriber = presentSubscriber({ ...made, tags, suppressed: false })
  await recordEvent(work, 'subscriber.added', subscriber, now)
  return { added, status, message, subscriber }
}

/** Someone already subscribed: an empty first name is filled, the tag added, the evidence stored. */
const fillIn = async (
  work: Work,
  before: SubscriberRow,
  { firstName, tag, consent }: SignUp,
  source: SubscriberSource,
  now: Temporal.Instant,
): Promise<SubscriberRow | undefined> => {
  const { db, venue } = work
  const { id } = before
  await insertConsent(db, venue.id, id, { ...consent, agreedAt: consent.agreedAt ?? now }, source, now)
  const named = firstName === null ? undefined : await fillFirstName(db, venue.id, id, firstName, now)
  const tagged = tag === null ? undefined : await writeTags(db, venue.id, before, { add: [tag] }, now)
  const after = tagged ?? (named && { ...named, ...besideRow(before) })
  if (after) {
    await recordEvent(work, 'subscriber.updated', presentSubscriber(after), now, {
      before: presentSubscriber(before),
    })
  }
  return after
}
