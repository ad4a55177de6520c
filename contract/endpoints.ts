import { Account, ExpiringKey } from './records/account.ts'
import { Availability, AvailabilityCheck } from './records/availability.ts'
import { Batch, BatchResult } from './batch.ts'
import { Campaign } from './records/campaign.ts'
import { Change } from './change.ts'
import { Checkout } from './records/checkout.ts'
import type { Endpoint } from './webhooks/endpoint.ts'
import { accountEndpoints } from './endpoints/account.ts'
import { batchEndpoints } from './endpoints/batches.ts'
import { campaignEndpoints } from './endpoints/campaigns.ts'
import { checkoutEndpoints } from './endpoints/checkouts.ts'
import { changesEndpoints } from './endpoints/changes.ts'
import { deliveryEndpoints } from './endpoints/deliveries.ts'
import { dryRunEndpoints } from './endpoints/dry-run.ts'
import { erasureEndpoints } from './endpoints/erasures.ts'
import { eventsEndpoints } from './endpoints/events.ts'
import { figuresEndpoints } from './endpoints/figures.ts'
import { guestEndpoints } from './endpoints/guests.ts'
import { leadEndpoints } from './endpoints/leads.ts'
import { reservationEndpoints } from './endpoints/reservations.ts'
import { searchEndpoints } from './endpoints/search.ts'
import { subscriberEndpoints } from './endpoints/subscribers.ts'
import { taskEndpoints } from './endpoints/tasks.ts'
import { ticketOrderEndpoints } from './endpoints/ticket-orders.ts'
import { waitlistEndpoints } from './endpoints/waitlist.ts'
import { visitEndpoints } from './endpoints/visits.ts'
import { webhookSettingsEndpoints } from './endpoints/webhook-settings.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'
import { Erasure } from './erasure.ts'
import { eventShapes } from './webhooks/event-data.ts'
import { EventItem, EventType } from './webhooks/event-item.ts'
import { Figure } from './records/figures.ts'
import { Guest } from './records/guest.ts'
import { Lead } from './records/lead.ts'
import { DeliveryWithAttempts, LoggedDelivery } from './webhooks/logged-delivery.ts'
import { Occurrence } from './records/occurrence.ts'
import { Hold, Reservation } from './records/reservation.ts'
import { Subscriber } from './records/subscriber.ts'
import { Task } from './records/task.ts'
import { TicketOrder } from './records/ticket-order.ts'
import { Usage } from './records/usage.ts'
import { WaitlistEntry } from './records/waitlist-entry.ts'
import { Room, Visit } from './records/visit.ts'
import { NewWebhookEndpoint, WebhookEndpoint } from './webhooks/webhook.ts'

/** Every endpoint, in the order in which they are shown: one row each, in the file of its group. */
export const endpoints = {
  ...accountEndpoints,
  ...changesEndpoints,
  ...eventsEndpoints,
  ...reservationEndpoints,
  ...guestEndpoints,
  ...searchEndpoints,
  ...subscriberEndpoints,
  ...ticketOrderEndpoints,
  ...checkoutEndpoints,
  ...waitlistEndpoints,
  ...visitEndpoints,
  ...leadEndpoints,
  ...taskEndpoints,
  ...campaignEndpoints,
  ...figuresEndpoints,
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
  Checkout,
  WaitlistEntry,
  Visit,
  Room,
  Lead,
  Task,
  Campaign,
  Figure,
  Batch,
  BatchResult,
  Erasure,
  WebhookEndpoint,
  NewWebhookEndpoint,
  LoggedDelivery,
  DeliveryWithAttempts,
  ...eventShapes,
]
