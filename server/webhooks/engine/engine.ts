// The cast: an event's transaction writes the delivery rows and opens the venue's lane (events/record.ts). A worker
// picks due lanes (lanes.ts), looks at one venue (look.ts), decides its turn (choose.ts), takes a few deliveries under
// a lease (lease.ts), makes the tries without any lock (dispatch.ts) and writes what came of them, fenced by the lease
// (settle.ts). A crash leaves leases that run out and are taken over, and lanes that come back; what lanes forget the
// sweep finds (sweep.ts). Any number of processes do this on one database.
import type { Context } from '../../context.ts'
import { uuidFrom } from '../../kernel/uuid.ts'
import type { VenueId } from '../../venue/venue.ts'
import { type Choice, choose } from './choose.ts'
import { dispatch, openSecret } from './dispatch.ts'
import { gatherHints } from './hints.ts'
import { type Lane, pickLanes } from './lanes.ts'
import { type Leased, leaseDeliveries } from './lease.ts'
import { engineLimits } from './limits.ts'
import { lookAtVenue, startTurns } from './look.ts'
import { makePlaces } from './places.ts'
import { remember } from './remember.ts'
import { gatherResults } from './results.ts'
import type { Result } from './settle.ts'
import { slugOfVenue } from './venues.ts'

export type EngineParts = Pick<Context, 'db' | 'clock' | 'random' | 'log' | 'secrets' | 'sender' | 'bell'>

export type Engine = {
  /**
   * Takes nothing new, lets the tries under way end (12 s at most), writes their results and gives back the rest
   * (webhooks.md 4.5).
   */
  readonly stop: () => Promise<void>
  readonly counts: () => {
    /** Tries that hold a place. */
    readonly underWay: number
    /** Results on their way to the database. */
    readonly unwritten: number
    /** Venues that have their turn or wait for it in this process, and lanes on their way back. */
    readonly turns: number
  }
}

export type EngineOptions = {
  /** Told of each try that ended, for the figures. */
  readonly onResult?: (result: Result) => void
  /** Longer than the longest try; shorter ones are for tests with a shorter time limit. */
  readonly leaseMs?: number
}

export const startEngine = (
  parts: EngineParts,
  { onResult = () => undefined, leaseMs = engineLimits.leaseMs }: EngineOptions = {},
): Engine => {
  const { db, clock, random, log, secrets, bell, sender } = parts
  const places = makePlaces()
  const slugs = remember<VenueId, string>(engineLimits.cached)
  const opened = remember<string, string>(engineLimits.cached)
  const dispatchParts = {
    clock,
    random,
    sender,
    slugOf: ({ venueId }: Leased) => slugs.get(venueId) ?? '',
    secretOf: (leased: Leased) =>
      opened.getOr(leased.secret_sealed ?? '', () => openSecret({ secrets }, leased)),
  }
  const underWay = new Set<Leased>()
  /** Venues whose turn this process has now; true: another turn was called for meanwhile. */
  const turns = new Map<VenueId, boolean>()
  const waitForTry = new Set<VenueId>()
  let stopping = false

  const hints = gatherHints(parts, bell.ring)
  const results = gatherResults(parts, (venue, written) => {
    for (const result of written) {
      if (result.kind === 'tried' && typeof result.next !== 'string') hints.open(venue, result.next)
      if (result.kind === 'given back') hints.open(venue, result.dueAt)
    }
    if (waitForTry.delete(venue)) hints.open(venue, clock())
  })

  const giveBack = (leased: Leased, afterMs = 0): void =>
    results.add({ kind: 'given back', leased, dueAt: clock().add({ milliseconds: afterMs }) })

  /** One try from its dispatch to its result; `takenAtMs` on the process's own clock, which also runs in a pause. */
  const send = async (leased: Leased, takenAtMs: number): Promise<void> => {
    const kind = leased.tries === 0 ? 'first' : 'retry'
    if (stopping || performance.now() - takenAtMs > engineLimits.startWithinMs) {
      places.leave(kind)
      return giveBack(leased)
    }
    underWay.add(leased)
    try {
      const result = await dispatch(dispatchParts, leased)
      onResult(result)
      if (underWay.has(leased)) results.add(result)
    } catch (error) {
      // Ours, not the receiver's: no try was made. The lease runs out and the delivery is taken over.
      log.error(
        { err: (error as Error).message, delivery: leased.id },
        'a delivery could not be made into a request',
      )
    } finally {
      underWay.delete(leased)
      if (places.room().both === 0) bell.ring()
      places.leave(kind)
    }
  }

  /** Takes what a turn chose and sends it off. False: not all could be taken, the turn was decided on old facts. */
  const take = async (venue: VenueId, turn: number, { taken, leaving }: Choice): Promise<boolean> => {
    const first = taken.filter(({ tries }) => tries === 0).length
    const count = { first, retry: taken.length - first }
    // Taken before the statement, so that turns at the same time cannot fill a place twice.
    places.take('first', count.first)
    places.take('retry', count.retry)
    try {
      if (!slugs.has(venue)) slugs.set(venue, await slugOfVenue(db, venue))
      const takenAtMs = performance.now()
      const lease = { turn, deliveries: taken.map(({ id }) => id), leaving, token: uuidFrom(random) }
      const all = await leaseDeliveries(db, venue, lease, clock(), leaseMs)
      for (const leased of all) {
        count[leased.tries === 0 ? 'first' : 'retry']--
        void send(leased, takenAtMs)
      }
      return all.length === taken.length
    } finally {
      places.leave('first', count.first)
      places.leave('retry', count.retry)
    }
  }

  const takeTurn = async (lane: Lane): Promise<void> => {
    const venue = lane.venue_id
    const now = clock()
    const rows = await lookAtVenue(db, venue, now)
    const [first] = rows
    if (!first) {
      await startTurns(db, venue)
      return hints.open(venue, now)
    }
    const choice = choose(rows, places.room(), now, leaseMs)
    // Before the tries start: the first may end before the statement that took them returns.
    if (choice.isFull) waitForTry.add(venue)
    const isDone = choice.taken.length === 0 || (await take(venue, first.turn, choice))
    hints.giveBack({
      lane,
      nextAt: isDone ? (choice.nextAt ?? FAR_AHEAD) : now,
      pacedUntil: choice.pacedUntil,
    })
  }

  let queue: Lane[] = []
  let picking: Promise<void> | undefined
  let isPicking = false
  let pauseMs: number = engineLimits.pauseLeastMs

  const pick = async (): Promise<void> => {
    if (places.room().both > 0) {
      try {
        isPicking = true
        queue = await pickLanes(db, clock())
      } catch (error) {
        log.warn(
          { code: (error as { code?: unknown }).code },
          'lanes could not be picked; it will be tried again',
        )
        pauseMs = engineLimits.pauseMostMs
      } finally {
        isPicking = false
      }
    }
    if (queue.length > 0) pauseMs = engineLimits.pauseLeastMs
    else {
      await bell.wait(pauseMs)
      pauseMs = Math.min(pauseMs * 2, engineLimits.pauseMostMs)
    }
  }

  const nextLane = async (): Promise<Lane | undefined> => {
    while (!stopping) {
      const lane = queue.shift()
      if (lane) return lane
      picking ??= pick().finally(() => {
        picking = undefined
      })
      await picking
    }
    return undefined
  }

  const loop = async (): Promise<void> => {
    for (let lane = await nextLane(); lane; lane = await nextLane()) {
      const venue = lane.venue_id
      if (turns.has(venue)) {
        turns.set(venue, true)
        continue
      }
      turns.set(venue, false)
      try {
        await takeTurn(lane)
      } catch (error) {
        // The lane comes back by itself.
        log.warn({ code: (error as { code?: unknown }).code }, 'a turn failed; it will be tried again')
      }
      if (turns.get(venue)) hints.open(venue, clock())
      turns.delete(venue)
    }
  }

  const loops = Array.from({ length: engineLimits.turnsAtOnce }, loop)

  return {
    counts: () => ({
      underWay: places.taken(),
      unwritten: results.waiting(),
      turns: turns.size + queue.length + hints.waiting() + (isPicking ? 1 : 0),
    }),
    stop: async () => {
      stopping = true
      bell.ring()
      await Promise.all(loops)
      for (const lane of queue) hints.open(lane.venue_id, clock())
      await places.empty(engineLimits.stopTriesMs)
      for (const leased of underWay) {
        underWay.delete(leased)
        // Later by as much as the try may still take: two are never under way at once.
        giveBack(leased, engineLimits.stopWritesMs)
      }
      await results.settled(engineLimits.stopWritesMs)
      await hints.written()
    },
  }
}

/** A venue with nothing waiting: its lane is opened by the next event. */
const FAR_AHEAD = Temporal.Instant.from('9999-12-31T00:00:00Z')
