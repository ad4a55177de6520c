import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { dayOf } from './usage.ts'

const usageRow = { key_id: 'int8', day: 'date', endpoint: 'text', class: 'text', count: 'int8' } as const
export type UsageRow = RowOf<typeof usageRow>

/** The first day of this many, ending today. */
export const firstDay = (now: Temporal.Instant, days: number): string =>
  dayOf(now.subtract({ hours: 24 * (days - 1) }))

/** The counts of keys since a day, newest first. */
export const usageOfKeys = (db: Queries, keys: readonly number[], since: string): Promise<UsageRow[]> =>
  db.many(sql(usageRow)`
    select key_id, day, endpoint, class, count from key_usage_day
     where key_id = any(${[...keys]}::bigint[]) and day >= ${since}::date
     order by day desc, endpoint, class`)

/** Days too old to be requested. */
export const forgetOldUsage = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from key_usage_day where day < ${firstDay(clock(), limits.usageDaysMost + 1)}::date`)
