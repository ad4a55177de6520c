import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries, VenueQueries } from '../../platform/db/pool.ts'
import { joined, part, sql } from '../../platform/db/sql.ts'
import { recordEvent } from '../../core/events/record.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { scopeToRead } from './feed-words.ts'
import { numberChanges } from './number.ts'
import { headOf } from './reads.ts'

/*
 * The doorbell, `changes.available`, only says that there is something to read in the feed. Writers do not ring it. The
 * worker checks the feeds of venues where an endpoint asked for it, and rings if something was committed with a higher
 * number than at the last ring. So no change is missed, and however much changes in between, it rings once.
 */

/** An endpoint asked for the doorbell: earlier changes do not ring it. */
export const hangDoorbell = async (db: Queries, venue: VenueId): Promise<void> => {
  const seq = (await headOf(db, venue))?.head ?? 0
  await db.run(sql()`
    insert into doorbell (venue_id, seq) values (${venue}, ${seq}) on conflict (venue_id) do nothing`)
}

export const isDoorbell = (asked: string): boolean => asked === 'changes.available' || asked === 'changes.*'

export const ringDoorbells = async ({
  db,
  clock,
  bell,
}: Pick<Context, 'db' | 'clock' | 'bell'>): Promise<void> => {
  const now = clock()
  const rungBy = now.subtract({ seconds: limits.doorbellSeconds })
  for (const { venue_id } of await db.many(venuesToRing(rungBy))) {
    const venue = venue_id as VenueId
    // Not until nothing is left: while a lot changes, there is always more.
    const number = () => db.transaction((queries) => numberChanges(queries.within(venue), venue))
    while ((await number()) === limits.numberedAtOnce);
    if (await db.transaction((queries) => ring(queries.within(venue), venue, now, rungBy))) bell.ring()
  }
}

/** False: another process has rung, or there is nothing new to ring for. */
const ring = async (
  db: VenueQueries,
  venue: VenueId,
  now: Temporal.Instant,
  rungBy: Temporal.Instant,
): Promise<boolean> => {
  const last = await db.maybe(sql({ seq: 'int8' })`
    select seq from doorbell where venue_id = ${venue} and rung_at <= ${rungBy} for update`)
  const head = await headOf(db, venue)
  if (!last || !head || last.seq >= head.head) return false
  await db.run(sql()`update doorbell set seq = ${head.head}, rung_at = ${now} where venue_id = ${venue}`)
  const changed = (await kindsChanged(db, venue, last.seq, head.head)).filter(
    (kind) => kind !== 'visit' || head.has_visits,
  )
  if (changed.length === 0) return false
  await recordEvent({ db, venue: { id: venue } }, 'changes.available', {}, now, {
    gather: true,
    // An endpoint may learn of nothing that its key cannot read.
    anyOf: changed.map(scopeToRead),
    about: changed.every((kind) => kind === 'visit') ? 'visit' : undefined,
  })
  return true
}

const kindsChanged = async (
  db: Queries,
  venue: VenueId,
  after: number,
  upTo: number,
): Promise<readonly RecordKind[]> => {
  const parts = recordKinds.map(
    (kind) => part`
    (select kind from record_change
      where venue_id = ${venue} and kind = ${kind} and seq > ${after} and seq <= ${upTo} limit 1)`,
  )
  const rows = await db.many(sql({ kind: 'text' })`${joined(parts, ' union all ')}`)
  return rows.map(({ kind }) => kind as RecordKind)
}

/** In the same form as in reads.ts, for changes without a number. */
const venuesToRing = (rungBy: Temporal.Instant) =>
  sql({ venue_id: 'int8' })`
    select b.venue_id
      from doorbell b
      join change_head h on h.venue_id = b.venue_id
     where b.rung_at <= ${rungBy} and h.filled_at is not null
       and exists (
         select from webhook_endpoint e
          where e.venue_id = b.venue_id and e.events && array['changes.available', 'changes.*'] and e.status = 'active')
       and (h.seq > b.seq
         or (select u.record_id from record_change u
              where u.venue_id = b.venue_id and u.seq is null
              order by u.changed_at limit 1) is not null)`
