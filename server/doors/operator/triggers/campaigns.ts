import { presentCampaign } from '../../../marketing/campaigns/present.ts'
import { beginCampaign } from '../../../marketing/campaigns/staff-edits.ts'
import type { Trigger } from './trigger.ts'

export const campaignTriggers = {
  'campaign.created': {
    about: 'staff begin a campaign',
    emits: 'campaign.created',
    on: null,
    run: async ({ work, actor }) => {
      const draft = { name: 'Practice letter', subject: 'News from us' }
      return presentCampaign(work.venue, await beginCampaign(work, actor, draft))
    },
  },
} as const satisfies Record<string, Trigger>
