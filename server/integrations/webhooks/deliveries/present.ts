import type { DeliveryWithAttempts, LoggedDelivery } from '@venue-data/contract/webhooks/logged-delivery.ts'
import { recordTouched } from '../../changes/events/record-touched.ts'
import type { AttemptRow, DeliveryRow } from './reads.ts'

export const presentDelivery = (row: DeliveryRow): LoggedDelivery => ({
  id: row.id,
  eventId: row.public_id,
  event: row.name,
  record: recordTouched(row),
  occurredAt: row.occurred_at,
  status: row.outcome ?? 'waiting',
  tries: row.tries,
  nextTryAt: row.outcome === null && !row.is_underway ? row.due_at : null,
  lastStatus: row.last_result,
})

export const presentWithAttempts = (
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
): DeliveryWithAttempts => ({
  ...presentDelivery(row),
  attempts: attempts.map(({ started_at, duration_ms, status_code, result }) => ({
    startedAt: started_at,
    durationMs: duration_ms,
    statusCode: status_code,
    result,
  })),
})
