import { Account, ExpiringKey } from './account.ts'
import { Availability, AvailabilityCheck } from './availability.ts'
import { Batch, BatchResult } from './batch.ts'
import { Campaign } from './campaign.ts'
import { Change } from './change.ts'
import type { Endpoint } from './endpoint.ts'
import { accountEndpoints } from './endpoints/account.ts'
import { batchEndpoints } from './endpoints/batches.ts'
import { campaignEndpoints } from './endpoints/campaigns.ts'
import { changesEndpoints } from './endpoints/changes.ts'
import { deliveryEndpoints } from './endpoints/deliveries.ts'
import { dryRunEndpoints } from './endpoints/dry-run.ts'
import { erasureEndpoints } from './endpoints/erasures.ts'
import { eventsEndpoints } from './endpoints/events.ts'
import { guestEndpoints } from './endpoints/guests.ts'
import { leadEndpoints } from './endpoints/leads.ts'
import { reservationEndpoints } from './endpoints/reservations.ts'
import { subscriberEndpoints } from './endpoints/subscribers.ts'
import { taskEndpoints } from './endpoints/tasks.ts'
import { ticketOrderEndpoints } from './endpoints/ticket-orders.ts'
import { waitlistEndpoints } from './endpoints/waitlist.ts'
import { webhookSettingsEndpoints } from './endpoints/webhook-settings.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'
import { Erasure } from './erasure.ts'
import { eventShapes } from './event-data.ts'
import { EventItem, EventType } from './event-item.ts'
import { Guest } from './guest.ts'
import { Lead } from './lead.ts'
import { DeliveryWithAttempts, LoggedDelivery } from './logged-delivery.ts'
import { Occurrence } from './occurrence.ts'
import { Hold, Reservation } from './reservation.ts'
import { Subscriber } from './subscriber.ts'
import { Task } from './task.ts'
import { TicketOrder } from './ticket-order.ts'
import { Usage } from './usage.ts'
import { WaitlistEntry } from './waitlist-entry.ts'
import { NewWebhookEndpoint, WebhookEndpoint } from './webhook.ts'

/** Every endpoint, in the order in which they are shown: one row each, in the file of its group. */
export const endpoints = {
  ...accountEndpoints,
  ...changesEndpoints,
  ...eventsEndpoints,
  ...reservationEndpoints,
  ...guestEndpoints,
  ...subscriberEndpoints,
  ...ticketOrderEndpoints,
  ...waitlistEndpoints,
  ...leadEndpoints,
  ...taskEndpoints,
  ...campaignEndpoints,
  ...batchEndpoints,
  ...dryRunEndpoints,
  ...erasureEndpoints,
  ...webhookEndpoints,
  ...webhookSettingsEndpoints,
  ...deliveryEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointId = keyof typeof endpoints

/** The records by name, as the serialiser and the OpenAPI document need them. */
export const records = [
  Account,
  Usage,
  ExpiringKey,
  Availability,
  AvailabilityCheck,
  Hold,
  Change,
  EventItem,
  EventType,
  Reservation,
  Guest,
  Subscriber,
  Occurrence,
  TicketOrder,
  WaitlistEntry,
  Lead,
  Task,
  Campaign,
  Batch,
  BatchResult,
  Erasure,
  WebhookEndpoint,
  NewWebhookEndpoint,
  LoggedDelivery,
  DeliveryWithAttempts,
  ...eventShapes,
]
