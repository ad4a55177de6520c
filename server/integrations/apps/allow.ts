import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context, Work } from '../../context.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { noKeyBecause } from '../access/owner.ts'
import { obstacleOf } from '../access/key-check.ts'
import { readTerms } from '../access/key-terms.ts'
import { lockAccess } from '../access/actions.ts'
import { makeCode } from './codes.ts'
import type { AskedInstall } from './judge-asked.ts'

export type Allowed = {
  /** Of what the app asked for as optional, what the owner left ticked. */
  readonly chosen: readonly Scope[]
  readonly hidesContacts: boolean
  readonly expiresAt: Temporal.Instant | null
}

/**
 * An owner allows what an app asks for: returns the code that the app exchanges for a key. Refuses while the venue cannot
 * have a key, and terms that no key can have.
 */
export const allowApp = async (
  context: Pick<Context, 'random' | 'clock' | 'config'>,
  { db, venue, now }: Work,
  staff: number,
  { app, redirect, challenge, server, needed, optional }: AskedInstall,
  { chosen, hidesContacts, expiresAt }: Allowed,
): Promise<string> => {
  const standing = await lockAccess(db, venue.id)
  const obstacle = obstacleOf('api', standing)
  if (obstacle) throw new Refusal(409, noKeyBecause(obstacle, standing.plan))
  const { scopes = [] } = readTerms(
    {
      scopes: [
        ...needed,
        ...optional.filter((scope) => chosen.includes(scope)),
        ...(hidesContacts ? ['contacts:hidden' as const] : []),
      ],
      expiresAt,
    },
    { kind: 'api', now: now(), config: context.config },
  )
  return makeCode(context, db, {
    ...{ app: app.id, venue: venue.id, staff, redirect, challenge, resourceApp: server?.id ?? null },
    scopes,
    keyExpiresAt: expiresAt,
  })
}
