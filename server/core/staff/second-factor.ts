import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { open, seal } from '../../platform/kernel/secrets.ts'
import { recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'
import { type SignedIn, closeOtherSessions } from './sessions.ts'
import { totpOwner } from './sign-in.ts'
import { makeTotpSecret, stepOfCode } from './totp.ts'

export const secondFactorOf = (db: Queries, staffId: number): Promise<{ on: boolean }> =>
  db.one(sql({ on: 'bool' })`
    select totp_secret_sealed is not null as "on" from staff where id = ${staffId}`)

/**
 * A new secret for the authenticator app, to be shown once. It is kept sealed until a code proves that the app has it, and
 * replaces one that was never proved. Refuses with 409 if codes are on.
 */
export const beginCodes = async (
  { db, secrets, random }: Pick<Context, 'db' | 'secrets' | 'random'>,
  { staff: { id } }: SignedIn,
): Promise<string> => {
  const secret = makeTotpSecret(random)
  const sealed = seal(secrets, secret, totpOwner(id), random(12))
  const begun = await db.run(sql()`
    update staff set totp_pending_sealed = ${sealed} where id = ${id} and totp_secret_sealed is null`)
  if (begun !== 1) throw alreadyOn()
  return secret
}

/**
 * Turns codes on with the app's first code, which does not work a second time, and signs the person out everywhere else.
 * Returns the secret to show again when the code is not right. Refuses with 409 if codes are on, or nothing was started.
 */
export const switchOnCodes = async (
  { db, secrets, clock }: Pick<Context, 'db' | 'secrets' | 'clock'>,
  me: SignedIn,
  code: string,
): Promise<{ readonly wrongFor: string } | undefined> => {
  const { id } = me.staff
  return db.transaction(async (queries) => {
    const { sealed, on } = await queries.one(sql({ sealed: 'text?', on: 'bool' })`
      select totp_pending_sealed as sealed, totp_secret_sealed is not null as "on"
        from staff where id = ${id} for update`)
    if (on) throw alreadyOn()
    if (sealed === null) throw new Refusal(409, 'Start over: the key you were shown is no longer valid.')
    const secret = open(secrets, sealed, totpOwner(id))
    const step = stepOfCode(secret, code, clock(), null)
    if (step === undefined) return { wrongFor: secret }
    await queries.run(sql()`
      update staff set totp_secret_sealed = ${sealed}, totp_last_step = ${step}, totp_pending_sealed = null
       where id = ${id}`)
    await closeOtherSessions(queries, id, me.sessionId)
    await recordOwn(queries, me, 'switchCodesOn', clock())
    return undefined
  })
}

const alreadyOn = (): Refusal =>
  new Refusal(409, 'Codes are already on. Turn them off first to use another app.')

/** Turns one's own codes off and ends every other session. */
export const switchOffOwnCodes = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  me: SignedIn,
): Promise<void> =>
  db.transaction(async (queries) => {
    await switchOffCodes(queries, me.staff.id)
    await closeOtherSessions(queries, me.staff.id, me.sessionId)
    await recordOwn(queries, me, 'switchCodesOff', clock())
  })

export const switchOffCodes = (db: Queries, staffId: number) =>
  db.run(
    sql()`update staff set totp_secret_sealed = null, totp_last_step = null, totp_pending_sealed = null where id = ${staffId}`,
  )

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
