import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/*
 * Events get their numbers from their readers, as changes do (../number.ts), and keep them: an event never changes.
 * They are numbered in the order in which they were recorded, so a record's events come in the order in which they
 * happened.
 */

/**
 * Numbers events that have no number yet, up to `limits.numberedAtOnce`, and returns how many there were. In a
 * transaction: the head's row stays locked until its end. It does not wait for an event that a delivery worker has
 * locked; that event and those behind it are left for the next time.
 */
export const numberEvents = async (db: Queries, venue: VenueId): Promise<number> => {
  // In two statements, so that the second sees what was committed while the first waited.
  const [{ event_seq: last }, found] = await Promise.all([holdHead(db, venue), unnumbered(db, venue)])
  const inOthersHands = found.findIndex(({ is_held }) => !is_held)
  const ids = (inOthersHands === -1 ? found : found.slice(0, inOthersHands)).map(({ id }) => id)
  if (ids.length > 0) {
    await Promise.all([giveNumbers(db, venue, ids, last + 1), moveHead(db, venue, last + ids.length)])
  }
  return ids.length
}

const holdHead = (db: Queries, venue: VenueId): Promise<{ event_seq: number }> =>
  db.one(sql({ event_seq: 'int8' })`
    select event_seq from change_head where venue_id = ${venue} for update`)

const unnumbered = (db: Queries, venue: VenueId): Promise<{ id: number; is_held: boolean }[]> =>
  db.many(sql({ id: 'int8', is_held: 'bool' })`
    with held as materialized (
      select id from event
       where venue_id = ${venue} and seq is null
       order by id
       limit ${limits.numberedAtOnce}
         for no key update skip locked)
    select v.id, h.id is not null as is_held
      from (select id from event
             where venue_id = ${venue} and seq is null
             order by id
             limit ${limits.numberedAtOnce}) as v
      left join held as h on h.id = v.id
     order by v.id`)

const giveNumbers = (db: Queries, venue: VenueId, ids: readonly number[], first: number): Promise<number> =>
  db.run(sql()`
    update event as v set seq = n.seq
      from unnest(${ids}::bigint[], ${ids.map((_, place) => first + place)}::bigint[]) as n (id, seq)
     where v.venue_id = ${venue} and v.id = n.id`)

const moveHead = (db: Queries, venue: VenueId, seq: number): Promise<number> =>
  db.run(sql()`update change_head set event_seq = ${seq} where venue_id = ${venue}`)
