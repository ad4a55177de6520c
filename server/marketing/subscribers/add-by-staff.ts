import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { needed, typedEmail, typedLine, typedText } from '../../platform/kernel/typed-fields.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { type SignUpResult, addSubscriber } from './actions.ts'
import { subscriberForUpdate } from './reads.ts'

/** Somebody who agreed in person, such as on paper, as typed. */
export type TypedSignUp = {
  readonly email: string
  readonly firstName: string | null
  readonly tag: string | null
  /** Where they agreed. */
  readonly where: string
  /** The text they agreed to. */
  readonly statement: string | null
  readonly pageUrl: string | null
  /** When; null = now. */
  readonly agreedAt: Temporal.Instant | null
}

/**
 * Adds an address with staff's evidence of its owner's consent, under source `staff`. The outcomes are those of the
 * API: anyone who unsubscribed, has not confirmed or is on the do-not-email list is left unchanged.
 */
export const addSubscriberByStaff = async (
  work: Work,
  actor: Actor,
  typed: TypedSignUp,
): Promise<SignUpResult> => {
  const { db, venue } = work
  const email = needed('The email', typedEmail('The email', typed.email))
  const agreedAt = typed.agreedAt === null ? undefined : wholeMilliseconds(typed.agreedAt)
  const latest = work.now().add({ seconds: limits.consentAheadSeconds })
  if (agreedAt !== undefined && Temporal.Instant.compare(agreedAt, latest) > 0) {
    throw badRequest('The consent date cannot be in the future.')
  }
  const consent = {
    source: needed(
      'Where they agreed',
      typedLine('Where they agreed', typed.where, limits.shortTextCharacters),
    ),
    statement: typedText('The statement', typed.statement, limits.statementCharacters),
    pageUrl: typedLine('The page', typed.pageUrl, limits.urlCharacters),
    agreedAt,
  }
  const before = await subscriberForUpdate(db, venue.id, emailKey(email))
  const result = await addSubscriber(
    work,
    {
      email,
      firstName: typedLine('The first name', typed.firstName, limits.nameCharacters),
      tag: typedLine('The tag', typed.tag, limits.tagCharacters),
      consent,
    },
    'staff',
  )
  if (result.subscriber && result.status === 'subscribed') {
    const after = await subscriberForUpdate(db, venue.id, emailKey(email))
    await recordActivity(
      work,
      actor,
      {
        action: result.added ? 'add' : 'addEvidence',
        record: { kind: 'subscriber', id: result.subscriber.id },
        before: before ?? null,
        after: after ?? null,
        more: { tag: typed.tag, agreed: consent.source },
      },
      work.now(),
    )
  }
  return result
}
