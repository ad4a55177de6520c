import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { networkOf } from '../../platform/kernel/network.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { open } from '../../platform/kernel/secrets.ts'
import { deviceWith, isKnownOn, readDevice } from './known-device.ts'
import { isPassword } from './password.ts'
import { type SignedIn, markChecked, openSession } from './sessions.ts'
import { stepOfCode } from './totp.ts'
import { type Window, countTry, forgetTries, takeBackTry } from './sign-in-attempts.ts'

/*
 * Signing in: an email address, a password and, if turned on, a code. Failures are counted, so that guessing is slow
 * across any number of processes (docs/decisions/0008-the-office-in-detail.md). Every failure gets the same sentence
 * and takes about the same time.
 */

/** Failures in 15 minutes. Generous for an address, since guests and staff may share one. */
const mostFailures = {
  ofAddress: 300,
  ofPersonFromAddress: 10,
  /** From everywhere together: guessing from many addresses gets no further. */
  ofPerson: 50,
  /** Instead of the three above, on a browser where that person signed in before. */
  ofPersonOnDevice: 10,
  /** By somebody who is signed in and asked again. */
  again: 10,
} as const

export type SignInTry = {
  readonly email: string
  readonly password: string
  readonly code: string | undefined
  /** The caller's network address. */
  readonly from: string
  /** What the browser kept from earlier sign-ins (known-device.ts). */
  readonly device?: string | undefined
}

/**
 * The token of a new session and what the browser keeps, or that a code is needed too. Refuses with the same sentence
 * for every cause.
 */
export const signIn = async (
  context: Context,
  { email, password, code, from, device: kept }: SignInTry,
): Promise<{ token: string; device: string; isNamed: boolean; role: string } | { needsCode: true }> => {
  const { db, clock, secrets } = context
  const person = emailKey(email)
  const account = await accountOf(db, person)
  const device = readDevice(context, kept)
  const own: Window | undefined =
    account && device && isKnownOn(device, account.id, clock())
      ? { of: `device:${device.id} who:${account.id}`, most: mostFailures.ofPersonOnDevice }
      : undefined
  const fromHere = {
    of: `who:${person} from:${networkOf(from)}`,
    most: mostFailures.ofPersonFromAddress,
  }
  const windows = own
    ? [own]
    : [
        { of: `from:${networkOf(from)}`, most: mostFailures.ofAddress },
        fromHere,
        { of: `who:${person}`, most: mostFailures.ofPerson },
      ]
  await countTry(context, windows)
  // An unknown address takes as much time as a known one.
  const right = await isPassword(password, account?.password_hash ?? standIn)
  if (!account || !right) throw wrong()
  if (account.totp_secret_sealed !== null) {
    if (code === undefined || code.trim() === '') {
      await takeBackTry(db, windows)
      return { needsCode: true }
    }
    const secret = open(secrets, account.totp_secret_sealed, totpOwner(account.id))
    if (!(await useCode(db, account, secret, code, clock()))) throw wrong()
  }
  // Only failures count: a busy evening of sign-ins must not lock anybody out.
  await takeBackTry(db, windows)
  await forgetTries(db, own ?? fromHere)
  const token = await openSession(db, account.id, context, account.password_hash)
  // Changed or closed at this very moment.
  if (token === undefined) throw wrong()
  // A reviewer's name is shown to nobody.
  const isNamed = account.name !== null || account.role === 'reviewer'
  return { token, device: deviceWith(context, device, account.id), isNamed, role: account.role }
}

type Proof = Pick<SignInTry, 'password' | 'code'>

/** Checks the password, or the code if they use one, of somebody signed in: before a key is shown. */
export const checkAgain = (context: Context, me: SignedIn, proof: Proof): Promise<void> =>
  checkOnceMore(context, me, proof.code, async ({ password_hash }, isCode) => {
    if (!isCode && !(await isPassword(proof.password, password_hash))) {
      throw badRequest(
        proof.code === undefined ? 'That password is not right.' : 'That password or code is not right.',
      )
    }
  })

/** Checks the password and, if codes are on, a code as well: before the second factor itself is changed. */
export const checkBoth = (context: Context, me: SignedIn, proof: Proof): Promise<void> =>
  checkOnceMore(context, me, proof.code, async ({ password_hash, totp_secret_sealed }, isCode) => {
    const isRight = await isPassword(proof.password, password_hash)
    if (!isRight || (totp_secret_sealed !== null && !isCode)) {
      throw badRequest(
        totp_secret_sealed === null ? 'That password is not right.' : 'That password or code is not right.',
      )
    }
  })

const checkOnceMore = async (
  context: Context,
  { staff, sessionId }: SignedIn,
  code: string | undefined,
  /** Throws if what was given is not enough. */
  judge: (account: Account, isCode: boolean) => Promise<void>,
): Promise<void> => {
  const { db, clock, secrets } = context
  const window = { of: `again:${staff.id}`, most: mostFailures.again }
  await countTry(context, [window])
  const account = await accountOf(db, emailKey(staff.email))
  if (!account) throw wrong()
  const { totp_secret_sealed: sealed } = account
  const isCode =
    sealed !== null &&
    code !== undefined &&
    code !== '' &&
    (await useCode(db, account, open(secrets, sealed, totpOwner(account.id)), code, clock()))
  await judge(account, isCode)
  await forgetTries(db, window)
  await markChecked(db, sessionId, clock())
}

/** What a sealed code secret belongs to. */
export const totpOwner = (staffId: number): string => `staff:${staffId}`

type Account = {
  id: number
  name: string | null
  role: string
  password_hash: string
  totp_secret_sealed: string | null
  totp_last_step: number | null
}

const accountOf = (db: Queries, emailKey: string): Promise<Account | undefined> =>
  db.maybe(sql({
    id: 'int8',
    name: 'text?',
    role: 'text',
    password_hash: 'text',
    totp_secret_sealed: 'text?',
    totp_last_step: 'int8?',
  })`
    select id, name, role, password_hash, totp_secret_sealed, totp_last_step from staff
     where email_key = ${emailKey} and disabled_at is null`)

/** Accepts a code once: of two who send the same one, one gets in. */
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

const wrong = () => badRequest('That address, password or code is not right.')

/** A hash that is nobody's, with the same cost as the others. */
const standIn = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
