import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { needed, typedEmail, typedLine } from '../../platform/kernel/typed-fields.ts'
import { erasedAddress } from './erased-address.ts'
import { putOnList, unsubscribe } from './leaving.ts'
import { subscriberForUpdate } from './reads.ts'
import { type SuppressionReason, suppressionReasons, unsubscribesToo } from './states.ts'
import { insertSubscriber } from './writes.ts'

/*
 * People who, according to a file, must not be emailed. Such a row is recorded, not refused: a list moved without
 * them would email them again. Someone new here becomes an unsubscribed person or an entry on the do-not-email list,
 * without an event; someone on the list here is removed as if by staff, unless they agreed here after the moment in
 * the file.
 */

/** What the file says about them: that they unsubscribed, or why the address is on a do-not-email list. */
export type ObjectionKind = 'unsubscribed' | SuppressionReason

export type Objection = {
  readonly email: string
  readonly firstName: string | null
  readonly kind: ObjectionKind
  /** When it was, if the file says; null counts as now. Never in the future. */
  readonly at: Temporal.Instant | null
}

/** Checks a row. Throws a 400 sentence that names the column, never the value. */
export const objectionOfRow = ({ email, firstName, kind, at }: Objection): Objection => {
  if (email.startsWith(erasedMark)) {
    throw badRequest(
      'This person was erased. The entry has no address and protects them only where it was created.',
    )
  }
  return {
    email: needed('The email', typedEmail('The email', email)),
    firstName: typedLine('The first name', firstName, limits.nameCharacters),
    kind,
    at,
  }
}

/** How an erased person's entry begins, in our own export too (erased-address.ts). */
const erasedMark = 'erased:'

/** What a file's objection leads to; the preview says the same. */
export type ObjectionOutcome =
  /** They are recorded as unsubscribed. */
  | 'added as unsubscribed'
  | 'taken off the list'
  | 'put on the do-not-email list'
  | 'put on the do-not-email list and taken off the list'
  | 'known'
  /** They agreed here after the moment in the file. */
  | 'agreed since'

/** Records an objection. Importing the file again changes nothing more. */
export const importObjection = async (
  work: Work,
  actor: Actor,
  objection: Objection,
): Promise<ObjectionOutcome> => {
  const { db, venue } = work
  const key = emailKey(objection.email)
  const held = await subscriberForUpdate(db, venue.id, key)
  const standing = await standingOf(work, key)
  // Somebody else added the address at this moment: it is treated as already there.
  if (standing.subscriber !== held?.id) return importObjection(work, actor, objection)
  const outcome = outcomeFor(objection, standing)
  const now = work.now()
  const at = objection.at ?? now
  if (outcome === 'added as unsubscribed') {
    const { email, firstName } = objection
    const left = { status: 'unsubscribed', source: 'import', consentAt: null, unsubscribedAt: at } as const
    const row = await insertSubscriber(db, venue.id, { email, firstName, ...left }, now)
    return row ? outcome : importObjection(work, actor, objection)
  }
  const lists = outcome === 'put on the do-not-email list' || outcome === both
  if (lists && objection.kind !== 'unsubscribed') {
    await putOnList(work, actor, held, { key, reason: objection.kind, at })
  } else if (outcome === 'taken off the list' && held) {
    await unsubscribe(work, actor, held.id)
  }
  return outcome
}

const both = 'put on the do-not-email list and taken off the list'

/** What would happen to it, for a preview: nothing is locked or written. */
export const foreseeObjection = async (
  work: Pick<Work, 'db' | 'venue'>,
  objection: Objection,
): Promise<ObjectionOutcome> => outcomeFor(objection, await standingOf(work, emailKey(objection.email)))

/** An address's state here. */
type Standing = {
  readonly subscriber: number | undefined
  readonly status: string | undefined
  /** When they last agreed. */
  readonly agreedAt: Temporal.Instant | undefined
  /** Why it is on the do-not-email list. */
  readonly suppressed: SuppressionReason | undefined
  readonly erased: boolean
}

const outcomeFor = (
  { kind, at }: Objection,
  { status, agreedAt, suppressed, erased }: Standing,
): ObjectionOutcome => {
  if (erased) return 'known'
  const onList = status === 'subscribed' || status === 'pending'
  if (onList && at && agreedAt && Temporal.Instant.compare(at, agreedAt) < 0) return 'agreed since'
  if (kind === 'unsubscribed') {
    return onList ? 'taken off the list' : status === undefined ? 'added as unsubscribed' : 'known'
  }
  const weighsMore =
    suppressed === undefined || suppressionReasons.indexOf(kind) < suppressionReasons.indexOf(suppressed)
  if (onList && unsubscribesToo[kind]) {
    return weighsMore ? both : 'taken off the list'
  }
  return weighsMore ? 'put on the do-not-email list' : 'known'
}

const standingOf = async ({ db, venue }: Pick<Work, 'db' | 'venue'>, key: string): Promise<Standing> => {
  const person = await db.maybe(sql({ id: 'int8', status: 'text', agreed_at: 'timestamptz?' })`
    select id, status, greatest(consent_at, confirmed_at, (
             select max(c.agreed_at) from consent c
              where c.venue_id = ${venue.id} and c.subscriber_id = s.id)) as agreed_at
      from subscriber s where s.venue_id = ${venue.id} and s.email_key = ${key}`)
  const erased = erasedAddress(venue.id, key)
  const entries = await db.many(sql({ email_key: 'text', reason: 'text' })`
    select email_key, reason from suppression where venue_id = ${venue.id} and email_key = any(${[key, erased]})`)
  return {
    subscriber: person?.id,
    status: person?.status,
    agreedAt: person?.agreed_at ? toInstant(person.agreed_at) : undefined,
    suppressed: entries.find(({ email_key }) => email_key === key)?.reason as SuppressionReason | undefined,
    erased: entries.some(({ email_key }) => email_key === erased),
  }
}
