import { accessTriggers } from './access.ts'
import { guestTriggers, leadTriggers, subscriberTriggers } from './people.ts'
import { reservationTriggers } from './reservations.ts'
import { taskTriggers } from './tasks.ts'
import { ticketOrderTriggers } from './ticket-orders.ts'
import type { Trigger } from './trigger.ts'
import { waitlistTriggers } from './waitlist.ts'

/** Everything `trigger` can do, by name: an event in the contract, or a record and what is done to it. */
export const triggers: Readonly<Record<string, Trigger>> = {
  ...reservationTriggers,
  ...guestTriggers,
  ...subscriberTriggers,
  ...ticketOrderTriggers,
  ...waitlistTriggers,
  ...leadTriggers,
  ...accessTriggers,
  ...taskTriggers,
}
