import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { seal } from '../kernel/secrets.ts'
import { recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'
import type { SignedIn } from './sessions.ts'
import { totpOwner } from './sign-in.ts'

export const secondFactorOf = (db: Queries, staffId: number): Promise<{ on: boolean }> =>
  db.one(sql({ on: 'bool' })`
    select totp_secret_sealed is not null as "on" from staff where id = ${staffId}`)

/** Switches codes on, with the step of the code that proved the app has the secret: it does not work a second time. */
export const switchOnCodes = async (
  { db, secrets, random, clock }: Pick<Context, 'db' | 'secrets' | 'random' | 'clock'>,
  me: SignedIn,
  secret: string,
  step: number,
): Promise<void> => {
  const { id } = me.staff
  await db.transaction(async (queries) => {
    await queries.run(sql()`
      update staff set totp_secret_sealed = ${seal(secrets, secret, totpOwner(id), random(12))}, totp_last_step = ${step}
       where id = ${id}`)
    await recordOwn(queries, me, 'switchCodesOn', clock())
  })
}

export const switchOffOwnCodes = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  me: SignedIn,
): Promise<void> =>
  db.transaction(async (queries) => {
    await switchOffCodes(queries, me.staff.id)
    await recordOwn(queries, me, 'switchCodesOff', clock())
  })

export const switchOffCodes = (db: Queries, staffId: number) =>
  db.run(sql()`update staff set totp_secret_sealed = null, totp_last_step = null where id = ${staffId}`)

const recordOwn = (
  db: Queries,
  { staff: { id, email, role }, venue }: SignedIn,
  action: 'switchCodesOn' | 'switchCodesOff',
  now: Temporal.Instant,
) =>
  recordAccount(
    db,
    { id, venue: venue?.id ?? null, email },
    { kind: 'staff', id, email, role: role as StaffRole },
    action,
    now,
  )
