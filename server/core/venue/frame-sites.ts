import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import type { VenueId } from './venue.ts'

/*
 * Sites that asked for a venue's pages in a frame, as browsers say it with the request: the service itself asks no site.
 * A row is written by the guest pages, read by the office, and forgotten when the site has been quiet for long. Anybody can
 * make up such a request, so no more than a few unlisted sites are kept, those that asked last.
 */

export type FrameSite = {
  /** `https://www.example.com`. */
  readonly site: string
  /** Whether the venue had listed it when it last asked, so that it was shown the page. */
  readonly listed: boolean
  readonly seen_at: Moment
}

/** How many unlisted sites of a venue are kept, and for how long one that is quiet. */
export const frameSiteLimits = { unlisted: 20, days: 90 } as const

/** Keeps that a site asked for a page. */
export const noteFrameSite = async (
  db: Queries,
  venue: VenueId,
  { site, listed }: Pick<FrameSite, 'site' | 'listed'>,
  now: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    insert into frame_site (venue_id, site, listed, seen_at) values (${venue}, ${site}, ${listed}, ${now})
    on conflict (venue_id, site) do update set listed = excluded.listed, seen_at = excluded.seen_at`)
  if (listed) return
  await db.run(sql()`
    delete from frame_site
     where venue_id = ${venue} and not listed
       and site in (select site from frame_site
                     where venue_id = ${venue} and not listed
                     order by seen_at desc, site
                    offset ${frameSiteLimits.unlisted})`)
}

/** What asked lately, the last one first. */
export const frameSitesOf = (db: Queries, venue: VenueId): Promise<FrameSite[]> =>
  db.many(sql({ site: 'text', listed: 'bool', seen_at: 'timestamptz' })`
    select site, listed, seen_at from frame_site where venue_id = ${venue} order by seen_at desc, site`)

/** Forgets sites that have been quiet for long. */
export const forgetFrameSites = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(
    sql()`delete from frame_site where seen_at <= ${clock().subtract({ hours: 24 * frameSiteLimits.days })}`,
  )
