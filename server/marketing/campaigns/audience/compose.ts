import type { Composed } from '@venue-data/contract/records/campaign.ts'
import type { Segment } from '@venue-data/contract/records/segment.ts'
import type { Context } from '../../../context.ts'
import { type Refusal, notFound, refuse } from '../../../platform/kernel/refusal.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { holdoutOf, rebuildList, shrinkList } from './list.ts'
import { countersOf } from './counters.ts'
import { judgingOf } from './judge.ts'
import { presentCampaign } from '../present.ts'
import { type CampaignRow, campaign, campaignForUpdate } from '../reads.ts'
import { campaignClosed } from '../rules.ts'
import { sourcesOf } from './sources.ts'
import { listSegmentOf, readSegment } from './segments.ts'

/**
 * Builds a campaign's list (docs/api.md#the-list). A draft's list is rebuilt; that of a scheduled or sending campaign
 * only shrinks, since its count was confirmed. It may cover a million people, so it runs as a long transaction;
 * anyone who builds the same list in the meantime waits. Refuses an unknown campaign, a closed one, and shrinking a
 * confirmed list from incomplete sources: the people dropped that way would never be mailed.
 */
export const composeCampaign = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: Venue,
  { id, segment }: { readonly id: number; readonly segment: Segment | undefined },
): Promise<Composed> => {
  // Without waiting for another list of the venue.
  openOne(await campaign(db, venue.id, id))
  return db.longTransaction(venue.id, async (connection) => {
    const queries = connection.within(venue.id)
    const row = openOne(await campaignForUpdate(queries, venue.id, id))
    const now = clock()
    const isDraft = row.status === 'draft'
    const asked = segment ?? (isDraft ? readSegment(row.segment) : listSegmentOf(row))
    const sources = await sourcesOf(queries, venue.id, asked, row, now)
    const reliable = sources.isMatchedKnown && sources.isWhole
    if (!isDraft && !reliable) throw unreliable()
    const holdoutPct = await holdoutOf(queries, venue.id)
    const judged = judgingOf(venue, row, asked, { sources, holdoutPct }, now)
    const composed = isDraft
      ? await rebuildList(queries, venue.id, { campaign: id, judged, segment: asked, reliable }, now)
      : await shrinkList(queries, venue.id, { campaign: id, judged }, now)
    const counters = countersOf(composed, { ...judged, isDraft })
    return { ok: true, campaign: presentCampaign(venue, composed), ...counters }
  })
}

const openOne = (row: CampaignRow | undefined): CampaignRow => {
  if (!row) throw notFound('campaign')
  if (row.status === 'sent' || row.status === 'cancelled') throw campaignClosed(row)
  return row
}

const unreliable = (): Refusal =>
  refuse(
    'list-unreliable',
    'Something the list rests on is not there any more, so whom to drop cannot be told. Nobody was dropped.',
  )
