import type { Replaced } from '@venue-data/contract/records/guest.ts'
import { keyName } from '../../core/activity/key-name.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import type { SeenVersion } from '../../platform/kernel/running/seen-version.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { appendNotes, replacedLine } from './rules.ts'
import { type GuestChanges, editGuest } from './staff-edits.ts'
import type { StaffGuestRow } from './guest.ts'

/** What integrators may change of a guest, with the columns. */
const fields = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  seatingPreference: 'seating_preference',
  referralSource: 'referral_source',
  externalId: 'external_id',
} as const
type Field = keyof typeof fields

/**
 * Edits a guest for an integrator. Nothing that was known is lost: what a change writes over goes to the notes for staff,
 * under the key's name, and back to the caller.
 */
export const editGuestByKey = async (
  work: Work,
  actor: Actor & { readonly kind: 'key' },
  {
    id,
    seenVersion,
    changes,
  }: {
    readonly id: number
    readonly seenVersion: SeenVersion
    readonly changes: Pick<GuestChanges, Field>
  },
): Promise<{ readonly row: StaffGuestRow; readonly extra: { readonly replaced: Replaced } }> => {
  const { db, venue, now } = work
  const source = await keyName(db, venue.id, actor.id)
  const { date } = wallTimeOf(now(), venue.timezone)
  let replaced: Replaced = {}
  const row = await editGuest(work, actor, {
    id,
    seenVersion,
    changes,
    notes: (before, after) => {
      const over = (Object.keys(fields) as Field[]).flatMap((field) => {
        const value = before[fields[field]]
        return value !== null && value !== after[field] ? [[field, value] as const] : []
      })
      replaced = Object.fromEntries(over)
      const lines = over.map(([field, value]) => replacedLine({ date, source, field, value }))
      return appendNotes(before.staff_notes, lines) ?? ''
    },
  })
  return { row, extra: { replaced } }
}
