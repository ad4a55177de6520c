import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'
import type { SignedIn } from './sessions.ts'

export const mostNameCharacters = 100

/** What a member of staff is called, on one line. Refuses a name that is too long or cannot be read. */
export const readStaffName = (typed: string): string => {
  const name = typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (name.length > mostNameCharacters || !name.isWellFormed() || /\p{Cc}/u.test(name))
    throw badRequest(`The name must be text of at most ${mostNameCharacters} characters.`)
  return name
}

/** Somebody says what they are called: the activity, and notes that they sign, name them so. Refuses no name. */
export const nameOwnAccount = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { staff, venue }: SignedIn,
  typed: string,
): Promise<string> => {
  const name = readStaffName(typed)
  if (name === '') throw badRequest('Type the name that your colleagues know you by.')
  if (name === staff.name) return name
  await db.transaction(async (inside) => {
    await inside.run(sql()`update staff set name = ${name} where id = ${staff.id}`)
    await recordAccount(
      inside,
      { id: staff.id, venue: venue?.id ?? null, email: staff.email },
      { kind: 'staff', ...staff, role: staff.role as StaffRole },
      'changeName',
      clock(),
      { before: { name: staff.name }, after: { name } },
    )
  })
  return name
}

/** Somebody reads the lists of the evening from further away, or no longer does. */
export const chooseLargerRows = (db: Queries, id: number, isLarger: boolean): Promise<number> =>
  db.run(sql()`update staff set larger_rows = ${isLarger} where id = ${id}`)
