import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { markVisitsOf } from '../../core/events/mark-past.ts'
import { columnsOf, fragment, part, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import { recordEvent } from '../../core/events/record.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { keepRegular } from './regular-writes.ts'
import { type GuestRow, guestRow, presentGuest } from './guest.ts'

/*
 * A guest's counters are the sum of what their reservations contribute and of what was imported. Code that changes a
 * reservation applies the difference between its new and old contribution here, in the same transaction, so that
 * every undo is exact.
 */

/** The part of a reservation that counts for its guest. */
export type Counted = {
  readonly guest_id: number | null
  readonly status: string
  readonly cancelled_by: string | null
  readonly service_date: string | null
}

export type Contribution = {
  readonly visits: number
  readonly noShows: number
  readonly cancellations: number
}

/** What one reservation adds to its guest: a visit counts from seating on, a cancellation only if the guest's own. */
export const contributionOf = ({ status, cancelled_by }: Counted): Contribution => ({
  visits: status === 'Seated' || status === 'Completed' ? 1 : 0,
  noShows: status === 'No-show' ? 1 : 0,
  cancellations: status === 'Cancelled' && cancelled_by === 'guest' ? 1 : 0,
})

/**
 * Applies a reservation's change to the counters of its guest, or of both guests if the link changed. Null: the
 * reservation did not exist before, or does not after. Call it after the row is written: the last visit is looked up
 * again. Locks the guests' rows in ascending order.
 * @param untold guests whose event comes later, as new ones
 * Answers whether a number from a file gave way to it, so that nothing was added.
 * @param isImported it comes from a file: it takes the place of one that was only a number before
 */
export const applyContribution = async (
  work: Work,
  before: Counted | null,
  after: Counted | null,
  untold: ReadonlySet<number> = nobody,
  isImported = false,
): Promise<boolean> => {
  const { db, venue } = work
  let gaveWay = false
  const guests = new Set([before?.guest_id, after?.guest_id].filter((id) => typeof id === 'number'))
  for (const guest of [...guests].toSorted((a, b) => a - b)) {
    const was = before?.guest_id === guest ? before : null
    const is = after?.guest_id === guest ? after : null
    const change = difference(was, is)
    if (change.visits || change.noShows || change.cancellations || visitDate(was) !== visitDate(is)) {
      const now = work.now()
      const [counted, counts] = await Promise.all([
        lockGuest(db, venue.id, guest),
        addToCounters(db, venue.id, guest, change, now, isImported),
      ])
      gaveWay ||= isImported && counts !== undefined && sumOf(counts) === sumOf(counted)
      if (counts) await keepRegular(db, venue.id, counts, counted.visit_count)
      if (!counts || untold.has(guest)) continue
      await recordEvent(work, 'guest.updated', presentGuest(counts), now, {
        before: presentGuest(counted),
        gather: true,
      })
    }
  }
  return gaveWay
}

/** Only sums are compared, to see whether anything was added. */
const sumOf = ({
  visit_count,
  no_show_count,
  cancellation_count,
}: Pick<GuestRow, 'visit_count' | 'no_show_count' | 'cancellation_count'>): number =>
  visit_count + no_show_count + cancellation_count

const nobody: ReadonlySet<number> = new Set()
const none: Contribution = { visits: 0, noShows: 0, cancellations: 0 }

const difference = (before: Counted | null, after: Counted | null): Contribution => {
  const was = before ? contributionOf(before) : none
  const is = after ? contributionOf(after) : none
  return {
    visits: is.visits - was.visits,
    noShows: is.noShows - was.noShows,
    cancellations: is.cancellations - was.cancellations,
  }
}

const visitDate = (row: Counted | null): string | null =>
  row && contributionOf(row).visits > 0 ? row.service_date : null

/** A separate statement: the visits are looked up after any other holder of the guest's lock has committed. */
const lockGuest = (db: Queries, venue: VenueId, guest: number) =>
  db.one(sql(guestRow)`
    select ${columnsOf(guestRow)} from guest where venue_id = ${venue} and id = ${guest} for update`)

const addToCounters = (
  db: Queries,
  venue: VenueId,
  guest: number,
  { visits, noShows, cancellations }: Contribution,
  now: Temporal.Instant,
  isImported: boolean,
) => {
  // Two files of one book, its guests with their counts and its bookings, count every visit once.
  const beyond = (count: number, column: string) =>
    isImported ? part`greatest(0, ${count}::integer - ${fragment(column)})` : part`${count}::integer`
  const more = {
    visits: beyond(visits, 'imported_visit_count'),
    noShows: beyond(noShows, 'imported_no_show_count'),
    cancellations: beyond(cancellations, 'imported_cancellation_count'),
  }
  // Visits of a file may become a booking's: whether the guest is new changes with it.
  if (isImported) markVisitsOf(db, venue, guest, now)
  return noted(
    db,
    venue,
    'guest',
    now,
    db.maybe(sql(guestRow)`
    update guest set
      visit_count = visit_count + ${more.visits},
      no_show_count = no_show_count + ${more.noShows},
      cancellation_count = cancellation_count + ${more.cancellations},
      imported_visit_count = imported_visit_count - least(imported_visit_count, ${isImported ? visits : 0}::integer),
      imported_no_show_count =
        imported_no_show_count - least(imported_no_show_count, ${isImported ? noShows : 0}::integer),
      imported_cancellation_count =
        imported_cancellation_count - least(imported_cancellation_count, ${isImported ? cancellations : 0}::integer),
      last_visit_date = greatest(imported_last_visit_date, visits.latest),
      ${movedWhen(
        part`(visit_count, no_show_count, cancellation_count, last_visit_date)
          is distinct from (
            visit_count + ${more.visits}, no_show_count + ${more.noShows},
            cancellation_count + ${more.cancellations},
            greatest(imported_last_visit_date, visits.latest))`,
        now,
      )}
    from (
      select max(service_date) as latest from reservation
       where venue_id = ${venue} and guest_id = ${guest} and status in ('Seated', 'Completed')) as visits
    where venue_id = ${venue} and id = ${guest}
    returning ${columnsOf(guestRow)}`),
  )
}
