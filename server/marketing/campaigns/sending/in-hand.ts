import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { Outcome } from '../../../mail/mailer.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Active } from './active.ts'
import { giveBackClaimed } from './claim.ts'
import { type CopyParts, prepareCopies } from './copies.ts'
import { holdCampaign, holdSentence } from './holds.ts'

/** The campaigns this process has in hand. Other processes may have the same ones, each with copies of its own. */
export type InHand = {
  /** Prepares a campaign's copies, so that the groups find it. */
  readonly take: (venue: VenueId, id: number) => Promise<void>
  readonly get: (id: number) => Active | undefined
  /** In the order they were taken. */
  readonly all: () => MapIterator<Active>
  readonly count: () => number
  /** Lets go of a campaign and gives back its claimed copies; what is on the wire ends. */
  readonly drop: (active: Active) => Promise<void>
  /** Holds a campaign for every process, and drops it here. */
  readonly hold: (active: Active, until: Temporal.Instant, outcome: Outcome) => Promise<void>
}

export const keepInHand = (
  parts: Pick<Context, 'db' | 'log'> & CopyParts & { readonly boot: string },
): InHand => {
  const { db, clock, log, boot } = parts
  const actives = new Map<number, Active>()

  const drop = async (active: Active): Promise<void> => {
    active.isGone = true
    if (actives.get(active.id) === active) actives.delete(active.id)
    active.claimed.length = 0
    await active.claiming
    await giveBackClaimed(db, active.venue, active.id, boot).catch((error: unknown) =>
      // Their lease runs out.
      log.warn({ code: codeOf(error) }, 'claimed copies could not be given back'),
    )
  }

  return {
    take: async (venue, id) => {
      const copies = await prepareCopies(db, parts, venue, id)
      if (!copies) return
      const idle = {
        notedAt: clock(),
        isDry: false,
        nextDueMs: 0,
        askAgainAtMs: 0,
        underWay: 0,
        isGone: false,
      }
      actives.set(id, { venue, id, copies, claimed: [], claiming: undefined, ...idle })
    },
    get: (id) => actives.get(id),
    all: () => actives.values(),
    count: () => actives.size,
    drop,
    hold: (active, until, outcome) =>
      holdCampaign(db, active.venue, active.id, until, holdSentence(outcome), clock()).then(
        () => drop(active),
        (error: unknown) => log.warn({ code: codeOf(error) }, 'a campaign could not be held'),
      ),
  }
}
