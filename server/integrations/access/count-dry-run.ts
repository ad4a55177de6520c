import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'

/** Counts a key's dry run, in addition to its request. Returns how many are left; below zero, the limit is exceeded. */
export const countDryRun = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  keyId: number,
): Promise<{ readonly left: number; readonly resetSeconds: number }> => {
  const now = clock()
  const windowAgo = now.subtract({ seconds: limits.rateWindowSeconds })
  const { opened_at, used } = await db.one(sql({ opened_at: 'timestamptz', used: 'int4' })`
    update key_window set
      dry_runs_opened_at = case when dry_runs_opened_at > ${windowAgo} then dry_runs_opened_at else ${now} end,
      dry_runs = case when dry_runs_opened_at > ${windowAgo} then dry_runs + 1 else 1 end
    where key_id = ${keyId}
    returning dry_runs_opened_at as opened_at, dry_runs as used`)
  const openFor = limits.rateWindowSeconds - now.since(toInstant(opened_at)).total('seconds')
  return { left: limits.dryRunsPerMinute - used, resetSeconds: Math.max(1, Math.ceil(openFor)) }
}
