import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, sql } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { mailsWhere } from '../../../mail/guest-mail-kinds.ts'
import { failedLast } from '../../../mail/guest-mail-queue.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { lineTexts } from '../../texts/texts-store.ts'

/* The mails to parties of the waitlist, for staff: which of them reached nobody. */

const partyMails = mailsWhere({ to: 'guest', record: 'entry' })

const unreachedParty = {
  id: 'int8',
  guest_name: 'text?',
  phone: 'text?',
  date: 'date?',
  status: 'text',
} as const
export type UnreachedParty = RowOf<typeof unreachedParty>

const mostUnreached = 100

/**
 * The parties that wait for a service date from `today` on, or whose wait ended without them, whom the last mail did not
 * reach, nor a text since: the one to come soonest first.
 */
export const unreachedParties = (db: Queries, venue: VenueId, today: LocalDate): Promise<UnreachedParty[]> =>
  db.many(sql(unreachedParty)`
    select e.id, e.guest_name, e.phone, coalesce(e.service_date, e.date) as date, e.status from waitlist_entry e
     where e.venue_id = ${venue} and coalesce(e.service_date, e.date) >= ${today}
       and e.status in ('waiting', 'offered', 'expired')
       and e.id in (
         select f.record_id from guest_mail f
          where f.venue_id = ${venue} and ${failedLast(venue, partyMails)}
            and not exists (
              select from guest_text t
               where t.venue_id = ${venue} and t.kind = any(${[...lineTexts]}) and t.record_id = f.record_id
                 and t.made_at > f.made_at and t.state in ('sent', 'delivered')))
     order by 4, e.id limit ${mostUnreached}`)
