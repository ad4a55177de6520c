import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { beginChanges } from '../../core/events/change-head.ts'
import type { RecordState } from '../../core/events/record-states.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { allVenues } from '../../core/venue/venues.ts'
import { numberChanges } from './number.ts'
import { recordsOf } from './records.ts'

/*
 * Fills the feeds of venues older than feeds, or than visits. Records already noted are left alone: whoever changes or deletes a record
 * in the meantime notes it. This must wait until no process of an earlier release is left, since those write without
 * noting. It may be interrupted and started again.
 */

const recordsAtOnce = 5_000

/** Fills the feeds that are not filled yet; returns the venues and how many of their records were added. */
export const fillFeeds = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  signal?: AbortSignal,
): Promise<readonly { readonly slug: string; readonly records: number }[]> => {
  const filled = new Map((await db.many(filledFeeds())).map((head) => [head.venue_id, head.has_visits]))
  const found: { slug: string; records: number }[] = []
  for (const { id, slug } of await allVenues(db)) {
    if (filled.get(id)) continue
    // A feed from before visits lacks only them.
    const kinds: readonly RecordKind[] = filled.has(id) ? ['visit'] : recordKinds
    const records = await fillFeed(db.within(id), id, clock, { kinds, signal })
    if (signal?.aborted) break
    // Immediately, or a request for the latest position would have to wait for all of it.
    const numberSome = () => db.transaction((queries) => numberChanges(queries.within(id), id))
    while ((await numberSome()) === limits.numberedAtOnce && !signal?.aborted);
    found.push({ slug, records })
  }
  return found
}

/** Fills the feed of one venue; returns how many records it has. */
export const fillFeed = async (
  db: Queries,
  venue: VenueId,
  clock: () => Temporal.Instant,
  { kinds = recordKinds, signal }: { kinds?: readonly RecordKind[]; signal?: AbortSignal | undefined } = {},
): Promise<number> => {
  await beginChanges(db, venue, null)
  let records = 0
  for (const kind of kinds) {
    for (let after = 0; ;) {
      if (signal?.aborted) return records
      const some = await recordsOf[kind].states(db, venue, after, recordsAtOnce)
      if (some.length > 0) await noteAsTheyAre(db, venue, kind, some)
      records += some.length
      if (some.length < recordsAtOnce) break
      after = some.at(-1)?.id ?? after
    }
  }
  await markFilled(db, venue, clock())
  return records
}

const filledFeeds = () =>
  sql({ venue_id: 'int8', has_visits: 'bool' })`
    select venue_id, visits_filled_at is not null as has_visits from change_head where filled_at is not null`

/** Visits that were noted are numbered again: who followed the feed meanwhile was not shown them. */
const noteAsTheyAre = (
  db: Queries,
  venue: VenueId,
  kind: RecordKind,
  records: readonly RecordState[],
): Promise<number> =>
  db.run(sql()`
    insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
    select ${venue}, ${kind}, n.id, 'upsert', false, n.revision, n.at
      from unnest(${records.map(({ id }) => id)}::bigint[], ${records.map(({ revision }) => revision)}::integer[],
                  ${records.map((one) => one.changed_at)}::timestamptz[]) as n (id, revision, at)
    on conflict (venue_id, kind, record_id) do update set seq = null, made_seq = null
      where excluded.kind = 'visit' and not record_change.gone`)

const markFilled = (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update change_head set filled_at = coalesce(filled_at, ${now}), visits_filled_at = coalesce(visits_filled_at, ${now})
     where venue_id = ${venue}`)
