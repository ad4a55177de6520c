import type { SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'
import type { Html } from '../../../platform/html/html.ts'
import type { SuppressionReason } from '../../../marketing/subscribers/states.ts'
import { tag } from '../parts/tags.ts'

export const statusWords: Record<SubscriberStatus, string> = {
  subscribed: 'Subscribed',
  pending: 'Not confirmed yet',
  unsubscribed: 'Unsubscribed',
}

const tones = { subscribed: 'good', pending: 'warn', unsubscribed: '' } as const

export const subscriberTag = (status: string): Html =>
  tag(statusWords[status as SubscriberStatus] ?? status, tones[status as SubscriberStatus] ?? '')

export const sourceWords: Record<string, string> = {
  signup_form: 'the sign-up form',
  booking: 'a booking',
  automation: 'connected software',
  import: 'an import',
  staff: 'staff',
  ticket_order: 'a ticket order',
}

export const reasonWords: Record<SuppressionReason, string> = {
  staff_removal: 'Removed by staff',
  asked_elsewhere: 'Asked elsewhere',
  spam_report: 'Reported mail as spam',
  bounced: 'Mail bounced',
}

export const reasonTag = (reason: string): Html =>
  tag(reasonWords[reason as SuppressionReason] ?? reason, 'bad')
