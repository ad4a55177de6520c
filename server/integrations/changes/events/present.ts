import type { EventItem } from '@venue-data/contract/webhooks/event-item.ts'
import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { recordTouched } from './record-touched.ts'
import type { EventRow } from './reads.ts'

export const presentEvent = (row: EventRow): EventItem => ({
  eventId: row.public_id,
  event: row.names[0] as EventName,
  names: row.names,
  occurredAt: row.occurred_at,
  record: recordTouched(row),
  changed: row.changed ?? [],
  answer: row.answer,
  data: row.data === null ? null : JSON.parse(row.data),
})
