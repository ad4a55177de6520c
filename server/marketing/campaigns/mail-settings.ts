import { recordActivity } from '../../core/activity/record.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { holdoutMost } from './audience/holdout.ts'

const settingsRow = { holdout_pct: 'int4', version: 'int4' } as const
export type MailSettings = RowOf<typeof settingsRow>

/** A venue that never saved any has the defaults of a new row. */
const unsaved: MailSettings = { holdout_pct: 0, version: 1 }

export const mailSettings = async (db: Queries, venue: VenueId): Promise<MailSettings> =>
  (await db.maybe(sql(settingsRow)`
    select holdout_pct, version from mail_settings where venue_id = ${venue}`)) ?? unsaved

/** Saves the share of people each campaign holds back. Refuses a stale page. Lists already built keep theirs. */
export const saveMailSettings = async (
  work: Work,
  actor: Actor,
  { seenVersion, holdoutPct }: { readonly seenVersion: number; readonly holdoutPct: number },
): Promise<MailSettings> => {
  const { db, venue } = work
  if (!Number.isInteger(holdoutPct) || holdoutPct < 0 || holdoutPct > holdoutMost) {
    throw badRequest(`The share held back must be a whole number from 0 to ${holdoutMost}.`)
  }
  await db.run(sql()`
    insert into mail_settings (venue_id) values (${venue.id}) on conflict (venue_id) do nothing`)
  const before = await db.one(sql(settingsRow)`
    select holdout_pct, version from mail_settings where venue_id = ${venue.id} for update`)
  if (before.version !== seenVersion) throw changedMeanwhile('page')
  const after = await db.one(sql(settingsRow)`
    update mail_settings set holdout_pct = ${holdoutPct}, version = version + 1
     where venue_id = ${venue.id} returning holdout_pct, version`)
  await recordActivity(
    work,
    actor,
    { action: 'change the settings of mail', record: { kind: 'venue', id: venue.id }, before, after },
    work.now(),
  )
  return after
}
