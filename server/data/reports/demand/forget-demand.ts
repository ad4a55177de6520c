import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/** Kept for the longest period and the one it is compared with. */
const keptDays = 2 * limits.figuresDays

/** Forgets counts of days that no report reaches. */
export const forgetOldDemand = async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> => {
  const before = addDays(clock().toString().slice(0, 10), -keptDays)
  return (await forgetRefused(db, before)) + (await forgetShown(db, before))
}

const forgetRefused = (db: Queries, before: LocalDate): Promise<number> =>
  db.run(sql()`delete from refused_request where service_date < ${before}`)

const forgetShown = (db: Queries, before: LocalDate): Promise<number> =>
  db.run(sql()`delete from visit_day where day < ${before}`)
