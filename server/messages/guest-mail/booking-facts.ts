import type { GuestFormats } from '../guest-words/formats.ts'
import type { Words } from '../guest-words/en.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { BookRow } from '../../book/day/book-row.ts'
import type { GuestSettings } from '../../core/venue/guest-settings-rules.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { type CalendarEntry } from './calendar-file.ts'

/** A booking with a time, as pages and mails show it: the wall time it was made for. */
export type TimedBooking = BookRow & {
  readonly date: string
  readonly time: string
  readonly starts_at: string
  readonly service_date: string
}

export const isTimed = (row: BookRow): row is TimedBooking =>
  row.date !== null && row.time !== null && row.starts_at !== null && row.service_date !== null

/** "Saturday, October 10, 2026, 7:30 PM (New York time)" */
export const whenInWords = (
  { date, time }: TimedBooking,
  { fullDate, time: clock, zone }: GuestFormats,
): string => `${fullDate(date)}, ${clock(time)} (${zone})`

/** "5:30 PM on Saturday, October 10" */
export const momentInWords = (
  moment: Temporal.Instant,
  { words, formats, venue }: { words: Words; formats: GuestFormats; venue: Pick<VenueRow, 'timezone'> },
): string => words.book.moment(formats.timeAt(moment), formats.day(wallTimeOf(moment, venue.timezone).date))

/** Where guests' answers go: to staff, else to the venue's sender; null: the venue gave no address. */
export const replyAddressOf = (
  { staffMail }: Pick<GuestSettings, 'staffMail'>,
  { mail_from }: Pick<VenueRow, 'mail_from'>,
): string | null => staffMail ?? mail_from

/** A booking as an entry in the guest's calendar. */
export const calendarEntryOf = (
  row: TimedBooking,
  venue: VenueRow,
  {
    words,
    formats,
    url,
    host,
    reference,
    settings,
    now,
  }: {
    words: Words
    formats: GuestFormats
    url: string
    host: string
    reference: string
    settings: Pick<GuestSettings, 'staffMail'>
    now: Temporal.Instant
  },
): CalendarEntry => {
  const email = replyAddressOf(settings, venue)
  return {
    uid: `booking-${venue.id}-${row.id}@${host}`,
    sequence: row.revision,
    madeAt: now,
    startsAt: toInstant(row.starts_at),
    minutes: row.duration_minutes ?? 120,
    timezone: venue.timezone,
    title: words.mail.calendarTitle(venue.name, formats.number(row.party_size ?? 0)),
    place: (venue.postal_address ?? '').replaceAll(/\r?\n/g, ', '),
    notes: `${words.book.number}: ${reference}`,
    url,
    organizer: email === null ? null : { name: venue.name, email },
    state: row.status === 'Cancelled' ? 'CANCELLED' : row.status === 'Requested' ? 'TENTATIVE' : 'CONFIRMED',
  }
}
