import type { Subscriber } from '@venue-data/contract/records/subscriber.ts'
import type { SubscriberRow } from './reads.ts'

export const presentSubscriber = (row: SubscriberRow): Subscriber => ({
  id: row.id,
  email: row.email,
  firstName: row.first_name,
  status: row.status,
  source: row.source,
  birthMonth: row.birth_month,
  birthDay: row.birth_day,
  consentAt: row.consent_at,
  confirmedAt: row.confirmed_at,
  unsubscribedAt: row.unsubscribed_at,
  tags: row.tags,
  suppressed: row.suppressed,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
