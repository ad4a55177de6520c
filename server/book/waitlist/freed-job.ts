import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { quietUntil } from '../../platform/kernel/time/quiet-hours.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { forgetFreed } from '../day/freed-places.ts'
import { holdDays } from '../day/open-day.ts'
import { datesToFill, fillDay } from '../tables/fill.ts'
import { datesWaitedFor } from '../tables/waiting-reads.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { offerNext } from './offers.ts'

/*
 * Looks at what came free: first, booked parties without a table get one (tables/fill.ts), then what is left is offered
 * to those who wait for that day (offers.ts). Cast: code that frees places leaves a mark
 * (day/freed-places.ts), which the job removes once it has looked; what time alone frees (a hold or a page
 * that ran out, an outage that ended) nobody marks, so each venue that has a party without a table is looked at once a
 * minute, from its own second on. Any number of processes may run it: each look takes the day's lock, and a second one
 * finds nothing. A crash leaves the mark.
 */

type Job = Pick<Context, 'db' | 'clock' | 'log'>

/** Looks at the marks there are, at dates that have come due since `since`. Returns how many tables and offers it gave. */
export const lookAtFreed = async ({
  db,
  clock,
  log,
}: Job): Promise<{ readonly tables: number; readonly offers: number }> => {
  let [tables, offers] = [0, 0]
  await forEachVenue({ db, log }, await venuesWithFreedPlaces(db, clock()), async (venue) => {
    const within = db.within(venue.id)
    const unit = (queries: Queries): Work => ({ db: queries.within(venue.id), venue, now: clock })
    const { settings } = await guestSettingsOf(within, venue.id)
    for (const { service_date, marks } of await freedDates(within, venue.id, clock())) {
      tables += await fillDate(db, unit, service_date)
      const quietEnd = settings.offersBySelf ? quietUntil(clock(), venue.timezone) : undefined
      // Offers wait until the morning; staff who make them by hand need no marks.
      if (quietEnd) {
        await putOff(within, venue.id, marks, quietEnd)
        continue
      }
      const offerOne = () =>
        db.transaction((queries) => offerNext(unit(queries), service_date, settings.offerMinutes))
      if (settings.offersBySelf) while (await offerOne()) offers++
      await forgetFreed(within, venue.id, marks)
    }
  })
  return { tables, offers }
}

/** Most looks at one date: each gives a table, or is the last. */
const mostLooks = 50

/** Gives a date's parties without a table what there is. */
const fillDate = async (
  db: Queries & Job['db'],
  unit: (queries: Queries) => Work,
  date: LocalDate,
): Promise<number> => {
  let given = 0
  for (let look = 0; look < mostLooks; look++) {
    const days = await datesToFill(unit(db), date)
    if (days.length === 0) break
    const found = await db.transaction(async (queries) => {
      const work = unit(queries)
      return fillDay(work, date, await holdDays(work, undefined, days))
    })
    if (found === 0) break
    given += found
  }
  return given
}

/**
 * A job that looks each venue with parties without a table at from its own second of each minute on: at today, tomorrow and
 * the night before. It remembers up to when it looked.
 */
export const lookByTheMinute = ({ db, clock, log }: Job): (() => Promise<number>) => {
  let lookedAt: number | undefined
  return async () => {
    const now = clock().epochMilliseconds
    const seconds = secondsBetween(lookedAt ?? now - 60_000, now)
    lookedAt = now
    if (seconds.length === 0) return 0
    let given = 0
    const dates = await datesWaitedFor(db, seconds, clock())
    await forEachVenue({ db, log }, new Set(dates.keys()), async (venue) => {
      const unit = (queries: Queries): Work => ({ db: queries.within(venue.id), venue, now: clock })
      for (const date of dates.get(venue.id) ?? []) given += await fillDate(db, unit, date)
    })
    return given
  }
}

/** The seconds of the minute that begin after one moment and up to another; all of them where it is a minute or more. */
const secondsBetween = (after: number, until: number): number[] => {
  const first = Math.floor(after / 1_000) + 1
  const count = Math.min(60, Math.floor(until / 1_000) - first + 1)
  return Array.from({ length: Math.max(0, count) }, (_, n) => (first + n) % 60)
}

const venuesWithFreedPlaces = async (db: Queries, now: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from freed_place where from_moment is null or from_moment <= ${now}`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

const freedDates = (db: Queries, venue: VenueId, now: Temporal.Instant) =>
  db.many(sql({ service_date: 'date', marks: 'text[]' })`
    select service_date, array_agg(id::text) as marks from freed_place
     where venue_id = ${venue} and (from_moment is null or from_moment <= ${now})
     group by service_date order by service_date`)

/** Has marks looked at again at a later moment; by then nothing of them is kept from anybody. */
const putOff = (
  db: Queries,
  venue: VenueId,
  marks: readonly string[],
  until: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update freed_place set from_moment = ${until}, tables = null, covers = null
     where venue_id = ${venue} and id = any(${[...marks]}::bigint[])`)
