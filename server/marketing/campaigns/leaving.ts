import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import type { LinkFacts } from '../../mail/link-token.ts'
import { unsubscribe } from '../subscribers/leaving.ts'

/**
 * Unsubscribes the person behind a link, and records which campaign's copy they left through. Repeating it is
 * harmless: somebody who has left, or whose record is gone, is off the list anyway.
 */
export const leaveByLink = async (
  work: Work,
  { subscriber, campaign }: Pick<LinkFacts, 'subscriber' | 'campaign'>,
): Promise<void> => {
  try {
    const { left } = await unsubscribe(work, { kind: 'guest' }, subscriber)
    if (!left) return
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return
    throw error
  }
  await work.db.run(sql()`
    update recipient set left_at = ${work.now()}
     where venue_id = ${work.venue.id} and campaign_id = ${campaign} and subscriber_id = ${subscriber}
       and left_at is null`)
}
