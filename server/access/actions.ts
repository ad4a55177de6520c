import { limits } from '@venue-data/contract/limits.ts'
import type { Plan } from '@venue-data/contract/account.ts'
import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'
import { lineMistake } from '../venue/venue-fields.ts'
import { stopEndpointsOfKey, stopEndpointsOfVenue } from '../webhooks/actions.ts'
import { plansWithApi } from './key-check.ts'
import { type KeyRow, type NewKey, createKey, revokeKey, revokeKeysOfVenue } from './keys.ts'
import { type AccessRow, accessOfVenue } from './reads.ts'
import { type AccessMove, accessMoves } from './states.ts'
import { holdAccess, moveAccess } from './writes.ts'

/** The part of a unit of work that access needs. */
type AccessWork = { readonly db: Queries; readonly now: () => Temporal.Instant }

export type Review = 'approve' | 'decline' | 'withdraw'

/**
 * A reviewer's answer to a venue (decisions 4.3). Withdrawing revokes every key of the venue for good, whether or
 * not it was withdrawn before, and stops its endpoints: those are a sharded table, which on a cluster commits apart
 * from the keys, so a withdrawal that broke off is finished by repeating it. Refuses a move that the
 * states do not allow, and an approval on a plan without the API.
 */
export const reviewAccess = async (
  { db, now }: AccessWork,
  venue: VenueId,
  review: Review,
  why: string | undefined,
): Promise<AccessRow> => {
  const mistake = why === undefined ? undefined : lineMistake('The answer', why, limits.statementCharacters)
  if (mistake) throw badRequest(mistake)
  const { slug, plan, access } = await holdAccess(db, venue)
  if (review === 'approve' && !includesApi(plan)) throw new Refusal(409, noApi(slug, plan))
  const move: AccessMove = accessMoves[review]
  const moved = await moveAccess(db, venue, move, why?.trim() ?? null, now())
  if (!moved) {
    throw new Refusal(
      409,
      `The access of ${slug} is "${access}": only where it is "${move.from.join('" or "')}" can it be ${move.done}.`,
    )
  }
  if (review === 'withdraw') {
    await revokeKeysOfVenue(db, venue, 'access-withdrawn', now())
    await stopEndpointsOfVenue(db, venue)
  }
  return accessOfVenue(db, venue)
}

/**
 * The operator's key (decisions 6). An `api` key on a plan with the API also gives the venue access, without a
 * request; an `automation` key needs none (decisions 4.1). On another plan the key is made and waits for the plan:
 * `works` is false.
 */
export const createOperatorsKey = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock'>,
  db: Queries,
  venue: VenueId,
  made: NewKey,
): Promise<{ key: string; row: KeyRow; works: boolean }> => {
  const mistake = lineMistake('The name', made.name, limits.nameCharacters)
  if (mistake) throw badRequest(mistake)
  const { plan } = await holdAccess(db, venue)
  const works = includesApi(plan)
  if (works && made.kind === 'api') await moveAccess(db, venue, accessMoves.grant, null, context.clock())
  return { ...(await createKey(context, db, venue, { ...made, name: made.name.trim() })), works }
}

/** Revokes any venue's key for good and stops the endpoints it made (decisions 4.2). Refuses an unknown id. Safe to repeat. */
export const revokeOperatorsKey = async ({ db, now }: AccessWork, id: number): Promise<KeyRow> => {
  const row = await revokeKey(db, id, 'revoked-by-operator', now())
  if (!row) throw new Refusal(404, `There is no key with the id ${id}.`)
  await stopEndpointsOfKey(db, row.venue_id as VenueId, id)
  return row
}

const includesApi = (plan: string): boolean => plansWithApi.includes(plan as Plan)

const noApi = (slug: string, plan: string): string =>
  `The plan of ${slug}, ${plan}, does not include the API: it is part of ${plansWithApi.join(', ')}.`
