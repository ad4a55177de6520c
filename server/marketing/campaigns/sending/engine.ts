// The cast: a request schedules a campaign and its list. A process looks for campaigns that are due (look.ts, due.ts)
// and takes them in hand (in-hand.ts). It claims some of their copies under a lease (refill.ts, claim.ts), puts twenty at
// a time on the wire with a committed mark that also records the outcome of the previous twenty (marking.ts, mark.ts),
// and hands them to the relay (deliver.ts). Two groups do this at the same time, so that one marks while the other sends
// (groups.ts). A crash leaves claimed copies, which go back to waiting, and copies on the wire, which may have arrived
// and are never sent again automatically (heartbeat.ts, takeover.ts). Trouble with the relay holds everything
// (relay-use.ts). Any number of processes can do this on one database.
import type { Context } from '../../../context.ts'
import { type LoopWatch, watchLoops } from '../../../platform/kernel/running/loop-watch.ts'
import { uuidFrom } from '../../../platform/kernel/uuid.ts'
import type { Outcome } from '../../../mail/mailer.ts'
import type { Active } from './active.ts'
import type { CopyParts } from './copies.ts'
import { makeGroups } from './groups.ts'
import { makeHeartbeat } from './heartbeat.ts'
import { keepInHand } from './in-hand.ts'
import { sendingLimits } from './limits.ts'
import { makeLook } from './look.ts'
import { makeLoops } from './loops.ts'
import { makeMarking } from './marking.ts'
import { makeRefill } from './refill.ts'
import { useRelay } from './relay-use.ts'
import { forgetProcess } from './takeover.ts'

export type SendingParts = Pick<Context, 'db' | 'clock' | 'random' | 'log' | 'config' | 'mail' | 'hold'> &
  CopyParts

export type SendingOptions = {
  /** Called with each outcome, for metrics. */
  readonly onOutcome?: (outcome: Outcome) => void
  /** Called with whether the loops get through. */
  readonly watch?: LoopWatch
  readonly lookMs?: number
  readonly beatMs?: number
  readonly goneAfterMs?: number
  readonly stopMs?: number
}

export type Sending = {
  /** Claims nothing new, lets what is on the wire end (12 s at most), writes its results and gives back the rest. */
  readonly stop: () => Promise<void>
  readonly counts: () => { readonly onTheWire: number; readonly claimed: number; readonly campaigns: number }
  /** Looks at once; whether nothing is left to do for this process until the clock moves on. */
  readonly isAtRest: () => Promise<boolean>
}

export const startSending = (
  parts: SendingParts,
  {
    onOutcome = () => undefined,
    watch = watchLoops(),
    lookMs = sendingLimits.lookMs,
    beatMs = sendingLimits.beatMs,
    goneAfterMs = sendingLimits.goneAfterMs,
    stopMs = sendingLimits.stopMs,
  }: SendingOptions = {},
): Sending => {
  const { db, clock, random, log } = parts
  const boot = uuidFrom(random)
  const loops = makeLoops({ log, watch })
  const inHand = keepInHand({ ...parts, boot })
  const relay = useRelay(parts, (outcome, until) => {
    for (const active of inHand.all()) void inHand.hold(active, until, outcome)
  })
  const common = { ...parts, boot, loops, inHand, relay, lookMs, goneAfterMs, stopMs }
  const heartbeat = makeHeartbeat(common)
  const { look, lookedAgain } = makeLook(common)
  const groups = makeGroups({
    ...common,
    refill: makeRefill(common),
    mark: makeMarking(common),
    onOutcome,
    onSenderRefused: (active, outcome) =>
      inHand.hold(active, clock().add({ seconds: sendingLimits.senderHoldSeconds }), outcome),
  })

  // Before anything is claimed, others must be able to see that we are alive.
  const started = heartbeat().catch(loops.logFailure)
  const ended = started.then(() =>
    Promise.all([
      groups.run(),
      loops.repeat('campaigns: look what is due', look, lookMs),
      loops.repeat('campaigns: say that we live', heartbeat, beatMs),
    ]),
  )

  return {
    counts: () => ({
      onTheWire: groups.onTheWire(),
      claimed: inHand.all().reduce((sum, { claimed }) => sum + claimed.length, 0),
      campaigns: inHand.count(),
    }),
    isAtRest: async () => {
      await lookedAgain()
      const nowMs = clock().epochMilliseconds
      const waits = ({ claimed, underWay, isDry, nextDueMs }: Active): boolean =>
        underWay === 0 && ((isDry && claimed.length === 0 && nextDueMs > nowMs) || groups.isPaced())
      return groups.onTheWire() === 0 && inHand.all().every(waits)
    },
    stop: async () => {
      loops.stop()
      const impatient = setTimeout(groups.abandon, stopMs)
      await ended
      clearTimeout(impatient)
      await Promise.all([...inHand.all()].map(inHand.drop))
      await relay.written()
      // Others see that our count has stopped, and take over what is still on the wire.
      if (groups.onTheWire() === 0) await forgetProcess(db, boot).catch(() => undefined)
    },
  }
}
