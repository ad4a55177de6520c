import { deliveryUserAgent } from '@venue-data/contract/webhooks/delivery.ts'
import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { listInWords } from '../../kernel/time/calendar.ts'

/*
 * Describes deliveries for the OpenAPI document and the reference page. Numbers come from contract/limits.ts.
 */

/** The headers specific to a delivery. */
export const deliveryHeaders = {
  'X-Service-Event': 'The name of the event, as in the body.',
  'X-Service-Signature':
    '`t=<unix seconds>,v1=<signature>`: the lowercase hexadecimal HMAC-SHA256, keyed with the endpoint’s whole secret, of the value of `t`, a period and the raw body. Signed again on every attempt. While a secret changes over there is a second `v1`, of the one before. Later versions may add parts to it.',
  'X-Service-Sample': '`true` on a sample that was asked for, and on nothing else.',
  'webhook-id': 'The `id` of the body; this and the next two where the endpoint has `standard` signatures.',
  'webhook-timestamp': 'The unix second of the attempt.',
  'webhook-signature':
    '`v1,<signature>` as Standard Webhooks has it, and a second one after a space while a secret is being replaced.',
  'User-Agent': `Always \`${deliveryUserAgent}\`.`,
} as const

/** Waits between attempts: `1, 5, 15 and 60 minutes, then 3, 6, 12 and 24 hours`. */
export const waitsInWords = (): string => {
  const waits = limits.deliveryWaitsMinutes
  const minutes = waits.filter((wait) => wait <= 60).map(String)
  const hours = waits.filter((wait) => wait > 60).map((wait) => String(wait / 60))
  return `${listInWords(minutes)} minutes, then ${listInWords(hours)} hours`
}

/** The first attempt and one after each wait. */
export const triesOfDelivery = limits.deliveryWaitsMinutes.length + 1

/** An event's name in code: `ticket_order.paid` is `TicketOrderPaid`. */
export const codeName = (event: EventName | 'ping'): string =>
  event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
