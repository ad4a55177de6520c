import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/** How many checkouts one address may have open at a time. */
const mostOfAddress = 3

type Counted = {
  readonly account: string
  /** Null: nobody's; nothing is counted then. */
  readonly buyerEmailKey: string | null
  /** Absent: a guest on the venue's own pages. */
  readonly key: number | undefined
}

/**
 * Whether a key, or else an address, has as many checkouts that can be paid as it may. Locks the account until the transaction ends:
 * presses for different dates have no other lock in common, and together they get no more. Taken after what is sold, just before
 * the checkout is made.
 */
export const hasTooMany = async (
  db: Queries,
  venue: VenueId,
  { account, buyerEmailKey, key }: Counted,
  now: Temporal.Instant,
): Promise<boolean> => {
  if (key === undefined && buyerEmailKey === null) return false
  await lockAccount(db, venue, account)
  return key === undefined
    ? (await liveOfAddress(db, venue, buyerEmailKey ?? '', now)) >= mostOfAddress
    : (await liveOfKey(db, venue, key, now)) >= limits.checkoutsOfKey
}

const lockAccount = (db: Queries, venue: VenueId, account: string) =>
  db.maybe(sql({ id: 'uuid' })`
    select id from processor_account where venue_id = ${venue} and id = ${account}::uuid for no key update`)

const liveOfKey = async (
  db: Queries,
  venue: VenueId,
  key: number,
  now: Temporal.Instant,
): Promise<number> => {
  const { live } = await db.one(sql({ live: 'int4' })`
    select count(*)::integer as live from checkout
     where venue_id = ${venue} and key_id = ${key}
       and state in ('made', 'opening', 'open') and counts_until > ${now}`)
  return live
}

const liveOfAddress = async (
  db: Queries,
  venue: VenueId,
  buyerKey: string,
  now: Temporal.Instant,
): Promise<number> => {
  const { live } = await db.one(sql({ live: 'int4' })`
    select count(*)::integer as live from checkout
     where venue_id = ${venue} and buyer_email_key = ${buyerKey}
       and state in ('made', 'opening', 'open') and counts_until > ${now}`)
  return live
}
