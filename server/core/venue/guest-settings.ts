import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { type GuestSettings, closedGuestSettings, newGuestSettings } from './guest-settings-rules.ts'
import type { Logo } from './logo/logo.ts'
import type { VenueId } from './venue.ts'

/*
 * Settings are read whole, so they lie in one document: what is missing in it has its default, and a new setting needs
 * no migration. A venue without a row is one of before there were pages for guests.
 */

/** The settings, and the version that a form shows. */
export type KeptGuestSettings = {
  readonly settings: GuestSettings
  readonly version: number
  /** Uploaded apart from them; null: none. */
  readonly logo: Logo | null
}

const keptRow = {
  settings: 'jsonb',
  version: 'int4',
  tag: 'text?',
  type: 'text?',
  width: 'int4?',
  height: 'int4?',
} as const

export const guestSettingsOf = async (db: Queries, venue: VenueId): Promise<KeptGuestSettings> => {
  const row = await db.maybe(sql(keptRow)`
    select p.settings, p.version, l.tag, l.type, l.width, l.height
      from guest_pages p left join venue_logo l on l.venue_id = p.venue_id
     where p.venue_id = ${venue}`)
  if (!row) return { settings: closedGuestSettings, version: 0, logo: null }
  const { settings, version, tag, type, width, height } = row
  return {
    settings: { ...newGuestSettings, ...(settings as Partial<GuestSettings>) },
    version,
    logo:
      tag === null || type === null || width === null || height === null
        ? null
        : { tag, type, width, height },
  }
}

/** Gives a new venue its pages: all doors are on. */
export const beginGuestPages = (db: Queries, venue: VenueId): Promise<unknown> =>
  db.run(sql()`
    insert into guest_pages (venue_id, settings, version) values (${venue}, '{}', 1)
    on conflict (venue_id) do nothing`)

/** What a venue of before there were pages sets is kept, with all doors shut. */
export const ensureGuestPages = (db: Queries, venue: VenueId): Promise<unknown> =>
  db.run(sql()`
    insert into guest_pages (venue_id, settings, version)
    values (${venue}, ${JSON.stringify({ doors: [] })}::jsonb, 0)
    on conflict (venue_id) do nothing`)
