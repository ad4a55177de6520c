import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'

/*
 * Sign-in attempts, counted in the database, so exactly across any number of processes, in 15-minute windows. An attempt
 * is counted before it is checked, so many at once get no further than one after another. A success then takes the count
 * back. No address or name is kept, only a hash of what is counted.
 */

const windowMinutes = 15

/** Something attempts are counted by, and how many may fail in a window. */
export type Window = { readonly of: string; readonly most: number }

type Doing = Pick<Context, 'db' | 'clock'>

/** Counts an attempt in each window, in order. Refuses with 429 if one is full; the windows after it are then not counted. */
export const countTry = async ({ db, clock }: Doing, windows: readonly Window[]): Promise<void> => {
  const now = clock()
  const ago = now.subtract({ minutes: windowMinutes })
  for (const { of, most } of windows) {
    const { used } = await db.one(sql({ used: 'int4' })`
      insert into sign_in_window as w (key, opened_at, used) values (${keyOf(of)}, ${now}, 1)
      on conflict (key) do update set
        opened_at = case when w.opened_at <= ${ago}::timestamptz then excluded.opened_at else w.opened_at end,
        used = case when w.opened_at <= ${ago}::timestamptz then 1 else w.used + 1 end
      returning used`)
    if (used > most) {
      throw new Refusal(429, `Too many attempts; wait ${windowMinutes} minutes and try again.`, {
        headers: { 'retry-after': String(windowMinutes * 60) },
      })
    }
  }
}

/** An attempt that did not fail does not count in any of its windows. */
export const takeBackTry = async (db: Queries, windows: readonly Window[]): Promise<void> => {
  for (const { of } of windows) {
    await db.run(sql()`update sign_in_window set used = used - 1 where key = ${keyOf(of)} and used > 0`)
  }
}

/** After a success the person's allowance is full again. */
export const forgetTries = (db: Queries, { of }: Window) =>
  db.run(sql()`delete from sign_in_window where key = ${keyOf(of)}`)

/** Housekeeping. */
export const forgetOldTries = ({ db, clock }: Doing): Promise<number> =>
  db.run(sql()`delete from sign_in_window where opened_at <= ${clock().subtract({ minutes: windowMinutes })}`)

/** All of one length, no matter what was typed. */
const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
