import type { CampaignStatus } from '@venue-data/contract/records/campaign.ts'
import type { Failure, Skip } from '../../../marketing/campaigns/states.ts'
import type { Html } from '../../../platform/html/html.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { tag } from '../parts/tags.ts'

export const home = '/office/campaigns'

const statusWords: Record<CampaignStatus, readonly [word: string, tone: Parameters<typeof tag>[1]]> = {
  draft: ['Draft', ''],
  scheduled: ['Scheduled', 'warn'],
  sending: ['Sending', 'accent'],
  sent: ['Sent', 'good'],
  cancelled: ['Cancelled', ''],
}

export const statusTag = (status: string): Html => {
  const [word, tone] = statusWords[status as CampaignStatus] ?? [status, '']
  return tag(word, tone)
}

/** The tag a campaign is known by: "oyster week, 2 of 3". */
export const seriesWords = (row: {
  readonly series_key: string
  readonly series_step: number | null
  readonly series_total: number | null
}): string | null =>
  row.series_key === '' ? null : `${row.series_key}, ${row.series_step} of ${row.series_total}`

type Times = {
  readonly status: string
  readonly scheduled_at: Moment | null
  readonly send_hold_until: Moment | null
  readonly started_at: Moment | null
  readonly finished_at: Moment | null
  readonly created_at: Moment
}

/** When it goes out, or what happened to it and when. */
export const whenWords = (row: Times, zone: string): string => {
  const at = (moment: Moment | null) => momentInWords(moment ?? row.created_at, zone)
  switch (row.status) {
    case 'scheduled':
      return `goes out ${at(laterOf(row.scheduled_at, row.send_hold_until))}`
    case 'sending':
      return row.started_at === null ? 'starts now' : `since ${at(row.started_at)}`
    case 'sent':
    case 'cancelled':
      return at(row.finished_at)
    default:
      return `started ${at(row.created_at)}`
  }
}

/** Nothing is sent before the hold is over, even if it was scheduled for an earlier time. */
export const laterOf = (one: Moment | null, other: Moment | null): Moment | null =>
  one === null || other === null ? (one ?? other) : one > other ? one : other

export const failureWords: Record<Failure, string> = {
  permanent: 'Rejected',
  'used-up': 'Gave up after a day of attempts',
  unknown: 'Outcome unknown',
}

export const failureHints: Record<Failure, string> = {
  permanent: 'The address or its mail server does not accept this email.',
  'used-up': 'Their mail server kept deferring it. You can send to these people again.',
  unknown: 'The connection broke at the last moment. They may have gotten it, so it is not sent again.',
}

export const skipWords: Record<Skip, string> = {
  cancelled: 'The campaign was stopped',
  unsubscribed: 'No longer on the list',
  suppressed: 'On the do-not-email list',
  deleted: 'Record deleted, or its address changed',
  'ticket-holder': 'Already has a ticket',
  paused: 'Paused their email',
  'no-match': 'No longer matches',
}
