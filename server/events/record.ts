import type { EventData, EventName } from '@venue-data/contract/events.ts'
import type { Work } from '../context.ts'
import { sql } from '../db/sql.ts'

/**
 * Records that something happened, in the transaction of the change itself. The record's bytes are fixed here:
 * whoever delivers them later sends exactly these.
 */
export const recordEvent = async <Name extends EventName>(
  { db, venue }: Work,
  name: Name,
  data: EventData[Name],
  occurredAt: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    insert into event (venue_id, name, data, occurred_at)
    values (${venue.id}, ${name}, ${JSON.stringify(data)}, ${occurredAt})`)
}
