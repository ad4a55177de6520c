import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { recordEvent } from '../../core/events/record.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * A disabled endpoint gets no events, so the venue's other endpoints are notified. The code that disables an endpoint
 * leaves this to the code here, which finds disabled endpoints not yet reported, so a crash in between loses nothing.
 */

/** Notifies the venue of every endpoint disabled since the last run; its owners' mail is due. Safe to repeat, even concurrently. */
export const notifySwitchedOff = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: VenueId,
): Promise<void> =>
  db.transaction(async (connection) => {
    const queries = connection.within(venue)
    for (const { id, url, disabled_reason } of await takeUnreported(queries, venue)) {
      const data = { id, url, disabledReason: disabled_reason }
      const work = { db: queries, venue: { id: venue } }
      await recordEvent(work, 'webhook.disabled', data, clock(), { except: id })
    }
  })

const takeUnreported = (db: Queries, venue: VenueId) =>
  db.many(sql({ id: 'uuid', url: 'text', disabled_reason: 'text?' })`
    update webhook_endpoint set off_told = true, off_mail_due = true
     where venue_id = ${venue} and kind = 'webhook' and status = 'disabled' and not off_told
    returning id, url, disabled_reason`)

/** Venues with endpoints that are off and not yet reported. */
export const venuesWithSwitchedOff = async (db: Queries): Promise<VenueId[]> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from webhook_endpoint
     where kind = 'webhook' and status = 'disabled' and not off_told`)
  return rows.map(({ venue_id }) => venue_id as VenueId)
}
