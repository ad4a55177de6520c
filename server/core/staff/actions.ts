import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { emailRule, isEmailAddress } from '../../platform/kernel/email.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import type { VenueRow } from '../venue/venues.ts'
import { hashPassword, passwordMistake } from './password.ts'
import type { StaffRow } from './reads.ts'
import type { AccountRole } from './roles.ts'
import { insertStaff } from './writes.ts'

/**
 * Creates an account that can sign in at the venue's office, or a reviewer's, which has no venue. An address has one
 * account, and an account one venue.
 * Refuses an invalid address or password, both at once, and an address that already has an account.
 */
export const addStaff = async (
  { random, clock }: Pick<Context, 'random' | 'clock'>,
  db: Queries,
  venue: Pick<VenueRow, 'id' | 'slug'> | null,
  {
    email,
    role,
    password,
    name = null,
  }: { email: string; role: AccountRole; password: string; name?: string | null },
): Promise<StaffRow> => {
  const mistakes = [
    isEmailAddress(email) ? [] : `The email must be ${emailRule}.`,
    passwordMistake(password) ?? [],
  ].flat()
  if (mistakes.length > 0) throw badRequest(mistakes.join('\n'))
  const typed = email.trim()
  const passwordHash = await hashPassword(password, random)
  const row = await insertStaff(db, venue?.id ?? null, { email: typed, name, role, passwordHash }, clock())
  if (!row) throw new Refusal(409, `There is already an account with the address ${typed}.`)
  return { ...row, slug: venue?.slug ?? null, email: typed, role }
}
