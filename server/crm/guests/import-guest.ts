import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../context.ts'
import { typedExternalId } from '../../platform/kernel/external-id.ts'
import { typedEmail, typedLine, typedPhone, typedText } from '../../platform/kernel/typed-fields.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { type MatchedGuest, type SuppliedGuest, matchOrMakeGuest } from './actions.ts'
import type { GuestProfile } from '../house/rules.ts'
import type { ImportedDetails } from './imported-details.ts'

/** A guest as a row of a file gives it; blank or null = not given. */
export type GuestInFile = ImportedDetails & {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly staffNotes: string | null
  readonly externalId?: string | null
  readonly noteLines?: readonly string[]
  readonly house?: GuestProfile
}

/** Checks a row. Throws a 400 sentence that names the column, never the value. */
export const guestOfRow = (row: GuestInFile): SuppliedGuest => {
  const email = typedEmail('The email', row.email)
  const phone = typedPhone('The phone', row.phone)
  if (email === null && (phone === null || !phoneKey(phone))) {
    throw badRequest('A guest needs an email address or a phone number with at least 7 digits.')
  }
  return {
    name: typedLine('The name', row.name, limits.nameCharacters) ?? undefined,
    email: email ?? undefined,
    phone: phone ?? undefined,
    notes: typedText('The notes', row.staffNotes, limits.notesCharacters) ?? undefined,
    noteLines: row.noteLines,
    house: row.house,
    externalId: typedExternalId(row.externalId ?? null) ?? undefined,
    brought: {
      ...row,
      seatingPreference: typedLine(
        'The seating preference',
        row.seatingPreference,
        limits.shortTextCharacters,
      ),
      referralSource: typedLine('The source', row.referralSource, limits.shortTextCharacters),
      allergies: typedText('The allergies', row.allergies, limits.notesCharacters),
    },
  }
}

/** Matches or makes the guest, and says which. Only raises counters and fills empty fields: safe to repeat. */
export const importGuest = async (work: Work, guest: SuppliedGuest): Promise<BroughtGuest | undefined> => {
  const matched = await matchOrMakeGuest(work, guest, 'import')
  return matched && broughtGuest(matched)
}

/** A guest whom a row of a file is about, and what it did to them. */
export type BroughtGuest = {
  readonly id: number
  readonly made: boolean
  readonly filled: readonly string[]
  readonly versionBefore: number
}

export const broughtGuest = ({ guest, created, filled, versionBefore }: MatchedGuest): BroughtGuest => ({
  id: guest.id,
  made: created,
  filled,
  versionBefore,
})
