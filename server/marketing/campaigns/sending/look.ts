import type { Context } from '../../../context.ts'
import { isForEverybody } from '../../../platform/db/faults.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import { type Active, isReady } from './active.ts'
import { noteCounters } from './change-campaign.ts'
import {
  type DueCampaign,
  beginCampaign,
  dueCampaigns,
  finishCampaign,
  isMissed,
  missCampaign,
  nextDue,
  pausedVenues,
} from './due.ts'
import { noteWaiting } from './holds.ts'
import type { InHand } from './in-hand.ts'
import { sendingLimits } from './limits.ts'
import type { Loops } from './loops.ts'
import type { RelayUse } from './relay-use.ts'
import { holdForSender } from './sender-hold.ts'

/** Looking after what is due: campaigns begin, wait, are missed and end here. */
export type Look = {
  readonly look: () => Promise<void>
  /** Resolves when a look that began after the question has ended: one under way may have read the clock before. */
  readonly lookedAgain: () => Promise<void>
}

export type LookParts = Pick<Context, 'db' | 'clock' | 'log' | 'config' | 'hold'> & {
  readonly inHand: InHand
  readonly relay: RelayUse
  readonly loops: Loops
  readonly lookMs: number
}

export const makeLook = ({ db, clock, log, config, hold, inHand, relay, loops, lookMs }: LookParts): Look => {
  let begun = 0
  let ended = 0

  const lookAround = async (): Promise<void> => {
    await relay.refresh()
    const now = clock()
    const due = await dueCampaigns(db, now)
    // Nothing begins, and nothing is called too late, before the operator let it go.
    if (hold.isOn()) {
      for (const { venue_id, id } of due) await noteWaiting(db, venue_id, id, 'restored', now)
      for (const active of inHand.all()) await inHand.drop(active)
      return
    }
    const paused = await pausedVenues(db, [...new Set(due.map(({ venue_id }) => venue_id))])
    const going = new Set<number>()
    for (const one of due) {
      const goes = await failAlone(goOn(one, paused, now))
      if (goes) going.add(one.id)
    }
    for (const active of inHand.all()) {
      await failAlone(noteNowAndThen(active, now))
      if (!going.has(active.id) || relay.isHeld()) await inHand.drop(active)
      else if (active.isDry && active.claimed.length === 0 && active.underWay === 0)
        await failAlone(endOrWait(active, now))
    }
    if (inHand.all().some(isReady)) loops.wake()
  }

  /** One campaign's own failure does not keep the others waiting. */
  const failAlone = <T>(work: Promise<T>): Promise<T | void> =>
    work.catch((error: unknown) => {
      if (isForEverybody(error)) throw error
      log.warn({ code: codeOf(error) }, 'a campaign could not be looked after; it will be tried again')
    })

  /** Begins a due campaign or leaves it waiting; true: it is to be sent now. */
  const goOn = async (
    one: DueCampaign,
    paused: ReadonlySet<number>,
    now: Temporal.Instant,
  ): Promise<boolean> => {
    const { venue_id: venue, id, status } = one
    if (status === 'scheduled' && isMissed(one, now)) await missCampaign(db, venue, id, now)
    else if (paused.has(venue)) await noteWaiting(db, venue, id, 'venue-paused', now)
    else if (!inHand.get(id) && (await holdForSender(db, config, venue, id, now))) return false
    else if (status === 'sending' || (await beginCampaign(db, venue, id, now))) {
      if (!inHand.get(id)) await inHand.take(venue, id)
      return true
    }
    return false
  }

  const noteNowAndThen = async (active: Active, now: Temporal.Instant): Promise<void> => {
    const isSoon = now.since(active.notedAt).total('seconds') < sendingLimits.countersNotedSeconds
    // With the relay held it is let go here, and what was counted so far would be forgotten.
    if (isSoon && !relay.isHeld()) return
    await noteCounters(db, active.venue, active.id, active.notedAt, now)
    active.notedAt = now
  }

  /** Nothing of it can be claimed: it has ended, others have the rest, or the rest is due later. */
  const endOrWait = async (active: Active, now: Temporal.Instant): Promise<void> => {
    const { venue, id } = active
    if (performance.now() < active.askAgainAtMs && now.epochMilliseconds < active.nextDueMs) return
    if (await finishCampaign(db, venue, id, now)) return inHand.drop(active)
    active.nextDueMs = (await nextDue(db, venue, id))?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    active.askAgainAtMs = performance.now() + sendingLimits.looksOfDry * lookMs
    active.isDry = active.nextDueMs > now.epochMilliseconds
  }

  return {
    look: async () => {
      begun++
      try {
        await lookAround()
      } finally {
        ended++
      }
    },
    lookedAgain: async () => {
      const enough = begun + 1
      while (ended < enough && !loops.isStopping()) {
        if (begun === ended) loops.wake()
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
  }
}
