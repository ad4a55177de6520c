import type { WebhookEndpoint } from '@venue-data/contract/webhook.ts'
import type { EndpointRow } from './reads.ts'

export const presentEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  status: row.status,
  disabledReason: row.disabled_reason,
  failureCount: row.failure_count,
  lastDeliveryAt: row.last_delivery_at,
  lastDeliveryStatus: row.last_delivery_status,
  createdAt: row.created_at,
})
