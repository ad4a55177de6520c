import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from './venue.ts'

/*
 * Counts the forms that each network sends to a venue's guest pages. They are counted outside the form's own transaction,
 * so that refused ones count as well.
 */

const { guestFormsWindowMinutes, guestFormsOfNetwork, guestFormsUnasked } = limits

/** A network as the pages name it: the first is counted under, all are looked at. `times` the limit is what it may. */
type Named = { readonly names: readonly [current: string, ...others: string[]]; readonly times: number }

/**
 * Counts a form; false if one of its networks has sent too many. After the first one too many, this only reads: a program that
 * keeps sending would otherwise keep a row locked, and each of its forms would wait for the disk.
 */
export const countGuestForm = async (
  db: Queries,
  venue: VenueId,
  networks: readonly Named[],
  now: Temporal.Instant,
): Promise<boolean> => {
  // The narrowest first: a household that sends too many uses up nothing of its neighbors'.
  for (const network of networks) if (!(await countFormOf(db, venue, network, now))) return false
  return true
}

const countFormOf = async (
  db: Queries,
  venue: VenueId,
  { names, times }: Named,
  now: Temporal.Instant,
): Promise<boolean> => {
  const [current] = names
  const since = opening(now)
  const before = await db.one(sql({ all: 'int4', other: 'int4' })`
    select coalesce(sum(used), 0)::integer as all,
           coalesce(sum(used) filter (where network <> ${current}), 0)::integer as other
      from guest_window
     where venue_id = ${venue} and network = any(${names}) and opened_at > ${since}`)
  if (before.all > guestFormsOfNetwork * times) return false
  const { used } = await db.one(sql({ used: 'int4' })`
    insert into guest_window as w (venue_id, network, opened_at, used) values (${venue}, ${current}, ${now}, 1)
    on conflict (venue_id, network) do update set
      used = case when w.opened_at <= ${since} then 1 else w.used + 1 end,
      written = case when w.opened_at <= ${since} then 0 else w.written end,
      opened_at = case when w.opened_at <= ${since} then ${now} else w.opened_at end
    returning used`)
  return before.other + used <= guestFormsOfNetwork * times
}

/** Counts a form that would write something, after `countGuestForm` counted it; whether there were more than go unasked. */
export const countGuestWrite = async (
  db: Queries,
  venue: VenueId,
  networks: readonly Named[],
  now: Temporal.Instant,
): Promise<boolean> => {
  const areMany = networks.map(async ({ names, times }) => {
    const [, { written }] = await Promise.all([
      db.run(sql()`
        update guest_window set written = written + 1 where venue_id = ${venue} and network = ${names[0]}`),
      db.one(sql({ written: 'int4' })`
        select coalesce(sum(written), 0)::integer as written from guest_window
         where venue_id = ${venue} and network = any(${names}) and opened_at > ${opening(now)}`),
    ])
    return written > guestFormsUnasked * times
  })
  return (await Promise.all(areMany)).includes(true)
}

/** A window that opened by then is over. */
const opening = (now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ minutes: guestFormsWindowMinutes })

/** Forgets networks that have been quiet for an hour. */
export const forgetGuestWindows = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from guest_window where opened_at <= ${clock().subtract({ hours: 1 })}`)
