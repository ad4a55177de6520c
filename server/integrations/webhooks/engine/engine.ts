// The cast: an event's transaction writes the delivery rows and opens the venue's lane (core/events/record.ts). A worker
// picks due lanes (lanes.ts, queue.ts), looks at one venue (look.ts), decides its turn (choose.ts, turn.ts), takes a
// few deliveries under a lease (lease.ts), makes the attempts without any lock, each after a last look (tries.ts,
// last-look.ts, dispatch.ts), and writes the results, fenced by the lease (results.ts, settle.ts). A crash leaves
// leases that expire and are taken over, and lanes that come back; the sweep finds what lanes miss (sweep.ts). While
// the plan or a pause blocks a venue's API its lane is deferred; the change that opens the API also opens the lane
// (core/venue/change-by-service.ts). Any number of processes can do this on one database.
import type { Context } from '../../../context.ts'
import { isForEverybody } from '../../../platform/db/faults.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import { type LoopWatch, watchLoops } from '../../../platform/kernel/running/loop-watch.ts'
import { remember } from '../../../platform/kernel/running/remember.ts'
import { open } from '../../../platform/kernel/secrets.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type RunningTime, runningTime } from '../running-time.ts'
import { secretsAt } from '../secrets.ts'
import { gatherForVenues } from './gather-for-venues.ts'
import { gatherHints } from './hints.ts'
import { type Lane, isLaneDue } from './lanes.ts'
import { gatherLooks } from './last-look.ts'
import { type Lease, type Leased, leaseDeliveries } from './lease.ts'
import { engineLimits } from './limits.ts'
import { makePlaces } from './places.ts'
import { makeQueue } from './queue.ts'
import { gatherResults } from './results.ts'
import type { Result } from './settle.ts'
import { spareRandom } from './spare-random.ts'
import { makeTries } from './tries.ts'
import { takeTurns } from './turn.ts'

export type EngineParts = Pick<
  Context,
  'db' | 'clock' | 'random' | 'log' | 'secrets' | 'sender' | 'bell' | 'hold'
>

export type Engine = {
  /** Takes nothing new, lets running attempts finish (12 s at most), writes their results and gives back the rest. */
  readonly stop: () => Promise<void>
  readonly counts: () => {
    /** Running attempts. */
    readonly underWay: number
    /** Results being written to the database. */
    readonly unwritten: number
    /** Venues that have or await a turn in this process, and lanes being returned. */
    readonly turns: number
  }
  /** Whether nothing is left to do, in any process, until the clock advances. */
  readonly isAtRest: () => Promise<boolean>
}

export type EngineOptions = {
  /** Called after each attempt, for the metrics. */
  readonly onResult?: (result: Result) => void
  /** Called with whether the loops succeed. */
  readonly watch?: LoopWatch
  /** At least one and a half times the longest attempt; shorter values are for tests with a shorter time limit. */
  readonly leaseMs?: number
  /** For tests. */
  readonly nowMs?: RunningTime['nowMs']
}

export const startEngine = (
  parts: EngineParts,
  {
    onResult = () => undefined,
    watch = watchLoops(),
    leaseMs = engineLimits.leaseMs,
    nowMs = runningTime.nowMs,
  }: EngineOptions = {},
): Engine => {
  const { db, clock, log, secrets, bell, sender, hold } = parts
  const random = spareRandom(parts.random)
  const places = makePlaces()
  const slugs = remember<VenueId, string>(engineLimits.cached)
  const opened = remember<string, string>(engineLimits.cached)
  /** Venues whose turn is in this process now; true: another turn was requested in the meantime. */
  const turns = new Map<VenueId, boolean>()
  const waitForTry = new Set<VenueId>()

  const hints = gatherHints(parts, bell.ring)
  const results = gatherResults({ ...parts, watch }, (venue, written) => {
    for (const result of written) {
      if (result.kind === 'tried' && typeof result.next !== 'string') hints.open(venue, result.next)
      if (result.kind === 'given back') hints.open(venue, result.dueAt)
    }
    if (waitForTry.delete(venue)) hints.open(venue, clock())
  })
  const dispatchParts = {
    clock,
    random,
    sender,
    slugOf: ({ venueId }: Leased) => slugs.get(venueId) ?? '',
    // Unsealing costs as much as signing, so unsealed secrets are cached.
    secretsOf: (leased: Leased, now: Temporal.Instant) =>
      secretsAt(leased, now, (sealed) =>
        opened.getOr(sealed, () => open(secrets, sealed, leased.endpoint_id)),
      ),
  }
  const tries = makeTries({
    ...{ db, clock, log, bell, dispatchParts, places, leaseMs, nowMs, onResult },
    lastLook: gatherLooks(parts),
    settle: results.add,
  })
  const turnParts = {
    ...{ clock, random, places, hints, tries, slugs, leaseMs, nowMs },
    lease: gatherForVenues(
      { db, atOnce: engineLimits.leasesAtOnce, most: engineLimits.venuesOfLease },
      (queries, leases: readonly Lease[]) => leaseDeliveries(queries, leases, clock(), leaseMs),
    ),
    waitForTry: (venue: VenueId) => void waitForTry.add(venue),
  }
  const queue = makeQueue({ ...parts, watch }, () => !hold.isOn() && places.room().both > 0)

  const turnNotes = watch.loop('webhooks: take a turn')
  const logFailure = (error: unknown): void => {
    if (isForEverybody(error)) turnNotes.failed()
    // The lane comes back on its own.
    log.warn({ code: codeOf(error) }, 'a turn failed; it will be tried again')
  }

  /** The turns of several venues. */
  const haveTurns = async (lanes: readonly Lane[]): Promise<void> => {
    const own = lanes.filter(({ venue_id }) => !turns.has(venue_id))
    for (const { venue_id } of lanes) turns.set(venue_id, turns.has(venue_id))
    if (own.length === 0) return
    await Promise.all(takeTurns(turnParts, db, own).map((turn) => turn.then(turnNotes.well, logFailure)))
    for (const { venue_id } of own) {
      if (turns.get(venue_id)) hints.open(venue_id, clock())
      turns.delete(venue_id)
    }
  }

  const loop = async (): Promise<void> => {
    for (let lanes = await queue.next(); lanes.length > 0; lanes = await queue.next()) await haveTurns(lanes)
  }
  const loops = Array.from({ length: engineLimits.turnsAtOnce }, loop)

  const counts = () => ({
    underWay: places.taken(),
    unwritten: results.waiting(),
    turns: turns.size + queue.waiting() + hints.waiting(),
  })
  const isIdle = (): boolean => Object.values(counts()).every((count) => count === 0)

  return {
    counts,
    isAtRest: async () => {
      bell.ring()
      // Checked before and after the query, since a lane we hold is due to nobody else.
      return isIdle() && (hold.isOn() || !(await isLaneDue(db, clock()))) && isIdle()
    },
    stop: async () => {
      queue.stop()
      tries.stop()
      await Promise.all(loops)
      for (const { venue_id } of queue.left()) hints.open(venue_id, clock())
      await tries.ended(engineLimits.stopTriesMs)
      await results.settled(engineLimits.stopWritesMs)
      await hints.written(engineLimits.stopWritesMs)
    },
  }
}
