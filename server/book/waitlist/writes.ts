import type { WaitlistSource } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import { contactKeys } from '../../platform/kernel/contact-keys.ts'
import type { ClockTime, LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type EntryRow, entryRow } from '../day/entry-row.ts'
import type { WaitlistMove } from './states.ts'
import type { MovedEntry } from './transition.ts'

export type NewEntryRow = {
  readonly guestName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly partySize: number
  /** The calendar date they wait for, and the business day it belongs to. */
  readonly date: LocalDate
  readonly serviceDate: LocalDate
  readonly requestedTime: ClockTime | null
  readonly windowStart: ClockTime | null
  readonly windowEnd: ClockTime | null
  readonly notes: string | null
  readonly source: WaitlistSource
  /** Places that come free are offered to it. */
  readonly forLater: boolean
  readonly quotedMinutes: number | null
  /** Whether staff said so, rather than the service. */
  readonly quotedByHand: boolean
  /** Given by an integrator. */
  readonly externalId?: string | null
}

export const insertEntry = (
  db: Queries,
  venue: VenueId,
  made: NewEntryRow,
  now: Temporal.Instant,
): Promise<EntryRow> => {
  const keys = contactKeys(made.email, made.phone)
  return noted(
    db,
    venue,
    'waitlist_entry',
    now,
    db.one(sql(entryRow)`
    insert into waitlist_entry (
      venue_id, guest_name, email, phone, email_key, phone_key, phone_international, party_size, date, service_date, requested_time, window_start, window_end,
      status, source, notes, quoted_minutes, quoted_at, quoted_by_hand, for_later, external_id, created_at, updated_at)
    values (
      ${venue}, ${made.guestName}, ${made.email}, ${made.phone}, ${keys.email_key}, ${keys.phone_key},
      ${keys.phone_international}, ${made.partySize}, ${made.date}, ${made.serviceDate}, ${made.requestedTime}, ${made.windowStart}, ${made.windowEnd}, 'waiting', ${made.source}, ${made.notes},
      ${made.quotedMinutes}, ${made.quotedMinutes === null ? null : now}, ${made.quotedByHand}, ${made.forLater}, ${made.externalId ?? null}, ${now}, ${now})
    returning ${columnsOf(entryRow)}`),
  )
}

/** What a party says of itself, by column. */
export type EntryWords = Pick<
  EntryRow,
  | 'guest_name'
  | 'email'
  | 'phone'
  | 'party_size'
  | 'requested_time'
  | 'window_start'
  | 'window_end'
  | 'notes'
  | 'external_id'
>

/** Writes what a party says of itself; the caller holds the entry. */
export const writeEntryWords = (
  db: Queries,
  venue: VenueId,
  entry: number,
  to: EntryWords,
  now: Temporal.Instant,
): Promise<EntryRow> => {
  const keys = contactKeys(to.email, to.phone)
  return noted(
    db,
    venue,
    'waitlist_entry',
    now,
    db.one(sql(entryRow)`
    update waitlist_entry set
      guest_name = ${to.guest_name}, email = ${to.email}, phone = ${to.phone},
      email_key = ${keys.email_key}, phone_key = ${keys.phone_key}, phone_international = ${keys.phone_international},
      party_size = ${to.party_size}, requested_time = ${to.requested_time}, window_start = ${to.window_start},
      window_end = ${to.window_end}, notes = ${to.notes}, external_id = ${to.external_id}, version = version + 1,
      ${movedWhen(
        part`(guest_name, email, phone, party_size, requested_time, window_start, window_end, notes, external_id)
          is distinct from (
              ${to.guest_name}, ${to.email}, ${to.phone}, ${to.party_size}, ${to.requested_time}, ${to.window_start},
              ${to.window_end}, ${to.notes}, ${to.external_id})`,
        now,
      )}
     where venue_id = ${venue} and id = ${entry}
    returning ${columnsOf(entryRow)}`),
  )
}

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
