import type { SubscriberOutcome, SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'

/**
 * What happens to an address to be added with evidence. The first that applies: unsubscribed, pending,
 * suppressed, subscribed, and only then a new subscriber.
 */
export const outcomeOfAdding = (
  existing: SubscriberStatus | undefined,
  suppressed: boolean,
): { readonly added: boolean; readonly status: SubscriberOutcome } => {
  if (existing === 'unsubscribed' || existing === 'pending') return { added: false, status: existing }
  if (suppressed) return { added: false, status: 'suppressed' }
  if (existing === 'subscribed') return { added: false, status: 'subscribed' }
  return { added: true, status: 'subscribed' }
}

/** One plain sentence for each outcome. */
export const outcomeMessage = (added: boolean, status: SubscriberOutcome): string => {
  if (added) return 'They were added to the e-mail list.'
  switch (status) {
    case 'subscribed':
      return 'They were on the e-mail list already.'
    case 'pending':
      return 'They signed up earlier and have not confirmed yet; they stay pending until they do.'
    case 'unsubscribed':
      return 'They are unsubscribed and can only sign up again themselves.'
    case 'suppressed':
      return 'This address is on the do-not-email list and was not added.'
    default:
      return status satisfies never
  }
}
