import { limits } from '@venue-data/contract/limits.ts'
import type { KeyKind, KeyScope } from '@venue-data/contract/account.ts'
import { recordActivity } from '../activity/record.ts'
import type { Actor } from '../activity/actor.ts'
import type { Context, Work } from '../context.ts'
import { sql } from '../db/sql.ts'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import { stopEndpointsOfKey } from '../webhooks/actions.ts'
import { type Obstacle, obstacleOf } from './key-check.ts'
import { type KeyRow, createKey, keysOfVenue, revokeKey } from './keys.ts'
import { accessMoves } from './states.ts'
import { holdAccess } from './writes.ts'

/*
 * What a venue's owner does about the API in the settings: asks for access with a description of what will be built,
 * makes and revokes keys.
 */

/** Asks for access with a description of what will be built. Refuses while a request is open or access is given. */
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

export type AskedKey = { readonly kind: KeyKind; readonly scope: KeyScope; readonly name: string }

/**
 * Creates a key for the owner; its text is returned only once. An `api` key needs approved access and a plan with
 * the API, an `automation` key only the plan; after a withdrawal neither is created until access is granted again.
 */
export const createOwnersKey = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock'>,
  work: Work,
  actor: Actor & { kind: 'staff' },
  { kind, scope, name }: AskedKey,
): Promise<{ key: string; row: KeyRow }> => {
  const { db, venue, now } = work
  const called = name.trim()
  if (called === '' || Array.from(called).length > 100)
    throw badRequest('Give the key a name of at most 100 characters.')
  const standing = await holdAccess(db, venue.id)
  const obstacle = obstacleOf(kind, standing)
  if (obstacle) throw new Refusal(409, noKeyBecause(obstacle, standing.plan))
  const made = await createKey(context, db, venue.id, { kind, scope, name: called, createdBy: actor.email })
  await recordActivity(
    work,
    actor,
    {
      action: 'make a key',
      record: { kind: 'api_key', id: made.row.id },
      before: null,
      after: { name: called, kind, scope, ends: made.row.last_four },
    },
    now(),
  )
  return made
}

const noKeyBecause = (obstacle: Obstacle, plan: string): string => {
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

/** Permanently revokes one of the venue's keys: it is refused at once, and the endpoints created with it stop. */
export const revokeOwnersKey = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  id: number,
): Promise<KeyRow> => {
  const { db, venue, now } = work
  const key = (await keysOfVenue(db, venue.id)).find((one) => one.id === id)
  if (!key) throw new Refusal(404, 'There is no such key.')
  const moment = now()
  const revoked = (await revokeKey(db, id, `by ${actor.email}`, moment)) ?? key
  await stopEndpointsOfKey(db, venue.id, id)
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
