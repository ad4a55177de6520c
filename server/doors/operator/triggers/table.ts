import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { accessTriggers } from './access.ts'
import { campaignTriggers } from './campaigns.ts'
import { pendingChangeTriggers } from './pending-changes.ts'
import { guestTriggers, leadTriggers, subscriberTriggers } from './people.ts'
import { reservationTriggers } from './reservations.ts'
import { taskTriggers } from './tasks.ts'
import { ticketOrderTriggers } from './ticket-orders.ts'
import type { Trigger } from './trigger.ts'
import { waitlistTriggers } from './waitlist.ts'

const table = {
  ...reservationTriggers,
  ...pendingChangeTriggers,
  ...guestTriggers,
  ...subscriberTriggers,
  ...ticketOrderTriggers,
  ...waitlistTriggers,
  ...leadTriggers,
  ...accessTriggers,
  ...taskTriggers,
  ...campaignTriggers,
} as const

/** Everything `trigger` can do, by name: an event in the contract, or a record and what is done to it. */
export const triggers: Readonly<Record<string, Trigger>> = table

const send =
  'send a campaign with POST /campaigns/compose, /test and /send, and let its time come with "clock advance"'
const notYet = 'nothing does this yet'

/** How to cause every other event. */
export const causedElsewhere: Readonly<Record<Exclude<EventName, keyof typeof table>, string>> = {
  'campaign.scheduled': send,
  'campaign.started': send,
  'campaign.sent': send,
  'campaign.cancelled': 'POST /campaigns/cancel before its time',
  'campaign.held': 'none on a practice instance: its mails go to files, which never hold them back',
  'reservation.guarantee_changed':
    'connect the stand-in, ask for a card or a deposit, book on the venue’s page, and cancel',
  'subscriber.pending': notYet,
  'subscriber.confirmed': notYet,
  'subscriber.deleted': notYet,
  'webhook.disabled': 'answer 410 from another endpoint of the venue',
  'changes.available': 'anything that changes a record, within 15 seconds',
}
