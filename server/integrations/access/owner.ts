import { limits } from '@venue-data/contract/limits.ts'
import type { KeyKind, KeyScope } from '@venue-data/contract/records/account.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Context, Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { stopEndpointsOfKey } from '../webhooks/actions.ts'
import { inTrail } from './change-key.ts'
import { type Obstacle, obstacleOf } from './key-check.ts'
import { type AskedTerms, readTerms } from './key-terms.ts'
import { type KeyRow, createKey, keyOfVenue, revokeKey } from './keys.ts'
import { accessMoves } from './states.ts'
import { holdAccess } from './writes.ts'

/*
 * What a venue's owner does about the API in the settings: requests access with a description of the planned software,
 * creates and revokes keys.
 */

/** Requests access with a description of the planned software. Refuses while a request is open or access is granted. */
export const askForAccess = async (work: Work, actor: Actor, description: string): Promise<void> => {
  const { db, venue, now } = work
  const text = description.trim()
  if (text.length < 10) throw badRequest('Describe in a sentence or two what will be built.')
  if (Array.from(text).length > limits.statementCharacters) {
    throw badRequest(`The description may have at most ${limits.statementCharacters} characters.`)
  }
  const before = await holdAccess(db, venue.id)
  const { from, to } = accessMoves.request
  const moved = await db.run(sql()`
    update venue set access = ${to}, access_description = ${text}, access_answer = null, access_changed_at = ${now()}
     where id = ${venue.id} and access = any(${[...from]})`)
  if (moved !== 1) throw new Refusal(409, `Access is ${before.access} already.`)
  await recordActivity(
    work,
    actor,
    {
      action: 'ask for API access',
      record: { kind: 'venue', id: venue.id },
      before: { access: before.access },
      after: { access: to, description: text },
    },
    now(),
  )
}

export type AskedKey = {
  readonly kind: KeyKind
  /** The old scope, if `terms` has no scopes. */
  readonly scope?: KeyScope
  readonly name: string
  readonly terms?: AskedTerms
}

/**
 * Creates a key for the owner; its text is returned only once. An `api` key needs approved access and a plan with
 * the API, an `automation` key only the plan; after a withdrawal neither is created until access is granted again.
 */
export const createOwnersKey = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock' | 'config'>,
  work: Work,
  actor: Actor & { kind: 'staff' },
  { kind, scope = 'read', name, terms = {} }: AskedKey,
): Promise<{ key: string; row: KeyRow }> => {
  const { db, venue, now } = work
  const called = name.trim()
  if (called === '' || Array.from(called).length > limits.keyNameCharacters)
    throw badRequest(`Give the key a name of at most ${limits.keyNameCharacters} characters.`)
  const read = readTerms(terms, { kind, now: now(), config: context.config })
  const standing = await holdAccess(db, venue.id)
  const obstacle = obstacleOf(kind, standing)
  if (obstacle) throw new Refusal(409, noKeyBecause(obstacle, standing.plan))
  const made = await createKey(context, db, venue.id, {
    ...{ kind, scope, name: called, createdBy: actor.email },
    ...read,
  })
  await recordActivity(
    work,
    actor,
    {
      action: 'make a key',
      record: { kind: 'api_key', id: made.row.id },
      before: null,
      after: {
        name: called,
        kind,
        scope: made.row.scope,
        ends: made.row.last_four,
        ...inTrail(read),
      },
    },
    now(),
  )
  return made
}

export const noKeyBecause = (obstacle: Obstacle, plan: string): string => {
  switch (obstacle) {
    case 'plan':
      return `The ${plan} plan does not include the API.`
    case 'withdrawn':
      return 'Access to the API was withdrawn; no keys can be created until it is approved again.'
    case 'not-approved':
      return 'Request access first; keys can be created once it is approved.'
    default:
      return obstacle satisfies never
  }
}

/**
 * Permanently revokes one of the venue's keys, with all of its family: they are refused at once, and the endpoints created
 * with them stop.
 */
export const revokeOwnersKey = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
): Promise<KeyRow> => {
  const { db, venue, now } = work
  const key = await keyOfVenue(db, venue.id, id)
  if (!key) throw new Refusal(404, 'There is no such key.')
  const moment = now()
  const family = await revokeKey(db, id, `by ${actor.email}`, moment)
  const revoked = family.find((one) => one.id === id) ?? key
  for (const one of family) await stopEndpointsOfKey(db, venue.id, one.id, moment)
  if (key.revoked_at !== null) return revoked
  await recordActivity(
    work,
    actor,
    {
      action: 'revoke a key',
      record: { kind: 'api_key', id },
      before: null,
      after: { name: key.name },
    },
    moment,
  )
  return revoked
}
