import { type Refusal, refuse } from '../../platform/kernel/refusal.ts'
import type { CampaignRow } from './reads.ts'

/** The campaign is sent or cancelled, and no longer changes. */
export const campaignClosed = ({ status }: Pick<CampaignRow, 'status'>): Refusal =>
  refuse(
    'campaign-closed',
    status === 'sent' ? 'This campaign was sent already.' : 'This campaign was cancelled.',
  )

export const alreadySending = ({ status }: Pick<CampaignRow, 'status'>): Refusal =>
  refuse(
    'already-sending',
    status === 'sending'
      ? 'This campaign is being sent already.'
      : 'This campaign is scheduled already; cancel it first to send it otherwise.',
  )
