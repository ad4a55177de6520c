import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'

/*
 * The practice instance of a database (PRACTICE=on). A service that starts as one says so in the row `practice`, and
 * one that does not clears it. So a command knows without its own settings whether it works on a practice instance, and
 * its clock.
 */

const instanceRow = { ahead_ms: 'int8', step: 'int8', is_held: 'bool' } as const

export type Instance = {
  /** How far its clock is ahead of the system's, in milliseconds; below zero it is behind. */
  readonly aheadMs: number
  /** Counts the commands to its processes. */
  readonly step: number
  /** Its background work is stopped. */
  readonly isHeld: boolean
}

/** The system's clock, for work that continues while the practice clock is moved. */
export const systemClock = (): Temporal.Instant => wholeMilliseconds(Temporal.Now.instant())

/** Undefined: the service of this database is no practice instance. */
export const practiceInstance = async (db: Queries, system = systemClock): Promise<Instance | undefined> => {
  const row = await db.maybe(sql(instanceRow)`
    select ahead_ms, step, coalesce(held_until > ${system()}, false) as is_held from practice where is_on`)
  return row && { aheadMs: row.ahead_ms, step: row.step, isHeld: row.is_held }
}

/** Refuses a database whose service is no practice instance. */
export const onPracticeInstance = async (db: Queries, system = systemClock): Promise<Instance> => {
  const instance = await practiceInstance(db, system)
  if (!instance)
    throw new Refusal(
      409,
      'This is not a practice instance, and only those can do this: start the service with PRACTICE=on first.',
    )
  return instance
}

/** The current moment by a practice instance's clock; otherwise by `clock`. */
export const momentNow = async (
  db: Queries,
  clock: () => Temporal.Instant,
  system = systemClock,
): Promise<Temporal.Instant> => {
  const instance = await practiceInstance(db, system)
  return instance ? system().add({ milliseconds: instance.aheadMs }) : clock()
}

/**
 * The service starts as a practice instance. Its clock continues where it was, also without a PRACTICE_CLOCK; with a different one
 * than last time, or at the first start, it is set to `aheadMs` ahead. Returns how far it is ahead now.
 */
export const beginPractice = async (db: Queries, setting: string, aheadMs: number): Promise<number> => {
  const { ahead_ms } = await db.one(sql({ ahead_ms: 'int8' })`
    insert into practice as kept (is_on, clock_setting, ahead_ms) values (true, ${setting}, ${aheadMs})
    on conflict (is_single) do update set
      is_on = true,
      clock_setting = coalesce(nullif(excluded.clock_setting, ''), kept.clock_setting),
      ahead_ms = case when excluded.clock_setting in ('', kept.clock_setting) then kept.ahead_ms else excluded.ahead_ms end,
      step = kept.step + case when excluded.clock_setting in ('', kept.clock_setting) then 0 else 1 end
    returning ahead_ms`)
  return ahead_ms
}

/** The service does not start as a practice instance. The clock's position is kept for the next one that does. */
export const endPractice = (db: Queries): Promise<number> =>
  db.run(sql()`update practice set is_on = false where is_on`)
