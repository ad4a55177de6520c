import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { seal } from '../kernel/secrets.ts'
import { totpOwner } from './sign-in.ts'

export const secondFactorOf = (db: Queries, staffId: number): Promise<{ on: boolean }> =>
  db.one(sql({ on: 'bool' })`
    select totp_secret_sealed is not null as "on" from staff where id = ${staffId}`)

/** Switches codes on, with the step of the code that proved the app has the secret: it does not work a second time. */
export const switchOnCodes = (
  { db, secrets, random }: Pick<Context, 'db' | 'secrets' | 'random'>,
  staffId: number,
  secret: string,
  step: number,
) =>
  db.run(sql()`
    update staff set totp_secret_sealed = ${seal(secrets, secret, totpOwner(staffId), random(12))}, totp_last_step = ${step}
     where id = ${staffId}`)

export const switchOffCodes = (db: Queries, staffId: number) =>
  db.run(sql()`update staff set totp_secret_sealed = null, totp_last_step = null where id = ${staffId}`)
