import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { recordCampaign } from './activity.ts'
import { assertBodyIsBounded, assertKeptBodyFits } from './content/body-size.ts'
import { cleanAside } from './content/long-bodies.ts'
import { presentCampaign } from './present.ts'
import type { CampaignRow } from './reads.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type CampaignText, insertCampaign } from './writes.ts'

/** Saves a campaign as a draft, its body sanitized. Nothing is sent or scheduled. */
export const createCampaign = async (work: Work, actor: Actor, text: CampaignText): Promise<CampaignRow> => {
  const now = work.now()
  const row = await insertCampaign(
    work.db,
    work.venue.id,
    await cleaned(work.venue.id, text),
    actor.kind === 'staff' ? actor.id : null,
    now,
  )
  await recordEvent(work, 'campaign.created', presentCampaign(work.venue, row), now)
  await recordCampaign(work, actor, 'make', null, row, now)
  return row
}

/** What is saved is exactly what is rendered. Refuses a body that is too long or would take too long to clean. */
export const cleaned = async <Text extends Pick<CampaignText, 'bodyFormat' | 'bodyHtml'>>(
  venue: VenueId,
  text: Text,
): Promise<Text> => {
  assertBodyIsBounded(text.bodyHtml)
  const bodyHtml = await cleanAside(venue, text.bodyFormat, text.bodyHtml)
  assertKeptBodyFits(bodyHtml)
  return { ...text, bodyHtml }
}
