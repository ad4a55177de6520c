import { Subscriber } from '@venue-data/contract/records/subscriber.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import type { RowOf } from '../../platform/db/sql.ts'

/** What lies in the row itself. */
export const personRow = {
  id: 'int8',
  email: 'text',
  first_name: 'text?',
  status: 'text',
  source: 'text',
  birth_month: 'int4?',
  birth_day: 'int4?',
  consent_at: 'timestamptz?',
  confirmed_at: 'timestamptz?',
  unsubscribed_at: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type PersonRow = RowOf<typeof personRow>

export const subscriberRow = { ...personRow, tags: 'text[]', suppressed: 'bool' } as const
export type SubscriberRow = RowOf<typeof subscriberRow>

export const subscriberRecord = recordOf(Subscriber, subscriberRow, {
  written: ['first_name', 'birth_month', 'birth_day'],
})
export const presentSubscriber = subscriberRecord.present
