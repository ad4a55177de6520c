import type { SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import {
  type ListPage,
  type PageAsked,
  newestPlace,
  newestTextPlace,
  pageOf,
} from '../../platform/kernel/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type SubscriberRow, subscriberRow } from './subscriber.ts'
import { subscriberById, subscriberColumns } from './reads.ts'

/** A subscriber as staff see them: with why they must not be emailed. */
const listedRow = { ...subscriberRow, suppression: 'text?' } as const
export type ListedSubscriber = RowOf<typeof listedRow>

/** Subscribers newest first, optionally of one state and with one tag. */
export const subscribersPage = async (
  db: Queries,
  venue: VenueId,
  { status = null, tag = null }: { readonly status?: SubscriberStatus | null; readonly tag?: number | null },
  { limit, after }: PageAsked,
): Promise<ListPage<ListedSubscriber>> => {
  const { at, id } = newestPlace(after)
  // Separate statements, so that each is planned with its own index.
  const rows = await db.many(
    status === null
      ? sql(subscriberRow)`
        select ${subscriberColumns(venue)} from subscriber s
         where s.venue_id = ${venue} and (created_at, id) < (${at}, ${id})
           and (${tag}::bigint is null or exists (
             select from subscriber_tag g where g.venue_id = ${venue} and g.subscriber_id = s.id and g.tag_id = ${tag}))
         order by created_at desc, id desc limit ${limit + 1}`
      : sql(subscriberRow)`
        select ${subscriberColumns(venue)} from subscriber s
         where s.venue_id = ${venue} and status = ${status} and (created_at, id) < (${at}, ${id})
           and (${tag}::bigint is null or exists (
             select from subscriber_tag g where g.venue_id = ${venue} and g.subscriber_id = s.id and g.tag_id = ${tag}))
         order by created_at desc, id desc limit ${limit + 1}`,
  )
  const page = pageOf(rows, limit, (row) => [row.created_at, row.id])
  return { ...page, rows: await withReasons(db, venue, page.rows) }
}

/** One subscriber, with suppression. */
export const listedSubscriber = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
): Promise<ListedSubscriber | undefined> => {
  const row = await subscriberById(db, venue, subscriber)
  return row && (await withReasons(db, venue, [row]))[0]
}

const withReasons = async (
  db: Queries,
  venue: VenueId,
  rows: readonly SubscriberRow[],
): Promise<ListedSubscriber[]> => {
  if (rows.length === 0) return []
  const reasons = await db.many(sql({ id: 'int8', reason: 'text' })`
    select s.id, d.reason from subscriber s
      join suppression d on d.venue_id = s.venue_id and d.email_key = s.email_key
     where s.venue_id = ${venue} and s.id = any(${rows.map(({ id }) => id)}::bigint[])`)
  const reasonOf = new Map(reasons.map(({ id, reason }) => [id, reason]))
  return rows.map((row) => ({ ...row, suppression: reasonOf.get(row.id) ?? null }))
}

const tagRow = { id: 'int8', name: 'text' } as const

const mostTags = 1_000

/** The venue's tags by name. */
export const tagsOfVenue = (db: Queries, venue: VenueId): Promise<RowOf<typeof tagRow>[]> =>
  db.many(sql(tagRow)`
    select ${columnsOf(tagRow)} from tag where venue_id = ${venue} order by name_key limit ${mostTags}`)

/** How many are in each state. */
export const subscriberCounts = async (db: Queries, venue: VenueId): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.many(sql({ status: 'text', people: 'int4' })`
    select status, count(*)::integer as people from subscriber where venue_id = ${venue} group by status`)
  return new Map(rows.map(({ status, people }) => [status, people]))
}

const suppressedRow = { email_key: 'text', reason: 'text', created_at: 'timestamptz' } as const

/** The do-not-email list, latest first. */
export const suppressionsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<RowOf<typeof suppressedRow>>> => {
  const { at, text } = newestTextPlace(after)
  const rows = await db.many(sql(suppressedRow)`
    select ${columnsOf(suppressedRow)} from suppression
     where venue_id = ${venue} and created_at <= ${at} and (created_at < ${at} or email_key > ${text})
     order by created_at desc, email_key
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.created_at, row.email_key])
}

const evidenceRow = {
  id: 'int8',
  source: 'text',
  statement: 'text?',
  page_url: 'text?',
  agreed_at: 'timestamptz',
  recorded_at: 'timestamptz',
  recorded_via: 'text',
} as const

const mostEvidence = 100

/** Every consent a subscriber gave, latest first: the venue's proof. */
export const evidenceOf = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
): Promise<RowOf<typeof evidenceRow>[]> =>
  db.many(sql(evidenceRow)`
    select ${columnsOf(evidenceRow)} from consent
     where venue_id = ${venue} and subscriber_id = ${subscriber} order by id desc limit ${mostEvidence}`)
