import { setTimeout as wait } from 'node:timers/promises'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { type Instance, systemClock } from './instance.ts'

/*
 * The processes of a practice instance, and how a command reaches them: it writes the clock's new position, or that
 * background work must stop, and increments the step. Each process checks for that many times a second, does it, and
 * acknowledges the step once nothing is left to do at that moment (worker/follow-practice.ts).
 */

/** A process not seen for this long is gone, in milliseconds. */
const goneAfterMs = 10_000
/** How long to wait for an acknowledgment, in milliseconds: a receiver may keep several deliveries waiting in turn. */
const answerWithinMs = 120_000
const lookMs = 5

export const processSeen = (
  db: Queries,
  process: { readonly boot: string; readonly hasWorker: boolean; readonly step: number },
  system = systemClock,
): Promise<number> =>
  db.run(sql()`
    insert into practice_process (boot, has_worker, step, seen_at)
    values (${process.boot}, ${process.hasWorker}, ${process.step}, ${system()})
    on conflict (boot) do update set
      step = greatest(practice_process.step, excluded.step), seen_at = excluded.seen_at`)

/** Removes it, along with processes that disappeared long ago. */
export const processEnded = (db: Queries, boot: string, system = systemClock): Promise<number> =>
  db.run(sql()`
    delete from practice_process where boot = ${boot} or seen_at < ${system().subtract({ hours: 1 })}`)

const processes = (db: Queries, system: () => Temporal.Instant) =>
  db.many(sql({ has_worker: 'bool', step: 'int8' })`
    select has_worker, step from practice_process
     where seen_at > ${system().subtract({ milliseconds: goneAfterMs })}`)

/** The target state: the clock's position, and how long background work may be stopped at most (0: it runs). */
export type Order = { readonly aheadMs: number; readonly heldMs: number }

/** Writes a command. Refuses if another command has written one since `seen`. Returns its step. */
export const giveOrder = async (
  db: Queries,
  seen: Pick<Instance, 'step'>,
  { aheadMs, heldMs }: Order,
  system = systemClock,
): Promise<Pick<Instance, 'step'>> => {
  const row = await db.maybe(sql({ step: 'int8' })`
    update practice set ahead_ms = ${aheadMs}, step = step + 1,
           held_until = ${system().add({ milliseconds: heldMs })}
     where is_on and step = ${seen.step}
    returning step`)
  if (!row)
    throw new Refusal(409, 'Another command is moving the clock of this practice instance; wait for it.')
  return row
}

/** How long a new process may take to be seen, in milliseconds. */
const beginsWithinMs = 2_000

/** Whether the instance runs, and whether some process of it does background work. */
export const runningNow = async (
  db: Queries,
  system = systemClock,
): Promise<'no' | 'without a worker' | 'yes'> => {
  for (const began = performance.now(); ;) {
    const running = await processes(db, system)
    if (running.some(({ has_worker }) => has_worker)) return 'yes'
    if (performance.now() - began > beginsWithinMs) return running.length === 0 ? 'no' : 'without a worker'
    await wait(lookMs)
  }
}

/** Resolves when every process has acknowledged the step, except those that ended in the meantime. */
export const answered = async (
  db: Queries,
  { step }: Pick<Instance, 'step'>,
  system = systemClock,
): Promise<void> => {
  for (const began = performance.now(); ;) {
    const running = await processes(db, system)
    if (running.length === 0)
      throw new Refusal(409, 'The practice instance ended meanwhile; start it again and look at its clock.')
    if (running.every((one) => one.step >= step)) return
    if (performance.now() - began > answerWithinMs) {
      throw new Refusal(
        503,
        `The service is still busy with what is due after ${answerWithinMs / 1_000} s, so the clock stays where it is; run the command again to go on.`,
      )
    }
    await wait(lookMs)
  }
}
