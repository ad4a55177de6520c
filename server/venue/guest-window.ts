import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from './venue.ts'

/*
 * How often one network may send forms of a venue's guest pages: enough for a family, a hotel's lobby and a slow typist, too
 * few to fill an evening. Counted outside of the form's own transaction, so that what is refused counts as well.
 */

/** `unasked`: so many times a network writes before it is asked a question. */
export const guestWindow = { minutes: 10, most: 60, unasked: 3 } as const

/**
 * Counts a form; false when the network has sent too many. What comes after the first of those only reads: a program that
 * goes on would keep one row locked, and each of its forms waiting for the disk.
 */
export const countGuestForm = async (
  db: Queries,
  venue: VenueId,
  network: string,
  now: Temporal.Instant,
): Promise<boolean> => {
  const since = now.subtract({ minutes: guestWindow.minutes })
  const full = await db.maybe(sql({ used: 'int4' })`
    select used from guest_window
     where venue_id = ${venue} and network = ${network} and opened_at > ${since} and used > ${guestWindow.most}`)
  if (full) return false
  const { used } = await db.one(sql({ used: 'int4' })`
    insert into guest_window as w (venue_id, network, opened_at, used) values (${venue}, ${network}, ${now}, 1)
    on conflict (venue_id, network) do update set
      used = case when w.opened_at <= ${since} then 1 else w.used + 1 end,
      written = case when w.opened_at <= ${since} then 0 else w.written end,
      opened_at = case when w.opened_at <= ${since} then ${now} else w.opened_at end
    returning used`)
  return used <= guestWindow.most
}

/** Counts a form that means to write, one of those that `countGuestForm` counted; returns how many there were. */
export const countGuestWrite = async (db: Queries, venue: VenueId, network: string): Promise<number> => {
  const row = await db.maybe(sql({ written: 'int4' })`
    update guest_window set written = written + 1 where venue_id = ${venue} and network = ${network}
    returning written`)
  return row?.written ?? 1
}

/** Forgets networks that have been quiet for an hour. */
export const forgetGuestWindows = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from guest_window where opened_at <= ${clock().subtract({ hours: 1 })}`)
