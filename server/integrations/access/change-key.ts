import type { KeyKind, KeyScope } from '@venue-data/contract/records/account.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Context, Work } from '../../context.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { Refusal, notFound } from '../../platform/kernel/refusal.ts'
import { followKey, resumeEndpointsOfKey } from '../webhooks/actions.ts'
import { type AskedTerms, readTerms } from './key-terms.ts'
import { type KeyRow, type KeyTerms, isOver, keyOfVenue, scopesOf, termsOf, writeTerms } from './keys.ts'
import { scopesOfWords } from './scopes.ts'
import { holdAccess } from './writes.ts'

/**
 * Changes the given terms of a key: what it may do, from where, how often, until when. Its endpoints follow: one that
 * stopped because the key had expired resumes once the key works again, and its held events are sent. Refuses a revoked
 * key.
 */
export const changeKey = async (
  { config }: Pick<Context, 'config'>,
  work: Work,
  actor: Actor,
  id: number,
  asked: AskedTerms,
): Promise<KeyRow> => {
  const { db, venue, now } = work
  await holdAccess(db, venue.id)
  const before = await keyOfVenue(db, venue.id, id)
  if (!before) throw notFound('key')
  if (before.revoked_at !== null) throw new Refusal(409, 'This key was revoked for good; create another.')
  const moment = now()
  const read = readTerms(asked, { kind: before.kind as KeyKind, now: moment, config })
  const after = await writeTerms(db, id, { ...termsOf(before), ...read })
  await followKey(db, venue.id, id, scopesOf(after))
  if (isOver(before, moment) && !isOver(after, moment)) await resumeEndpointsOfKey(db, venue.id, id, moment)
  await recordActivity(
    work,
    actor,
    {
      action: 'change a key',
      record: { kind: 'api_key', id },
      before: inTrail(termsOf(before)),
      after: inTrail(termsOf(after)),
      more: { name: after.name },
    },
    moment,
  )
  return after
}

/** From now on, a key older than scopes may do everything its old scope means. */
export const widenKey = async (
  context: Pick<Context, 'config'>,
  work: Work,
  actor: Actor,
  id: number,
): Promise<KeyRow> => {
  const { db, venue } = work
  await holdAccess(db, venue.id)
  const key = await keyOfVenue(db, venue.id, id)
  if (!key) throw notFound('key')
  if (key.scopes !== null)
    throw new Refusal(409, 'What this key may do was chosen already; change it instead.')
  const scopes = scopesOfWords({ kind: key.kind as KeyKind, scope: key.scope as KeyScope })
  return changeKey(context, work, actor, id, { scopes })
}

/** A key's terms as the activity log shows them. */
export const inTrail = ({
  scopes,
  expiresAt,
  addresses,
  mayRotate,
  ratePerMinute,
  contact,
}: Partial<KeyTerms>) => ({
  ...(scopes && { scopes: scopes.join(', ') }),
  ...(expiresAt !== undefined && { expires_at: expiresAt && toMoment(expiresAt) }),
  ...(addresses && { allowed_addresses: addresses.join(', ') }),
  ...(mayRotate !== undefined && { may_rotate: mayRotate }),
  ...(ratePerMinute !== undefined && { rate_per_minute: ratePerMinute }),
  ...(contact !== undefined && { contact }),
})
