import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'
import type { Doer } from '../../core/activity/actor.ts'
import { officeRoles } from '../../core/staff/roles.ts'

/*
 * How somebody leaves the list, as data. How they get on it is decided in `rules.ts`; moves made through links in
 * emails belong to the guest pages.
 */

export type SubscriberMove = {
  readonly from: readonly SubscriberStatus[]
  readonly to: SubscriberStatus
  readonly who: readonly Doer[]
  readonly stamp: 'unsubscribed_at'
  /** The event recorded for it; the contract adds the more general names. */
  readonly names: readonly Extract<EventName, `subscriber.${string}`>[]
}

export const subscriberMoves = {
  unsubscribe: {
    from: ['subscribed'],
    to: 'unsubscribed',
    who: [...officeRoles, 'guest', 'key', 'service'],
    stamp: 'unsubscribed_at',
    names: ['subscriber.unsubscribed'],
  },
  /** An unconfirmed sign-up is ended: software that requested it learns that it will not complete. */
  endSignUp: {
    from: ['pending'],
    to: 'unsubscribed',
    who: [...officeRoles, 'key'],
    stamp: 'unsubscribed_at',
    names: ['subscriber.unsubscribed'],
  },
  /**
   * The person's own "no thanks", or their spam report, passed on by a provider. They were never on the list, so
   * no event says that they left it.
   */
  decline: {
    from: ['pending'],
    to: 'unsubscribed',
    who: ['guest', 'service'],
    stamp: 'unsubscribed_at',
    names: ['subscriber.updated'],
  },
} as const satisfies Record<string, SubscriberMove>

/**
 * Why an address is on the do-not-email list, the strongest first: a person's decision outweighs a mailbox's bounce.
 * Asked elsewhere: somebody asked an integrator, before anybody here knew the address.
 */
export const suppressionReasons = ['spam_report', 'staff_removal', 'asked_elsewhere', 'bounced'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** Whether the reason also unsubscribes the person. A bounce says nothing about what they want. */
export const unsubscribesToo: Record<SuppressionReason, boolean> = {
  spam_report: true,
  staff_removal: true,
  asked_elsewhere: true,
  bounced: false,
}
