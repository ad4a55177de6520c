import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../../platform/kernel/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/* What staff read of campaigns: the list with its figures, and the report of one. */

/** A campaign without its bodies, which may be a megabyte each. */
const listedRow = {
  id: 'int8',
  name: 'text',
  subject: 'text',
  status: 'text',
  series_key: 'text',
  series_step: 'int4?',
  series_total: 'int4?',
  scheduled_at: 'timestamptz?',
  send_hold_until: 'timestamptz?',
  composed_at: 'timestamptz?',
  started_at: 'timestamptz?',
  finished_at: 'timestamptz?',
  last_error: 'text',
  row_count: 'int4',
  held_count: 'int4',
  sent_count: 'int4',
  failed_count: 'int4',
  skipped_count: 'int4',
  created_at: 'timestamptz',
} as const

/** Responses to copies after they were sent. */
export type Reactions = {
  /** Unsubscribed through a link in their copy. */
  readonly left: number
  readonly hard: number
  readonly soft: number
  readonly complaints: number
}
export type ListedCampaign = RowOf<typeof listedRow> & Reactions

/** Campaigns newest first. */
export const campaignsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<ListedCampaign>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(listedRow)`
    select ${columnsOf(listedRow)} from campaign
     where venue_id = ${venue} and (created_at, id) < (${at}, ${id})
     order by created_at desc, id desc limit ${limit + 1}`)
  const page = pageOf(rows, limit, (row) => [row.created_at, row.id])
  const reactions = await reactionsOf(
    db,
    venue,
    page.rows.map((row) => row.id),
  )
  return { ...page, rows: page.rows.map((row) => ({ ...row, ...(reactions.get(row.id) ?? none) })) }
}

export const none: Reactions = { left: 0, hard: 0, soft: 0, complaints: 0 }

/** Responses to some campaigns' copies; one without any is missing. */
export const reactionsOf = async (
  db: Queries,
  venue: VenueId,
  campaigns: readonly number[],
): Promise<ReadonlyMap<number, Reactions>> => {
  if (campaigns.length === 0) return new Map()
  const [left, back] = await Promise.all([
    db.many(sql({ campaign_id: 'int8', people: 'int8' })`
      select campaign_id, count(*) as people from recipient
       where venue_id = ${venue} and campaign_id = any(${campaigns}::bigint[]) and left_at is not null
       group by campaign_id`),
    db.many(sql({ campaign_id: 'int8', kind: 'text', people: 'int8' })`
      select campaign_id, kind, count(distinct coalesce(subscriber_id, -id)) as people from mail_bounce
       where venue_id = ${venue} and campaign_id = any(${campaigns}::bigint[])
       group by campaign_id, kind`),
  ])
  const found = new Map<number, Reactions>()
  const add = (campaign: number, more: Partial<Reactions>) =>
    found.set(campaign, { ...(found.get(campaign) ?? none), ...more })
  for (const { campaign_id, people } of left) add(campaign_id, { left: people })
  for (const { campaign_id, kind, people } of back) {
    add(campaign_id, { [kind === 'complaint' ? 'complaints' : kind]: people })
  }
  return found
}

/** How many copies were not sent, by state and why. */
export const notSent = (
  db: Queries,
  venue: VenueId,
  campaign: number,
): Promise<{ state: string; why: string; people: number }[]> =>
  db.many(sql({ state: 'text', why: 'text', people: 'int8' })`
    select state, why, count(*) as people from recipient
     where venue_id = ${venue} and campaign_id = ${campaign} and state in ('failed', 'skipped')
     group by state, why order by people desc, why`)

/** Copies the relay deferred, to be retried later. */
export const putOff = async (
  db: Queries,
  venue: VenueId,
  campaign: number,
  now: Temporal.Instant,
): Promise<number> =>
  (
    await db.one(sql({ people: 'int8' })`
      select count(*) as people from recipient
       where venue_id = ${venue} and campaign_id = ${campaign} and state = 'waiting' and due_at > ${now}`)
  ).people

/** Other campaigns, the newest first, to choose from. */
export const newestCampaigns = (
  db: Queries,
  venue: VenueId,
  most: number,
): Promise<{ id: number; name: string; status: string }[]> =>
  db.many(sql({ id: 'int8', name: 'text', status: 'text' })`
    select id, name, status from campaign
     where venue_id = ${venue} order by created_at desc, id desc limit ${most}`)

/** The venue's series that are in use, by their key. */
export const seriesOf = async (db: Queries, venue: VenueId, most: number): Promise<string[]> =>
  (
    await db.many(sql({ series_key: 'text' })`
      select series_key from campaign
       where venue_id = ${venue} and series_key <> '' group by series_key order by max(created_at) desc limit ${most}`)
  ).map(({ series_key }) => series_key)
