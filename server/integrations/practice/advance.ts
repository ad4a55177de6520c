import type { Queries } from '../../platform/db/pool.ts'
import { nextCampaign } from '../../marketing/campaigns/sending/due.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { nextLane } from '../webhooks/engine/lanes.ts'
import { onPracticeInstance, systemClock } from './instance.ts'
import { answered, giveOrder, runningNow } from './processes.ts'

/**
 * The longest step, in milliseconds. Periodic work (for services that ended, parties whose wait is over) may be this
 * late by the clock.
 */
const longestStepMs = 300_000
/** The shortest step, so that tasks due a few milliseconds apart do not each cause a step. */
const shortestStepMs = 1_000

export const mostAdvanceDays = 31

/**
 * Moves the running practice instance's clock forward. Not in one leap: it stops where the next delivery or campaign is
 * due, and every few minutes, until everything due by then has happened. So one retry is followed by the next, and this
 * afternoon's campaign is sent instead of being found too late tomorrow. Returns the moment afterwards. Refuses if no
 * process is running that could do it.
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
  // Tasks already due come first, each at its own moment.
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
