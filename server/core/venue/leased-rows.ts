import { setTimeout as wait } from 'node:timers/promises'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, type RowOf, type Shape, columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import type { VenueId } from './venue.ts'

/*
 * A queue in the rows of a table. Each row says when it is due; whoever takes it moves that moment to the end of a lease,
 * so that nobody else has it until then, and what a crash leaves is due again. How a row ends, and when it is due next, is
 * written by its own statements; where two workers may both believe that they have one, those say how the second notices.
 */

export type LeasedRows<Row> = {
  /** The venues that have any due. */
  readonly venues: (db: Queries, now: Temporal.Instant) => Promise<VenueId[]>
  /** Whose row has waited longest, of all venues. */
  readonly first: (db: Queries, now: Temporal.Instant) => Promise<VenueId | undefined>
  /** Takes the one of a venue that has waited longest: one, since a lease is for as long as one takes. */
  readonly take: (db: Queries, venue: VenueId, now: Temporal.Instant) => Promise<Row | undefined>
  /** When a lease that is taken or renewed now ends. */
  readonly until: (now: Temporal.Instant) => Temporal.Instant
  /** Hands one back that is not done, so that anybody may take it; nothing happens to one that has ended. */
  readonly giveBack: (
    db: Queries,
    venue: VenueId,
    id: string | number,
    now: Temporal.Instant,
  ) => Promise<number>
}

/** Of those that are looked at in one round. */
const mostVenues = 1_000
const nothingMore = fragment('')

/** `table`'s rows are found by `venue_id` and `id`; `row` is what one gets of one that one takes. */
export const leasedRows = <const S extends Shape>(
  tableName: string,
  row: S,
  {
    due: dueName,
    leaseSeconds,
    waits = nothingMore,
    isFree = () => nothingMore,
    taken = () => nothingMore,
  }: {
    /** The column that says when one is due; null: not any more. */
    readonly due: string
    /** Longer than it takes to do one, or than it is until it is renewed: `leased-rows.test.ts` has the longest of each. */
    readonly leaseSeconds: number
    /** Which rows are in the queue: `and …`. */
    readonly waits?: Fragment
    /** Which of those may be taken now: `and …`. */
    readonly isFree?: (venue: VenueId, now: Temporal.Instant) => Fragment
    /** What else is written of one that is taken: `, …`. */
    readonly taken?: (now: Temporal.Instant) => Fragment
  },
): LeasedRows<RowOf<S>> => {
  const table = fragment(tableName)
  const due = fragment(dueName)
  const until = (now: Temporal.Instant): Temporal.Instant => now.add({ seconds: leaseSeconds })
  const take: LeasedRows<RowOf<S>>['take'] = (db, venue, now) =>
    db.maybe(sql(row)`
      update ${table} set ${due} = ${until(now)} ${taken(now)}
       where venue_id = ${venue} and id = any(array(
         select id from ${table}
          where venue_id = ${venue} and ${due} <= ${now} ${waits} ${isFree(venue, now)}
          order by ${due}, id limit 1 for update skip locked))
      returning ${columnsOf(row)}`)
  return {
    venues: venuesDue(table, due, waits),
    first: firstDue(table, due, waits),
    take,
    until,
    giveBack: (db, venue, id, now) =>
      db.run(sql()`
        update ${table} set ${due} = ${now} where venue_id = ${venue} and id = ${id} and ${due} is not null ${waits}`),
  }
}

/**
 * Does what may take much longer than a crash should delay it: its lease is short, and `renew` is called until it is done. A
 * renewal that fails is left to the next one.
 */
export const whileRenewed = async <Result>(
  everyMs: number,
  renew: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const done = new AbortController()
  const pause = (): Promise<boolean> => wait(everyMs, true, { signal: done.signal }).catch(() => false)
  const renewals = async (): Promise<void> => {
    while (await pause()) await renew().catch(() => undefined)
  }
  const renewing = renewals()
  try {
    return await work()
  } finally {
    done.abort()
    await renewing
  }
}

const venuesDue =
  (table: Fragment, due: Fragment, waits: Fragment) =>
  async (db: Queries, now: Temporal.Instant): Promise<VenueId[]> => {
    const rows = await db.many(sql({ venue_id: 'int8' })`
      select distinct venue_id from ${table} where ${due} <= ${now} ${waits} limit ${mostVenues}`)
    return rows.map(({ venue_id }) => venue_id as VenueId)
  }

const firstDue =
  (table: Fragment, due: Fragment, waits: Fragment) =>
  async (db: Queries, now: Temporal.Instant): Promise<VenueId | undefined> => {
    const first = await db.maybe(sql({ venue_id: 'int8' })`
      select venue_id from ${table} where ${due} <= ${now} ${waits} order by ${due} limit 1`)
    return first?.venue_id as VenueId | undefined
  }
