import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { gatheredWithCommit } from '../../platform/db/kept/with-commit.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * Days of the past whose figures are no longer what was rolled up (data/reports/). Cast: code that writes a booking of such a
 * day marks it in its transaction; the job of reports makes the day once more and takes the marks away by their ids. Rows
 * are only inserted, as an upsert of one row for each day would have writers wait for each other. What a transaction marked is
 * written in one statement with its commit. A crash leaves the mark, and a mark too many costs a day's count.
 */

type Marked = { readonly dates: Set<LocalDate>; readonly guests: Set<number>; readonly until: LocalDate }

/** What a transaction has marked so far. */
const markedIn = gatheredWithCommit(
  (_db, _venue: VenueId, until: LocalDate): Marked => ({ dates: new Set(), guests: new Set(), until }),
  (db, venue, marked) => writeMarks(db, venue, marked),
)

/** Days from the date in UTC back to the last one that is marked: no service of any venue is still running on it. */
const daysBack = 2

const dateInUtc = (now: Temporal.Instant): LocalDate => now.toZonedDateTimeISO('UTC').toPlainDate().toString()

const lastMarkedDay = (now: Temporal.Instant): LocalDate => addDays(dateInUtc(now), -daysBack)

/**
 * The last day of which sums may be kept: a day less than what is marked, as a writer may have looked at its clock just before
 * midnight in UTC. So today and yesterday have none anywhere, and what is written during a service marks nothing.
 */
export const lastKeptDay = (now: Temporal.Instant): LocalDate => addDays(dateInUtc(now), -daysFromToday)

/** From the date in UTC back to the last day of which sums may be kept. */
export const daysFromToday = daysBack + 1

/**
 * Marks the service dates that a booking was on and is on now, and those of its guests: whether a visit is the first of a
 * guest depends on their other visits. Days of which no sums are kept are left out.
 */
export const markPast = (
  db: Queries,
  venue: VenueId,
  {
    dates,
    guests,
  }: { readonly dates: readonly (LocalDate | null)[]; readonly guests: readonly (number | null)[] },
  now: Temporal.Instant,
): void => {
  const until = lastMarkedDay(now)
  const past = dates.filter((date) => date !== null && date <= until)
  if (past.length === 0) return
  const marked = markedIn(db, venue, until)
  for (const date of past) marked.dates.add(date as LocalDate)
  for (const guest of guests) if (guest !== null) marked.guests.add(guest)
}

/** Marks every past day on which a guest came: which of the visits is the first, or whether any is, has changed. */
export const markVisitsOf = (db: Queries, venue: VenueId, guest: number, now: Temporal.Instant): void => {
  markedIn(db, venue, lastMarkedDay(now)).guests.add(guest)
}

const writeMarks = (db: Queries, venue: VenueId, { dates, guests, until }: Marked): Promise<number> =>
  db.run(sql()`
    insert into report_mark (venue_id, service_date)
    select ${venue}::bigint, service_date from unnest(${[...dates]}::date[]) as service_date
     union
    select ${venue}::bigint, r.service_date from reservation r
     where r.venue_id = ${venue} and r.guest_id = any(${[...guests]}::bigint[]) and r.service_date <= ${until}`)

/** Marks days at once: after a change of what all of them depend on, or where a check found a difference. */
export const markDays = (
  db: Queries,
  venue: VenueId,
  dates: readonly (LocalDate | null)[],
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into report_mark (venue_id, service_date)
    select ${venue}, service_date
      from unnest(${[...new Set(dates.filter((date) => date !== null))]}::date[]) as service_date
     where service_date <= ${lastMarkedDay(now)}`)
