import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { CampaignStatus } from '@venue-data/contract/records/campaign.ts'
import type { Doer } from '../../core/activity/actor.ts'
import { officeRoles } from '../../core/staff/roles.ts'

/*
 * Every move of a campaign, and every state of a copy on its list, as data (drawn in docs/moves.md#campaign). A campaign
 * starts as a draft; building its list and testing it do not move it. There is no paused or failed state: while the
 * relay has trouble it keeps sending, with `send_hold_until` in the future and the trouble in `last_error`.
 *
 * Cast: requests and the office send and cancel; the engine (sending/) does the rest. Code that changes rows of the list
 * locks the campaign's row first, then the rows, and updates its tallies in the statement that changes the rows.
 */

export type CampaignMove = {
  readonly from: readonly CampaignStatus[]
  readonly to: CampaignStatus
  readonly who: readonly Doer[]
  readonly conditions: readonly CampaignCondition[]
  /** The event recorded for it. */
  readonly names: readonly Extract<EventName, `campaign.${string}`>[]
}

/**
 * ready: a test reached the venue, the list is built and can be relied on, the checklist has no blockers, the count is
 * the one confirmed, the plan has room. retryable: copies failed for a passing reason. due: its time has come and the
 * hold is over. nothing left: no copy waits, is claimed or on the wire. missed: more than six hours late.
 */
export type CampaignCondition = 'ready' | 'retryable' | 'due' | 'nothing left' | 'missed'

const managers = officeRoles.filter((role) => role !== 'host')
const callers: readonly Doer[] = ['key', ...managers]

export const campaignMoves = {
  send: {
    from: ['draft'],
    to: 'scheduled',
    who: callers,
    conditions: ['ready'],
    names: ['campaign.scheduled'],
  },
  sendAgain: {
    from: ['sent'],
    to: 'scheduled',
    who: callers,
    conditions: ['ready', 'retryable'],
    names: ['campaign.scheduled'],
  },
  start: {
    from: ['scheduled'],
    to: 'sending',
    who: ['service'],
    conditions: ['due'],
    names: ['campaign.started'],
  },
  finish: {
    from: ['sending'],
    to: 'sent',
    who: ['service'],
    conditions: ['nothing left'],
    names: ['campaign.sent'],
  },
  cancel: {
    from: ['scheduled', 'sending'],
    to: 'cancelled',
    who: callers,
    conditions: [],
    names: ['campaign.cancelled'],
  },
  miss: {
    from: ['scheduled'],
    to: 'cancelled',
    who: ['service'],
    conditions: ['missed'],
    names: ['campaign.cancelled'],
  },
} as const satisfies Record<string, CampaignMove>

/** States of one copy. claimed and wire belong to a process for the time of a lease; held is the control group. */
export const copyStates = ['waiting', 'claimed', 'wire', 'sent', 'failed', 'skipped', 'held'] as const

/**
 * Why a copy failed. Only `used-up` (the relay put it off until the tries were used up) may be sent again: a permanent
 * refusal stays one, and a copy with an unknown outcome may have arrived.
 */
export const failures = ['permanent', 'used-up', 'unknown'] as const
export type Failure = (typeof failures)[number]

/** Why somebody was deliberately not mailed. `no-match`: they left the segment after the count was confirmed. */
export const skips = [
  'cancelled',
  'unsubscribed',
  'suppressed',
  'deleted',
  'ticket-holder',
  'paused',
  'no-match',
] as const
export type Skip = (typeof skips)[number]
