import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { Active } from './active.ts'
import { claimCopies } from './claim.ts'
import type { InHand } from './in-hand.ts'
import { sendingLimits } from './limits.ts'
import type { RelayUse } from './relay-use.ts'

export type RefillParts = Pick<Context, 'db' | 'clock' | 'log'> & {
  readonly boot: string
  readonly inHand: InHand
  readonly relay: RelayUse
}

/**
 * Claims more copies of a campaign; a call made while a claim is under way waits for that one. None of one that was let go
 * of: nobody would give them back.
 */
export type Refill = (active: Active) => Promise<void>

export const makeRefill = ({ db, clock, log, boot, inHand, relay }: RefillParts): Refill => {
  const claim = async (active: Active): Promise<void> => {
    try {
      const size = relay.isSlow() || inHand.count() > sendingLimits.campaignsToClaimFew ? 'few' : 'many'
      const asked = { boot, size, ...active.copies.lastLook } as const
      const { claimed, skipped } = await claimCopies(db, active.venue, active.id, asked, clock())
      if (!active.isGone) active.claimed.push(...claimed)
      active.isDry = claimed.length === 0 && skipped === 0
    } catch (error) {
      active.isDry = true
      log.warn({ code: codeOf(error) }, 'copies of a campaign could not be claimed; it will be tried again')
    } finally {
      active.claiming = undefined
    }
  }
  return async (active) => {
    if (!active.isGone) await (active.claiming ??= claim(active))
  }
}
