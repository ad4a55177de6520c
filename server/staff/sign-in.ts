import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { emailKey } from '../kernel/email.ts'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import { open } from '../kernel/secrets.ts'
import { isPassword } from './password.ts'
import { type SignedIn, markChecked, openSession } from './sessions.ts'
import { stepOfCode } from './totp.ts'

/*
 * Signing in: an address, a password and, where it is switched on, a code. Tries are counted in the database by
 * network address and by person, so that guessing is slow on any number of processes; the count by person does
 * not lock the person out of a network address they use. One sentence for every failure, and about the same time.
 */

const windowMinutes = 15
/** Generous, since guests and staff may share one network address. */
const triesOfAddress = 300
const triesOfPersonFromAddress = 10

export type SignInTry = {
  readonly email: string
  readonly password: string
  readonly code: string | undefined
  /** Network address of the caller. */
  readonly from: string
}

/** The token of a new session, or that a code is needed too. Refuses with one sentence whatever was wrong. */
export const signIn = async (
  context: Context,
  { email, password, code, from }: SignInTry,
): Promise<{ token: string } | { needsCode: true }> => {
  const { db, clock, secrets } = context
  const person = emailKey(email)
  await countTry(context, `from:${from}`, triesOfAddress)
  await countTry(context, `who:${person} from:${from}`, triesOfPersonFromAddress)
  const account = await accountOf(db, person)
  // Somebody unknown costs as much time as somebody known.
  const right = await isPassword(password, account?.password_hash ?? standIn)
  if (!account || !right) throw wrong()
  if (account.totp_secret_sealed !== null) {
    if (code === undefined || code.trim() === '') return { needsCode: true }
    const secret = open(secrets, account.totp_secret_sealed, totpOwner(account.id))
    if (!(await useCode(db, account, secret, code, clock()))) throw wrong()
  }
  // Only failures count: a busy evening of sign-ins must not shut anybody out.
  await forgetTries(db, `who:${person} from:${from}`)
  await takeBackTry(db, `from:${from}`)
  return { token: await openSession(db, account.id, context) }
}

/** Checks the password, or the code where there is one, of somebody who is signed in: before a key is shown. */
export const checkAgain = async (
  context: Context,
  { staff, sessionId }: SignedIn,
  { password, code, from }: Pick<SignInTry, 'password' | 'code' | 'from'>,
): Promise<void> => {
  const { db, clock, secrets } = context
  await countTry(context, `again:${staff.id} from:${from}`, triesOfPersonFromAddress)
  const account = await accountOf(db, emailKey(staff.email))
  if (!account) throw wrong()
  const { totp_secret_sealed: sealed } = account
  const byCode =
    sealed !== null &&
    code !== undefined &&
    code !== '' &&
    (await useCode(db, account, open(secrets, sealed, totpOwner(account.id)), code, clock()))
  if (!byCode && !(await isPassword(password, account.password_hash))) {
    throw badRequest('That password or code is not right.')
  }
  await markChecked(db, sessionId, clock())
}

/** What a sealed code secret belongs to. */
export const totpOwner = (staffId: number): string => `staff:${staffId}`

type Account = {
  id: number
  password_hash: string
  totp_secret_sealed: string | null
  totp_last_step: number | null
}

const accountOf = (db: Queries, emailKey: string): Promise<Account | undefined> =>
  db.maybe(sql({ id: 'int8', password_hash: 'text', totp_secret_sealed: 'text?', totp_last_step: 'int8?' })`
    select id, password_hash, totp_secret_sealed, totp_last_step from staff
     where email_key = ${emailKey} and disabled_at is null`)

/** Takes a code, once: of two who send the same one, one gets in. */
const useCode = async (
  db: Queries,
  { id, totp_last_step }: Account,
  secret: string,
  code: string,
  now: Temporal.Instant,
): Promise<boolean> => {
  const step = stepOfCode(secret, code, now, totp_last_step)
  if (step === undefined) return false
  return (
    (await db.run(sql()`
      update staff set totp_last_step = ${step}
       where id = ${id} and coalesce(totp_last_step, 0) < ${step}`)) === 1
  )
}

const countTry = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  key: string,
  most: number,
): Promise<void> => {
  const now = clock()
  const ago = now.subtract({ minutes: windowMinutes })
  const { used } = await db.one(sql({ used: 'int4' })`
    insert into sign_in_window as w (key, opened_at, used) values (${key}, ${now}, 1)
    on conflict (key) do update set
      opened_at = case when w.opened_at <= ${ago}::timestamptz then excluded.opened_at else w.opened_at end,
      used = case when w.opened_at <= ${ago}::timestamptz then 1 else w.used + 1 end
    returning used`)
  if (used > most) {
    throw new Refusal(429, `Too many tries; wait a quarter of an hour and try again.`, {
      headers: { 'retry-after': String(windowMinutes * 60) },
    })
  }
}

const takeBackTry = (db: Queries, key: string) =>
  db.run(sql()`update sign_in_window set used = used - 1 where key = ${key} and used > 0`)

const forgetTries = (db: Queries, key: string) => db.run(sql()`delete from sign_in_window where key = ${key}`)

/** Housekeeping. */
export const forgetOldTries = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from sign_in_window where opened_at <= ${clock().subtract({ minutes: windowMinutes })}`)

const wrong = (): Refusal => badRequest('That address, password or code is not right.')

/** A hash that is nobody's, of the cost of the others. */
const standIn = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
