import type { WebhookEndpoint } from '@venue-data/contract/webhooks/webhook.ts'
import { isOffForGood } from './stays-off.ts'
import type { ShownEndpoint } from './reads.ts'
import { isRotating } from './secrets.ts'

export const presentEndpoint = (row: ShownEndpoint, now: Temporal.Instant): WebhookEndpoint => {
  const isOff = isOffForGood(row)
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    status: row.status,
    disabledReason: row.disabled_reason,
    failureCount: row.failure_count,
    lastDeliveryAt: row.last_delivery_at,
    lastDeliveryStatus: row.last_delivery_status,
    createdAt: row.created_at,
    description: row.description,
    payload: row.payload,
    include: row.include,
    signatures: row.signatures,
    pausedAt: row.status === 'paused' ? row.paused_at : null,
    secretRotatesUntil: isRotating(row, now) ? row.previous_until : null,
    revision: row.revision,
    successRate24h: row.tried === 0 ? null : Math.round((row.succeeded / row.tried) * 1_000) / 1_000,
    // Deliveries to a permanently disabled endpoint are never sent.
    waitingCount: isOff ? 0 : row.waiting,
    oldestWaitingAt: isOff ? null : row.oldest_waiting_at,
  }
}
