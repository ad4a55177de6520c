import type { Database } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
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

/** How long counts wait before they are written, in milliseconds. */
const flushMs = 10_000

export const openUsage = ({
  db,
  clock,
  log,
}: {
  readonly db: Database
  readonly clock: () => Temporal.Instant
  readonly log: Logger
}): Usage => {
  /** By key and endpoint, then by class; '' means no endpoint. */
  let counted = new Map<string, Count>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const countOf = (keyId: number, endpoint: string, of: Counted): Count => {
    const name = `${keyId} ${of} ${endpoint}`
    let count = counted.get(name)
    if (!count) counted.set(name, (count = { keyId, endpoint, of, count: 0 }))
    timer ??= isOver ? undefined : setTimeout(() => void flush(), flushMs).unref()
    return count
  }

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (counted.size === 0) return
    const batch = counted
    counted = new Map()
    try {
      await addToDay(db, dayOf(clock()), [...batch.values()])
    } catch (error) {
      log.warn({ code: codeOf(error) }, 'the use of keys could not be written yet')
      for (const { keyId, endpoint, of, count } of batch.values()) {
        const now = countOf(keyId, endpoint, of)
        now.count = of === 'peak' ? Math.max(now.count, count) : now.count + count
      }
    }
  }

  return {
    answered: (keyId, endpoint, status) => {
      countOf(keyId, endpoint, status === 429 ? '429' : (classes[Math.floor(status / 100)] ?? '5xx')).count++
    },
    inMinute: (keyId, used) => {
      const peak = countOf(keyId, '', 'peak')
      if (used > peak.count) peak.count = used
    },
    waited: (keyId) => {
      countOf(keyId, '', 'waited').count++
    },
    delivered: (keyId, isWell) => {
      countOf(keyId, '', isWell ? 'delivered' : 'failed').count++
    },
    flush,
    close: async () => {
      isOver = true
      await flush()
    },
  }
}

const classes: readonly (Counted | undefined)[] = [undefined, undefined, '2xx', '3xx', '4xx', '5xx']

type Counted = '2xx' | '3xx' | '4xx' | '429' | '5xx' | 'peak' | 'waited' | 'delivered' | 'failed'

type Count = { readonly keyId: number; readonly endpoint: string; readonly of: Counted; count: number }

/** A day of UTC. */
export const dayOf = (moment: Temporal.Instant): string => moment.toString().slice(0, 10)

/** In row order, so that two processes do not deadlock. */
const addToDay = (db: Database, day: string, counts: readonly Count[]): Promise<number> =>
  db.run(sql()`
    insert into key_usage_day as u (key_id, day, endpoint, class, count)
    select c.key_id, ${day}::date, c.endpoint, c.class, c.count
      from unnest(${counts.map(({ keyId }) => keyId)}::bigint[], ${counts.map(({ endpoint }) => endpoint)}::text[],
                  ${counts.map(({ of }) => of)}::text[], ${counts.map(({ count }) => count)}::bigint[])
        as c (key_id, endpoint, class, count)
     order by 1, 3, 4
    on conflict (key_id, day, endpoint, class) do update
      set count = case when u.class = 'peak' then greatest(u.count, excluded.count) else u.count + excluded.count end`)
