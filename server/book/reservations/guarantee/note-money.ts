import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'

/** What somebody did with the money or the card behind a booking, and about which sum it was. */
export const noteMoney = (
  work: Work,
  actor: Actor,
  booking: number,
  action: string,
  amountCents: number,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    { action, record: { kind: 'reservation', id: booking }, before: {}, after: { amountCents } },
    work.now(),
  )
