import type { Queries } from '../db/pool.ts'
import { nextCampaign } from '../campaigns/sending/due.ts'
import { Refusal } from '../kernel/refusal.ts'
import { nextLane } from '../webhooks/engine/lanes.ts'
import { onPracticeInstance, systemClock } from './instance.ts'
import { answered, giveOrder, runningNow } from './processes.ts'

/**
 * The longest step, in milliseconds. What the service does now and then (a service that ended, a party whose wait is
 * over) happens so late at most by its clock.
 */
const longestStepMs = 300_000
/** The shortest, so that a queue of things to do a few milliseconds apart does not make as many steps. */
const shortestStepMs = 1_000

export const mostAdvanceDays = 31

/**
 * Moves the clock of the running practice instance forward. Not in one leap: it stops where the next delivery or
 * campaign is due, and every few minutes, until everything due by then has happened. So a retry is followed by the
 * next, and a campaign of this afternoon is sent and not found too late tomorrow. Gives the moment afterwards. Refuses
 * where nothing runs that could do it.
 */
export const advanceClock = async (
  db: Queries,
  byMs: number,
  system = systemClock,
): Promise<Temporal.Instant> => {
  const { aheadMs: from, ...seen } = await onPracticeInstance(db, system)
  const running = await runningNow(db, system)
  if (running !== 'yes')
    throw new Refusal(
      409,
      running === 'no'
        ? 'The practice instance is not running: start it with PRACTICE=on, so that what is due meanwhile can happen.'
        : 'No process of the practice instance does background work: start one with ROLE=worker or all.',
    )
  let last: Pick<typeof seen, 'step'> = seen
  const moveTo = async (aheadMs: number): Promise<void> => {
    last = await giveOrder(db, last, { aheadMs, heldMs: 0 }, system)
    await answered(db, last, system)
  }
  // What is due already comes first, at its own moment.
  await moveTo(from)
  const target = from + byMs
  for (let ahead = from; ahead < target;) {
    const toDueMs = await untilDue(db, system().add({ milliseconds: ahead }))
    ahead = Math.min(target, ahead + Math.min(Math.max(toDueMs, shortestStepMs), longestStepMs))
    await moveTo(ahead)
  }
  return system().add({ milliseconds: target })
}

/** How long until the next thing that has a moment of its own, in milliseconds. */
const untilDue = async (db: Queries, now: Temporal.Instant): Promise<number> => {
  const next = await Promise.all([nextLane(db, now), nextCampaign(db, now)])
  return Math.min(...next.map((at) => (at ? at.epochMilliseconds - now.epochMilliseconds : Infinity)))
}
