import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueId } from './venue.ts'

/*
 * Counts the forms that each network sends to a venue's guest pages. They are counted outside the form's own transaction,
 * so that refused ones count as well.
 */

const { guestFormsWindowMinutes, guestFormsOfNetwork } = limits

/**
 * Counts a form; false if the network has sent too many. After the first one too many, this only reads: a program that
 * keeps sending would otherwise keep a row locked, and each of its forms would wait for the disk.
 */
export const countGuestForm = async (
  db: Queries,
  venue: VenueId,
  network: string,
  now: Temporal.Instant,
): Promise<boolean> => {
  const since = now.subtract({ minutes: guestFormsWindowMinutes })
  const full = await db.maybe(sql({ used: 'int4' })`
    select used from guest_window
     where venue_id = ${venue} and network = ${network} and opened_at > ${since} and used > ${guestFormsOfNetwork}`)
  if (full) return false
  const { used } = await db.one(sql({ used: 'int4' })`
    insert into guest_window as w (venue_id, network, opened_at, used) values (${venue}, ${network}, ${now}, 1)
    on conflict (venue_id, network) do update set
      used = case when w.opened_at <= ${since} then 1 else w.used + 1 end,
      written = case when w.opened_at <= ${since} then 0 else w.written end,
      opened_at = case when w.opened_at <= ${since} then ${now} else w.opened_at end
    returning used`)
  return used <= guestFormsOfNetwork
}

/** Counts a form that would write something, after `countGuestForm` counted it; returns how many there were. */
export const countGuestWrite = async (db: Queries, venue: VenueId, network: string): Promise<number> => {
  const row = await db.maybe(sql({ written: 'int4' })`
    update guest_window set written = written + 1 where venue_id = ${venue} and network = ${network}
    returning written`)
  return row?.written ?? 1
}

/** Forgets networks that have been quiet for an hour. */
export const forgetGuestWindows = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from guest_window where opened_at <= ${clock().subtract({ hours: 1 })}`)
