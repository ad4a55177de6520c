import type { Context } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { hashPassword, passwordMistake } from './password.ts'
import { recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'
import { type SignedIn, closeOtherSessions, isOpenSession } from './sessions.ts'
import { checkAgain } from './sign-in.ts'

/**
 * Somebody changes their own password, using their current one. All their other sessions end, and a link to choose one
 * is void. Refuses a new password that is invalid or is the old one, a wrong old one, and a session that was ended in
 * the meantime: somebody else's reset wins.
 */
export const changePassword = async (
  context: Context,
  me: SignedIn,
  { password, chosen }: { readonly password: string; readonly chosen: string },
): Promise<void> => {
  const mistake = passwordMistake(chosen)
  if (mistake) throw badRequest(mistake)
  await checkAgain(context, me, { password, code: undefined })
  if (chosen.normalize('NFC') === password.normalize('NFC')) {
    throw badRequest('That is already your password.')
  }
  const { staff, venue, sessionId } = me
  const hash = await hashPassword(chosen, context.random)
  await context.db.transaction(async (db) => {
    await db.run(sql()`update staff set password_hash = ${hash} where id = ${staff.id}`)
    // Checked while the account is locked: a password reset has already ended this session.
    if (!(await isOpenSession(db, sessionId))) {
      throw new Refusal(409, 'You were signed out meanwhile, so nothing was changed.')
    }
    await closeOtherSessions(db, staff.id, sessionId)
    await db.run(sql()`delete from password_link where staff_id = ${staff.id}`)
    const actor = { kind: 'staff', ...staff, role: staff.role as StaffRole } as const
    const account = { id: staff.id, venue: venue?.id ?? null, email: staff.email }
    await recordAccount(db, account, actor, 'changePassword', context.clock())
  })
}
