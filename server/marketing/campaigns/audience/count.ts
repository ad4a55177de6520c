import type { Composed } from '@venue-data/contract/records/campaign.ts'
import type { Segment } from '@venue-data/contract/records/segment.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, sql } from '../../../platform/db/sql.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import { countersOf } from './counters.ts'
import { leastForHoldout } from './holdout.ts'
import { holdoutOf } from './list.ts'
import { type Judging, classCounts, countsOfClasses, judging, judgingOf, namesOfClasses } from './judge.ts'
import type { CampaignRow } from '../reads.ts'
import { sourcesOf } from './sources.ts'

/** What building a draft's list would report, without building it. */
export type Counted = Pick<
  Composed,
  | 'recipientsTotal'
  | 'heldBack'
  | 'holdoutPct'
  | 'matched'
  | 'noEmail'
  | 'unsubscribed'
  | 'suppressed'
  | 'excludedTicketHolders'
  | 'matchedKnown'
  | 'reliable'
  | 'notes'
>

/**
 * Counts who a segment would mail as an empty draft, in the classes and the order of `rebuildList`; nothing is
 * written. It may look at a million people, so it runs as a long transaction.
 */
export const countPeople = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  venue: Venue,
  row: CampaignRow,
  segment: Segment,
): Promise<Counted> =>
  db.longTransaction(venue.id, async (connection) => {
    const queries = connection.within(venue.id)
    const now = clock()
    const sources = await sourcesOf(queries, venue.id, segment, row, now)
    const holdoutPct = await holdoutOf(queries, venue.id)
    const judged = judgingOf(venue, row, segment, { sources, holdoutPct }, now)
    const counted = await countJudged(queries, venue.id, judged, now)
    const held = counted.held
    const counters = countersOf(
      {
        ...row,
        ...counted,
        holdout_pct: counted.mailable < leastForHoldout ? 0 : holdoutPct,
        present: 0,
        newcomers: 0,
        skipped_before: 0,
        added: counted.mailable - held,
        removed: 0,
        in_flight: 0,
      },
      { ...judged, isDraft: true },
    )
    return { ...counters, recipientsTotal: counted.mailable - held }
  })

const judgedRow = { ...classCounts, held: 'int8' } as const

const countJudged = (
  db: Queries,
  venue: VenueId,
  judged: Judging,
  now: Temporal.Instant,
): Promise<RowOf<typeof judgedRow>> =>
  db.one(sql(judgedRow)`
    ${judging(venue, null, judged, now)},
    counted as (
      select ${countsOfClasses},
             count(*) filter (where class = 'mail' and not is_cut and bucket < ${judged.holdoutPct}::integer) as in_bucket
        from judged)
    select ${namesOfClasses}, case when mailable < ${leastForHoldout}::integer then 0 else in_bucket end as held
      from counted`)
