import type { WaitlistSource } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import type { ClockTime, LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type EntryRow, type EntryWords, entryRecord, entryRow } from '../day/entry-row.ts'
import type { WaitlistMove } from './states.ts'
import type { MovedEntry } from './transition.ts'

export type NewEntryRow = {
  readonly guestName?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly partySize: number
  /** The calendar date they wait for, and the business day it belongs to. */
  readonly date: LocalDate
  readonly serviceDate: LocalDate
  readonly requestedTime?: ClockTime | null | undefined
  readonly windowStart?: ClockTime | null | undefined
  readonly windowEnd?: ClockTime | null | undefined
  readonly notes?: string | null | undefined
  readonly source: WaitlistSource
  /** Places that come free are offered to it. */
  readonly forLater: boolean
  readonly quotedMinutes: number | null
  /** Whether staff said so, rather than the service. */
  readonly quotedByHand: boolean
  /** Given by an integrator. */
  readonly externalId?: string | null | undefined
}

export const insertEntry = (
  db: Queries,
  venue: VenueId,
  made: NewEntryRow,
  now: Temporal.Instant,
): Promise<EntryRow> =>
  noted(
    db,
    venue,
    'waitlist_entry',
    now,
    db.one(sql(entryRow)`
    insert into waitlist_entry (
      venue_id, ${entryRecord.names}, date, service_date, status, source, quoted_minutes, quoted_at, quoted_by_hand,
      for_later, created_at, updated_at)
    values (
      ${venue}, ${entryRecord.values(entryRecord.columns(made))}, ${made.date}, ${made.serviceDate}, 'waiting',
      ${made.source}, ${made.quotedMinutes}, ${made.quotedMinutes === null ? null : now}, ${made.quotedByHand},
      ${made.forLater}, ${now}, ${now})
    returning ${columnsOf(entryRow)}`),
  )

/** Writes what a party says of itself; the caller holds the entry. */
export const writeEntryWords = (
  db: Queries,
  venue: VenueId,
  entry: number,
  to: EntryWords,
  now: Temporal.Instant,
): Promise<EntryRow> =>
  noted(
    db,
    venue,
    'waitlist_entry',
    now,
    db.one(sql(entryRow)`
    update waitlist_entry set
      ${entryRecord.set(to)}, version = version + 1, ${movedWhen(entryRecord.differs(to), now)}
     where venue_id = ${venue} and id = ${entry}
    returning ${columnsOf(entryRow)}`),
  )

/** Writes a move. Its `from` list guards the statement: undefined when the entry is not in any of those statuses. */
export const writeEntryMove = (
  db: Queries,
  venue: VenueId,
  entry: number,
  { from }: WaitlistMove,
  to: MovedEntry,
  now: Temporal.Instant,
): Promise<EntryRow | undefined> =>
  noted(
    db,
    venue,
    'waitlist_entry',
    now,
    db.maybe(sql(entryRow)`
    update waitlist_entry set
      status = ${to.status}, quoted_minutes = ${to.quoted_minutes}, quoted_at = ${to.quoted_at},
      quoted_by_hand = ${to.quoted_by_hand}, paged_at = ${to.paged_at}, offered_until = ${to.offered_until}, seated_at = ${to.seated_at}, left_at = ${to.left_at},
      rejoined_at = ${to.rejoined_at}, reservation_id = ${to.reservation_id}, booked_as = ${to.booked_as},
      updated_at = greatest(updated_at, ${now}), version = version + 1, revision = revision + 1
    where venue_id = ${venue} and id = ${entry} and status = any(${[...from]})
    returning ${columnsOf(entryRow)}`),
  )
