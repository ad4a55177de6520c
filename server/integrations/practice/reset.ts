import type { Context } from '../../context.ts'
import type { Database } from '../../platform/db/pool.ts'
import { renewEpochs } from '../../platform/db/renew-epochs.ts'
import { restoreSnapshot, snapshotTaken, takeSnapshot } from '../../platform/db/snapshot.ts'
import { type Moment, toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { onPracticeInstance, systemClock } from './instance.ts'
import { answered, giveOrder, runningNow } from './processes.ts'

/** Tables about the program and its processes, not the venues: neither saved nor restored. */
const ofTheProgram = ['schema_migration', 'database_mark', 'practice', 'practice_process', 'mail_process']

/** Longer than it takes to stop a worker and restore the tables, in milliseconds. */
const heldMs = 120_000

/**
 * Takes the snapshot that `resetPractice` restores, replacing the previous one, once the running service has done
 * everything due. Returns its moment.
 */
export const snapshotPractice = async (db: Database, system = systemClock): Promise<Moment> => {
  const { aheadMs, step } = await onPracticeInstance(db, system)
  if ((await runningNow(db, system)) !== 'no')
    await answered(db, await giveOrder(db, { step }, { aheadMs, heldMs: 0 }, system), system)
  const takenAt = toMoment(system().add({ milliseconds: aheadMs }))
  await takeSnapshot(db, ofTheProgram, takenAt)
  return takenAt
}

/** The first snapshot of an instance, unless there is one; for its start, before it does anything else. */
export const firstSnapshot = async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> => {
  if (!(await snapshotTaken(db))) await takeSnapshot(db, ofTheProgram, toMoment(clock()), { onlyFirst: true })
}

/**
 * Resets everything to the snapshot, including the clock: records, keys, logins, endpoints, ids. Background work stops
 * before and resumes afterwards, so that nothing created since is delivered or sent. Requests in the meantime wait, or
 * get 503. Returns the snapshot's moment. Also works without a running service.
 */
export const resetPractice = async (db: Database, system = systemClock): Promise<Moment> => {
  const seen = await onPracticeInstance(db, system)
  const snapshot = await snapshotTaken(db)
  if (!snapshot) throw new Refusal(409, 'There is no snapshot yet: take one with "practice snapshot".')
  if (!snapshot.fits)
    throw new Refusal(
      409,
      'The snapshot was taken before an upgrade of the program and no longer fits: take a new one with "practice snapshot".',
    )
  const isRunning = (await runningNow(db, system)) !== 'no'
  const held = await giveOrder(db, seen, { aheadMs: seen.aheadMs, heldMs }, system)
  try {
    if (isRunning) await answered(db, held, system)
    const done = await restoreSnapshot(db, ofTheProgram, async (queries) => {
      await renewEpochs(queries)
      const aheadMs = toInstant(snapshot.takenAt).epochMilliseconds - system().epochMilliseconds
      return giveOrder(queries, held, { aheadMs, heldMs: 0 }, system)
    })
    if (isRunning) await answered(db, done, system)
  } catch (error) {
    // If it is already restored, a later command is the last one, and this changes nothing.
    await giveOrder(db, held, { aheadMs: seen.aheadMs, heldMs: 0 }, system).catch(() => undefined)
    throw error
  }
  return snapshot.takenAt
}
