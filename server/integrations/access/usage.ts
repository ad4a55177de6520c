import type { Database } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { type Counted, keepCounts } from '../../platform/kernel/running/counts.ts'
import type { Logger } from 'pino'

/*
 * Counts the use of keys in memory and adds it to the days in the database a few seconds later, so a request costs no
 * statement and a crash loses a few counts. It counts by row of the contract and class of answer, never by address or
 * query.
 */

export type Usage = {
  /** One answer to a key, at an endpoint as `GET /api/v1/me`. */
  readonly answered: (keyId: number, endpoint: string, status: number) => void
  /** How many requests the key has made in its current minute. */
  readonly inMinute: (keyId: number, used: number) => void
  readonly waited: (keyId: number) => void
  readonly delivered: (keyId: number, isWell: boolean) => void
  /** Writes the counts. Those that cannot be written are kept. */
  readonly flush: () => Promise<void>
  /** Writes the counts, if the database answers, and stops counting. */
  readonly close: () => Promise<void>
}

/** Different counts at a time: each key has a few dozen. */
const mostCounts = 100_000

export const openUsage = ({
  db,
  clock,
  log,
}: {
  readonly db: Database
  readonly clock: () => Temporal.Instant
  readonly log: Logger
}): Usage => {
  const { add, flush, close } = keepCounts<Count>({
    most: mostCounts,
    join: (before, more, { of }) => (of === 'peak' ? Math.max(before, more) : before + more),
    write: async (batch) => {
      try {
        await addToDay(db, dayOf(clock()), batch)
        return []
      } catch (error) {
        log.warn({ code: codeOf(error) }, 'the use of keys could not be written yet')
        return batch
      }
    },
  })
  /** '' means no endpoint. */
  const count = (keyId: number, endpoint: string, of: CountedAs, more = 1): void =>
    add(`${keyId} ${of} ${endpoint}`, { keyId, endpoint, of }, more)

  return {
    answered: (keyId, endpoint, status) =>
      count(keyId, endpoint, status === 429 ? '429' : (classes[Math.floor(status / 100)] ?? '5xx')),
    inMinute: (keyId, used) => count(keyId, '', 'peak', used),
    waited: (keyId) => count(keyId, '', 'waited'),
    delivered: (keyId, isWell) => count(keyId, '', isWell ? 'delivered' : 'failed'),
    flush,
    close,
  }
}

const classes: readonly (CountedAs | undefined)[] = [undefined, undefined, '2xx', '3xx', '4xx', '5xx']

type CountedAs = '2xx' | '3xx' | '4xx' | '429' | '5xx' | 'peak' | 'waited' | 'delivered' | 'failed'

type Count = { readonly keyId: number; readonly endpoint: string; readonly of: CountedAs }

/** A day of UTC. */
export const dayOf = (moment: Temporal.Instant): string => moment.toString().slice(0, 10)

/** In row order, so that two processes do not deadlock. */
const addToDay = (db: Database, day: string, counts: readonly Counted<Count>[]): Promise<number> =>
  db.run(sql()`
    insert into key_usage_day as u (key_id, day, endpoint, class, count)
    select c.key_id, ${day}::date, c.endpoint, c.class, c.count
      from unnest(${counts.map(({ keyId }) => keyId)}::bigint[], ${counts.map(({ endpoint }) => endpoint)}::text[],
                  ${counts.map(({ of }) => of)}::text[], ${counts.map(({ count }) => count)}::bigint[])
        as c (key_id, endpoint, class, count)
     order by 1, 3, 4
    on conflict (key_id, day, endpoint, class) do update
      set count = case when u.class = 'peak' then greatest(u.count, excluded.count) else u.count + excluded.count end`)
