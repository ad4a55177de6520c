import type { Context } from '../../../context.ts'
import { type Moment, later, toInstant } from '../../../platform/kernel/time/moment.ts'
import type { RunningTime } from '../running-time.ts'
import { type DispatchParts, dispatch } from './dispatch.ts'
import { type LastLook, leaveLater } from './last-look.ts'
import type { Leased } from './lease.ts'
import { engineLimits } from './limits.ts'
import type { Places } from './places.ts'
import type { Result } from './settle.ts'

/*
 * Attempts from their lease to their result. Each takes one of the process's places. First the receiver's name is
 * looked up, which may take seconds; then comes the last look, and in the same turn of the event loop the request, or
 * its connection. After a slow connect there is another look before the first byte. An attempt that may not start is
 * given back before anything was sent.
 */

export type Tries = {
  /**
   * Makes one attempt. `takenAtMs` is on the process's own clock, which keeps running during a pause. `dueAt`: its
   * place in the queue, restored when it is given back.
   */
  readonly start: (leased: Leased, takenAtMs: number, dueAt: Moment) => void
  /** From now on no attempt starts. */
  readonly stop: () => void
  /** Lets running attempts finish within `ms` and gives back the rest. */
  readonly ended: (ms: number) => Promise<void>
}

export type TriesParts = Pick<Context, 'db' | 'clock' | 'log' | 'bell'> & {
  readonly dispatchParts: DispatchParts
  readonly places: Places
  readonly lastLook: LastLook
  readonly leaseMs: number
  readonly nowMs: RunningTime['nowMs']
  readonly onResult: (result: Result) => void
  /** Receives each result, to be written to the database. */
  readonly settle: (result: Result) => void
}

export const makeTries = ({
  db,
  clock,
  log,
  bell,
  dispatchParts,
  places,
  lastLook,
  leaseMs,
  nowMs,
  onResult,
  settle,
}: TriesParts): Tries => {
  const underWay = new Set<Leased>()
  const msSince = (ms: number): number => nowMs() - ms
  let stopping = false

  const run = async (leased: Leased, takenAtMs: number, dueAt: Moment): Promise<void> => {
    /** When the pace counts the event as having left. Undefined: this attempt is not counted. */
    let left = leased.leftAt && { at: leased.leftAt, ms: takenAtMs }
    let lookedAtMs = takenAtMs
    const isInTime = (): boolean => !left || msSince(left.ms) <= engineLimits.startWithinMs

    /**
     * Not after a stop, after a long pause of the process, or on a look that is outdated by the time its answer is
     * read.
     */
    const mayStart = async (): Promise<boolean> => {
      for (let looks = 0; looks < engineLimits.looksOfTry; looks++) {
        // The rest of the lease is for the attempt itself.
        if (stopping || msSince(takenAtMs) > leaseMs * engineLimits.startShareOfLease) return false
        lookedAtMs = nowMs()
        const isLate = !isInTime()
        if (isLate) left = { at: clock(), ms: lookedAtMs }
        const [isStartable, isCounted] = await Promise.all([
          lastLook(leased),
          left && isLate ? countAnew(left.at) : true,
        ])
        if (!isStartable || !isCounted || stopping) return false
        if (isInTime() && msSince(lookedAtMs) <= lookHolds(looks)) return true
      }
      return false
    }
    const countAnew = (at: Temporal.Instant): Promise<boolean> =>
      leaveLater(db, leased.venueId, leased.event_id, at).then(
        () => true,
        () => false,
      )

    const stillHolds = (): boolean => isInTime() && msSince(lookedAtMs) <= engineLimits.startWithinMs

    const result = await dispatch(dispatchParts, leased, { ask: mayStart, holds: stillHolds })
    if (result) onResult(result)
    // Already given back, because the process is shutting down.
    if (!underWay.has(leased)) return
    settle(result ?? { kind: 'given back', leased, dueAt: toInstant(dueAt), unsentLeftAt: left?.at })
  }

  return {
    start: (leased, takenAtMs, dueAt) => {
      underWay.add(leased)
      const ended = (): void => {
        underWay.delete(leased)
        if (places.room().both === 0) bell.ring()
        places.leave(leased.tries === 0 ? 'first' : 'retry')
      }
      run(leased, takenAtMs, dueAt)
        .catch((error: unknown) => {
          // Our fault, not the receiver's: no attempt was made. The lease expires and the delivery is taken over.
          log.error(
            { err: (error as Error).message, delivery: leased.id },
            'a delivery could not be made into a request',
          )
        })
        .finally(ended)
    },
    stop: () => {
      stopping = true
    },
    ended: async (ms) => {
      await places.empty(ms)
      for (const leased of underWay) {
        underWay.delete(leased)
        // Later by as much as the attempt may still take, so two are never running at once.
        const dueAt = later(clock(), engineLimits.stopWritesMs)
        settle({ kind: 'given back', leased, dueAt, unsentLeftAt: undefined })
      }
    },
  }
}

/** A slow database may delay deliveries but must not stop them: each further look is valid for twice as long. */
const lookHolds = (looksBefore: number): number =>
  Math.min(engineLimits.lookHoldsMs * 2 ** looksBefore, engineLimits.startWithinMs)
