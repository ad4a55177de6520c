import { addresses } from './chapters/addresses.ts'
import { bodies } from './chapters/bodies.ts'
import { finding, requests, rules } from './chapters/bookings.ts'
import { campaigns, drafts, mailOff } from './chapters/campaigns.ts'
import { deliveries } from './chapters/deliveries.ts'
import { doors } from './chapters/doors.ts'
import { namesOfEvents, singleRecords } from './chapters/growth.ts'
import { idempotency } from './chapters/idempotency.ts'
import { reading } from './chapters/lists.ts'
import { guests, leadsAndTasks, subscribers } from './chapters/people.ts'
import { webhooks } from './chapters/webhooks.ts'
import type { Chapter } from './walk.ts'

/** The walk, in its order. */
export const chapters: readonly Chapter[] = [
  doors,
  addresses,
  bodies,
  reading,
  requests,
  rules,
  finding,
  guests,
  subscribers,
  leadsAndTasks,
  idempotency,
  drafts,
  campaigns,
  mailOff,
  webhooks,
  deliveries,
  singleRecords,
  namesOfEvents,
]
