import { limits } from '@venue-data/contract/limits.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import { recordEvent } from '../../core/events/record.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { badRequest, refuse } from '../../platform/kernel/refusal.ts'
import { type SeenVersion, asSeen } from '../../platform/kernel/running/seen-version.ts'
import { typedEmail, typedLine, typedPhone, typedText } from '../../platform/kernel/typed-fields.ts'
import { type GuestChoice, type SuppliedGuest, matchOrMakeGuest, soughtKeys } from './actions.ts'
import { type StaffGuestRow, presentGuest } from './guest.ts'
import { type GuestField, guestFields } from './rules.ts'
import { staffGuest, staffGuestForUpdate } from './staff-reads.ts'
import { type StaffColumns, guestWithAddress, writeStaffEdit } from './staff-writes.ts'
import { lockGuestBook } from './writes.ts'

/** Most characters of notes about a guest; years of conflict lines fit. */
const staffNotesMost = 20_000

/** What staff change about a guest; a missing field stays, null or blank clears it. */
export type GuestChanges = {
  readonly name?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly seatingPreference?: string | null
  readonly referralSource?: string | null
  /** Only integrators do. */
  readonly externalId?: string | null
  readonly staffNotes?: string | null
  readonly allergies?: string | null
}

/**
 * Edits a guest. A new address or number affects the matching of bookings at once, so it is written under the guest
 * book's lock. Bookings keep what was typed when they were made. Refuses
 * an address that another guest has (those two should be merged), and a guest nobody could identify.
 */
export const editGuest = async (
  work: Work,
  actor: Actor,
  {
    id,
    seenVersion,
    changes,
    notes,
  }: {
    readonly id: number
    readonly seenVersion: SeenVersion
    readonly changes: GuestChanges
    /** The notes for staff after the change, where they tell of it. */
    readonly notes?: (before: StaffGuestRow, after: StaffColumns) => string
  },
): Promise<StaffGuestRow> => {
  const { db, venue } = work
  if (changes.email !== undefined || changes.phone !== undefined) await lockGuestBook(db, venue.id)
  const held = await staffGuestForUpdate(db, venue.id, id)
  await refuseErased(db, venue.id, 'guest', id)
  const before = asSeen('guest', held, seenVersion)
  const typed = changed(before, changes)
  const to = notes ? { ...typed, staffNotes: notes(before, typed) } : typed
  if (!to.name && !to.email && !to.phone) {
    throw badRequest('A guest needs a name, an email or a phone number.', 'no-contact')
  }
  if (to.email !== null && to.email !== before.email) {
    const other = await guestWithAddress(db, venue.id, emailKey(to.email), id)
    if (other !== undefined) {
      throw refuse('address-taken', reasons['address-taken'].sentence)
    }
  }
  const now = work.now()
  const after = await writeStaffEdit(db, venue.id, id, to, now)
  await recordEvent(work, 'guest.updated', presentGuest(after), now, { before: presentGuest(before) })
  await recordActivity(work, actor, { action: 'edit', record: { kind: 'guest', id }, before, after }, now)
  return after
}

/** The result of adding a guest. */
export type AddedGuest = {
  readonly guest: StaffGuestRow
  readonly created: boolean
  /** What a guest who was there had not, and has now. */
  readonly filled: readonly GuestField[]
  /** What they have otherwise: the other value is in the notes for staff. */
  readonly noted: readonly GuestField[]
}

/**
 * A guest added by staff. Matched like everybody else: an existing guest is filled in, not duplicated. Refuses one
 * without an address and without a usable number.
 * @param choice staff's answer where they were asked who it is; it takes the place of the match
 */
export const addGuest = async (
  work: Work,
  actor: Actor,
  typed: SuppliedGuest,
  choice?: GuestChoice,
): Promise<AddedGuest> => {
  const supplied: SuppliedGuest = {
    name: typedLine('The name', typed.name ?? null, limits.nameCharacters) ?? undefined,
    email: typedEmail('The email', typed.email ?? null) ?? undefined,
    phone: typedPhone('The phone', typed.phone ?? null) ?? undefined,
    notes: typedText('The notes', typed.notes ?? null, limits.notesCharacters) ?? undefined,
  }
  const { emailKey: key, phone } = soughtKeys(supplied)
  const matched = key || phone ? await matchOrMakeGuest(work, supplied, 'staff', choice) : undefined
  if (!matched) throw badRequest('A guest needs an email or a phone number with at least 7 digits.')
  const guest = await staffGuest(work.db, work.venue.id, matched.guest.id)
  if (!guest) throw new Error('a guest that was just made is gone')
  const { created, before, conflicting } = matched
  const noted = guestFields.filter((field) => conflicting[field] !== undefined)
  const filled = contactFields.filter((field) => before !== null && before[field] !== guest[field])
  const record = { kind: 'guest', id: guest.id } as const
  if (created)
    await recordActivity(work, actor, { action: 'make', record, before: null, after: guest }, work.now())
  else if (filled.length > 0 || noted.length > 0 || supplied.notes !== undefined) {
    const after = {
      ...Object.fromEntries(filled.map((field) => [field, guest[field]])),
      ...(supplied.notes !== undefined && { notes: supplied.notes }),
      ...Object.fromEntries(noted.map((field) => [`another_${field}_in_the_notes`, conflicting[field]])),
    }
    await recordActivity(work, actor, { action: 'fillIn', record, before: null, after }, work.now())
  }
  return { guest, created, filled, noted }
}

const contactFields = ['name', 'email', 'phone'] as const satisfies readonly GuestField[]

const changed = (before: StaffGuestRow, changes: GuestChanges) => ({
  name: typedLine('The name', kept(changes.name, before.name), limits.nameCharacters),
  email: changes.email === undefined ? before.email : typedEmail('The email', changes.email),
  phone: changes.phone === undefined ? before.phone : typedPhone('The phone', changes.phone),
  seatingPreference: typedLine(
    'The seating preference',
    kept(changes.seatingPreference, before.seating_preference),
    limits.shortTextCharacters,
  ),
  referralSource: typedLine(
    'The referral source',
    kept(changes.referralSource, before.referral_source),
    limits.shortTextCharacters,
  ),
  externalId: kept(changes.externalId, before.external_id),
  staffNotes:
    changes.staffNotes === undefined
      ? before.staff_notes
      : (typedText('The notes', changes.staffNotes, staffNotesMost) ?? ''),
  allergies: typedText('The allergies', kept(changes.allergies, before.allergies), limits.notesCharacters),
})

const kept = (change: string | null | undefined, before: string | null): string | null =>
  change === undefined ? before : change
