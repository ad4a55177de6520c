import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import { type GuestSettings, guestSettingsMistakes } from '../../core/venue/guest-settings-rules.ts'
import { type KeptGuestSettings, ensureGuestPages, guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { markAllFreed } from './mark-all-freed.ts'

/**
 * Saves what is given. Refuses settings that cannot be kept, all of them at once, and with `seen` a form that showed an
 * older version.
 */
export const changeGuestSettings = async (
  work: Work,
  actor: Actor,
  { changes, seen }: { readonly changes: Partial<GuestSettings>; readonly seen?: number | undefined },
): Promise<Omit<KeptGuestSettings, 'logo'>> => {
  const { db, venue } = work
  const mistakes = guestSettingsMistakes(changes)
  if (mistakes.length > 0) throw badRequest(mistakes.join('\n'))
  await ensureGuestPages(db, venue.id)
  await db.one(sql({ version: 'int4' })`
    select version from guest_pages where venue_id = ${venue.id} for update`)
  const before = await guestSettingsOf(db, venue.id)
  if (seen !== undefined && seen !== before.version) throw changedMeanwhile('page')
  const settings = { ...before.settings, ...changes }
  const version = before.version + 1
  if (settings.offersBySelf && !before.settings.offersBySelf) await markAllFreed(db, venue.id)
  await db.run(sql()`
    update guest_pages set settings = ${JSON.stringify(settings)}::jsonb, version = ${version}
     where venue_id = ${venue.id}`)
  await recordActivity(
    work,
    actor,
    {
      action: 'change the guest pages',
      record: { kind: 'venue', id: venue.id },
      before: before.settings,
      after: settings,
    },
    work.now(),
  )
  return { settings, version }
}
