import type { Context, Work } from '../context.ts'
import type { Queries } from '../platform/db/pool.ts'
import { sql } from '../platform/db/sql.ts'
import { codeOf } from '../platform/kernel/code-of.ts'
import { domainOf } from '../platform/kernel/mailbox.ts'
import { uuidFrom } from '../platform/kernel/uuid.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { senderOf } from './addressing.ts'
import { messageIdOf } from './copy-address.ts'
import { plainMessage } from './plain-message.ts'

type MailingParts = Pick<Context, 'db' | 'config' | 'clock' | 'random' | 'mail' | 'log'>

export type OwnersMail = {
  readonly subject: string
  readonly text: string
  /** Further addresses that an owner has set for such mail. */
  readonly also?: readonly string[]
}

/** Mails a venue's owners a few sentences of the service itself. What the relay does not take is logged and not repeated. */
export const mailOwners = async (
  { db, config, clock, random, mail, log }: MailingParts,
  venue: Pick<Work['venue'], 'id' | 'slug'>,
  { subject, text, also = [] }: OwnersMail,
): Promise<void> => {
  const from = senderOf(config, { name: config.mailFrom?.name ?? '', mail_from: null })
  const owners = await ownersOf(db, venue.id)
  for (const email of new Set([...owners.map((owner) => owner.email), ...also])) {
    try {
      const messageId = messageIdOf(uuidFrom(random), domainOf(from.address))
      const message = plainMessage({ from, to: email, date: clock(), messageId, subject, text })
      const outcome = await mail.deliver({ from: from.address, to: email, message })
      if (outcome.kind !== 'accepted')
        log.warn({ venue: venue.slug, outcome: outcome.kind }, 'an owner was not mailed')
    } catch (error) {
      log.warn({ venue: venue.slug, code: codeOf(error) }, 'an owner was not mailed')
    }
  }
}

const ownersOf = (db: Queries, venue: VenueId): Promise<{ email: string }[]> =>
  db.many(sql({ email: 'text' })`
    select email from staff
     where venue_id = ${venue} and role = 'owner' and disabled_at is null order by id limit 20`)
