import { venuesWithOpenApi } from '../../access/reads.ts'
import type { Context } from '../../../context.ts'
import type { RunningTime } from '../running-time.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { later, toMoment } from '../../../platform/kernel/time/moment.ts'
import { uuidFrom } from '../../../platform/kernel/uuid.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type Choice, choose } from './choose.ts'
import type { Hints } from './hints.ts'
import type { Lane } from './lanes.ts'
import type { Lease, Leased } from './lease.ts'
import { engineLimits } from './limits.ts'
import { type WaitingRow, lookAtVenue, lookAtVenues, startTurns } from './look.ts'
import type { Places } from './places.ts'
import type { Tries } from './tries.ts'

export type TurnParts = Pick<Context, 'clock' | 'random'> & {
  readonly places: Places
  readonly hints: Hints
  readonly tries: Tries
  /** Takes deliveries, for many venues in one statement. */
  readonly lease: (lease: Lease) => Promise<readonly Leased[]>
  /** Slugs of venues that had a turn here. */
  readonly slugs: { readonly set: (venue: VenueId, slug: string) => void }
  readonly leaseMs: number
  readonly nowMs: RunningTime['nowMs']
  /** Look at the venue again when one of its attempts ends. */
  readonly waitForTry: (venue: VenueId) => void
}

/**
 * The turns of several venues. They are read together, and if that fails one by one, so that one venue's trouble does
 * not affect the others. What they take is gathered likewise.
 */
export const takeTurns = (parts: TurnParts, db: Queries, lanes: readonly Lane[]): Promise<void>[] => {
  const now = parts.clock()
  const looks = lookAtVenues(
    db,
    lanes.map(({ venue_id }) => venue_id),
    now,
  )
  return lanes.map(async (lane) => {
    const venue = lane.venue_id
    const rows = await looks.then(
      (found) => found.get(venue) ?? [],
      () => lookAtVenue(db, venue, now),
    )
    return takeTurn(parts, db, lane, rows, now)
  })
}

/**
 * A venue's turn after the look: decides, takes a few deliveries, starts them and gives the lane back. While the plan
 * or a pause blocks the venue's API nothing is taken: the lane is deferred, and anything that opens the API opens the
 * lane.
 */
const takeTurn = async (
  parts: TurnParts,
  db: Queries,
  lane: Lane,
  rows: readonly WaitingRow[],
  now: Temporal.Instant,
): Promise<void> => {
  const { places, hints, leaseMs } = parts
  const venue = lane.venue_id
  // Checked again after the pick: an earlier opening is seen here, a later one finds that we hold the lane.
  if (!lane.isOpen && !(await venuesWithOpenApi(db, [venue])).has(venue)) {
    const nextAt = later(now, engineLimits.shutLaneMs)
    return hints.giveBack({ lane, nextAt, pacedUntil: undefined })
  }
  const [first] = rows
  if (!first) {
    await startTurns(db, venue)
    return hints.open(venue, now)
  }
  const choice = choose(rows, places.room(), now, leaseMs)
  // Before the attempts start: the first may end before the statement that took them returns.
  if (choice.isFull) parts.waitForTry(venue)
  const isDone = choice.taken.length === 0 || (await take(parts, lane, first.turn, choice))
  hints.giveBack({
    lane,
    nextAt: isDone ? (choice.nextAt ?? FAR_AHEAD) : now,
    pacedUntil: choice.pacedUntil,
  })
}

/**
 * Takes what a turn chose and starts it. False: not all could be taken, because the turn was decided on outdated facts.
 */
const take = async (
  { clock, random, places, tries, lease, slugs, nowMs }: TurnParts,
  { venue_id: venue, slug }: Lane,
  turn: number,
  { taken }: Choice,
): Promise<boolean> => {
  const first = taken.filter((one) => one.tries === 0).map(({ id }) => id)
  const count = { first: first.length, retry: taken.length - first.length }
  // Reserved before the statement, so that concurrent turns cannot fill a place twice.
  places.take('first', count.first)
  places.take('retry', count.retry)
  try {
    slugs.set(venue, slug)
    const takenAtMs = nowMs()
    const all = await lease({
      ...{ venue, turn, first, token: uuidFrom(random) },
      deliveries: taken.map(({ id }) => id),
    })
    const dueAt = new Map(taken.map((one) => [one.id, one.due_at]))
    for (const leased of all) {
      count[leased.tries === 0 ? 'first' : 'retry']--
      tries.start(leased, takenAtMs, dueAt.get(leased.id) ?? toMoment(clock()))
    }
    return all.length === taken.length
  } finally {
    places.leave('first', count.first)
    places.leave('retry', count.retry)
  }
}

/** A venue with nothing pending: the next event opens its lane. */
const FAR_AHEAD = Temporal.Instant.from('9999-12-31T00:00:00Z')
