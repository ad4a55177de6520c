import { limits } from '@venue-data/contract/limits.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { type Venue, type VenueId, includesApi, plansWithApi } from '../../core/venue/venue.ts'
import { lineMistake } from '../../core/venue/venue-fields.ts'
import { stopEndpointsOfKey, stopEndpointsOfVenue } from '../webhooks/actions.ts'
import { changeKey, inTrail } from './change-key.ts'
import { type Obstacle, obstacleOf } from './key-check.ts'
import { type AskedTerms, readTerms } from './key-terms.ts'
import { type KeyRow, type NewKey, createKey, keyById, revokeKey, revokeKeysOfVenue } from './keys.ts'
import { type AccessRow, accessOfVenue } from './reads.ts'
import { type AccessMove, accessMoves } from './states.ts'
import { holdAccess, moveAccess } from './writes.ts'

/** The part of a unit of work that access uses. */
type AccessWork = { readonly db: Queries; readonly now: () => Temporal.Instant }

export type Review = 'approve' | 'decline' | 'withdraw'

/**
 * A reviewer's answer to a venue. Access can be withdrawn wherever there are live keys. Withdrawing revokes every key of
 * the venue permanently, even if access was withdrawn before, and stops its endpoints: those are in a sharded table, which
 * on a cluster commits separately from the keys, so an interrupted withdrawal is finished by repeating it. Refuses a
 * move that the states do not allow, and approval on a plan without the API. `reviewer`: the account of the person who
 * answers, kept in the venue's activity trail but not shown there; undefined for the operator. `seen`: the request that
 * the page showed (see requestSeen), so nobody answers a request they have not read.
 */
export const reviewAccess = async (
  { db, now }: AccessWork,
  venue: VenueId,
  review: Review,
  why: string | undefined,
  reviewer?: number,
  seen?: string,
): Promise<AccessRow> => {
  const mistake = why === undefined ? undefined : lineMistake('The answer', why, limits.statementCharacters)
  if (mistake) throw badRequest(mistake)
  const before = await holdAccess(db, venue)
  const { slug, plan, access } = before
  if (access === 'requested' && seen !== undefined && seen !== requestSeen(before)) {
    throw new Refusal(409, `${slug} has submitted a new request; review it first.`)
  }
  if (review === 'approve' && !includesApi(plan)) throw new Refusal(409, noApi(slug, plan))
  const move: AccessMove = accessMoves[review]
  const from = before.live_keys > 0 ? [...move.from, ...(move.fromWithKeys ?? [])] : move.from
  const moved = await moveAccess(db, venue, { ...move, from }, why?.trim() ?? null, now())
  if (!moved) {
    const orKeys = move.fromWithKeys ? ', or where it has live keys,' : ''
    throw new Refusal(
      409,
      `The access of ${slug} is "${access}": only where it is "${move.from.join('" or "')}"${orKeys} can it be ${move.done}.`,
    )
  }
  if (review === 'withdraw') {
    await revokeKeysOfVenue(db, venue, 'access-withdrawn', now())
    await stopEndpointsOfVenue(db, venue)
  }
  const after = await accessOfVenue(db, venue)
  if (after.access !== access || why !== undefined) {
    await recordActivity(
      { db: db.within(venue), venue: { id: venue } as Venue, now },
      { kind: 'service', ...(reviewer !== undefined && { id: reviewer }) },
      {
        action: `${review}Access`,
        record: { kind: 'venue', id: venue },
        before: { access },
        after: { access: after.access },
        more: { answer: after.access_answer },
      },
      now(),
    )
  }
  return after
}

/** Which request of a venue a page shows. */
export const requestSeen = ({ access_changed_at }: AccessRow): string => access_changed_at ?? ''

/**
 * Creates a key for the operator. An `api` key on a plan with the API also gives the venue access, without a request; an
 * `automation` key neither needs access nor gives it. A key is created even if it will be refused for now: `obstacle`
 * says why.
 */
export const createOperatorsKey = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock' | 'config'>,
  db: Queries,
  venue: VenueId,
  { terms = {}, ...made }: Omit<NewKey, keyof AskedTerms> & { readonly terms?: AskedTerms },
): Promise<{ key: string; row: KeyRow; obstacle: Obstacle | undefined }> => {
  const mistake = lineMistake('The name', made.name, limits.nameCharacters)
  if (mistake) throw badRequest(mistake)
  const read = readTerms(terms, { kind: made.kind, now: context.clock(), config: context.config })
  const before = await holdAccess(db, venue)
  const gives = made.kind === 'api' && includesApi(before.plan)
  if (gives) await moveAccess(db, venue, accessMoves.grant, null, context.clock())
  const key = await createKey(context, db, venue, { ...made, ...read, name: made.name.trim() })
  const { name, kind, scope, last_four: ends } = key.row
  await recordActivity(
    { db: db.within(venue), venue: { id: venue } as Venue, now: context.clock },
    { kind: 'service' },
    {
      action: 'make a key',
      record: { kind: 'api_key', id: key.row.id },
      before: null,
      after: {
        name,
        kind,
        scope,
        ends,
        ...inTrail(read),
        ...(gives && before.access !== 'approved' && { access: 'approved' }),
      },
    },
    context.clock(),
  )
  return { ...key, obstacle: gives ? undefined : obstacleOf(made.kind, before) }
}

/** Changes the given terms of any venue's key. Refuses an unknown id. */
export const changeOperatorsKey = async (
  context: Pick<Context, 'config'>,
  { db, now }: AccessWork,
  id: number,
  terms: AskedTerms,
): Promise<KeyRow> => {
  const key = await keyById(db, id)
  if (!key) throw noSuchKey(id)
  const venue = key.venue_id as VenueId
  const work = { db: db.within(venue), venue: { id: venue } as Venue, now }
  return changeKey(context, work, { kind: 'service' }, id, terms)
}

/**
 * Revokes any venue's key permanently, with all of its family, and stops the endpoints created with them. Refuses an
 * unknown id. Safe to repeat.
 */
export const revokeOperatorsKey = async ({ db, now }: AccessWork, id: number): Promise<KeyRow> => {
  const moment = now()
  const family = await revokeKey(db, id, 'revoked-by-operator', moment)
  const row = family.find((one) => one.id === id)
  if (!row) throw noSuchKey(id)
  const venue = row.venue_id as VenueId
  for (const one of family) await stopEndpointsOfKey(db, venue, one.id, moment)
  // Recorded once, however often it is repeated.
  if (row.revoked_at === toMoment(moment)) {
    await recordActivity(
      { db: db.within(venue), venue: { id: venue } as Venue, now },
      { kind: 'service' },
      { action: 'revoke a key', record: { kind: 'api_key', id }, before: null, after: { name: row.name } },
      moment,
    )
  }
  return row
}

const noSuchKey = (id: number): Refusal => new Refusal(404, `There is no key with the id ${id}.`)

const noApi = (slug: string, plan: string): string =>
  `The plan of ${slug}, ${plan}, does not include the API: it is part of ${plansWithApi.join(', ')}.`

/** The state of a venue's access, locked until the transaction ends: no move and no new key comes in between. */
export const lockAccess = holdAccess
