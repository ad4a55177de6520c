import type { Context } from '../../../context.ts'
import type { InHand } from './in-hand.ts'
import { beat, campaignsLeftBehind, forgetProcess, takeOver, watchProcesses } from './takeover.ts'

export type HeartbeatParts = Pick<Context, 'db' | 'clock'> & {
  readonly boot: string
  readonly inHand: InHand
  readonly goneAfterMs: number
}

/** Counts that this process lives, and takes over what others left behind that no longer do. */
export const makeHeartbeat = ({ db, clock, boot, inHand, goneAfterMs }: HeartbeatParts) => {
  const goneProcesses = watchProcesses(boot, goneAfterMs)
  return async (): Promise<void> => {
    await beat(db, boot)
    const gone = await goneProcesses(db)
    for (const { venue_id, campaign_id } of await campaignsLeftBehind(db, gone, clock())) {
      await takeOver(db, venue_id, campaign_id, gone, clock())
      // Copies that went back to waiting can be claimed by the next look already.
      const active = inHand.get(campaign_id)
      if (active) active.askAgainAtMs = 0
    }
    for (const one of gone) await forgetProcess(db, one)
  }
}
