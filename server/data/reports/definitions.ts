import type { Scope } from '@venue-data/contract/scopes.ts'
import { daysToSettle } from './came-back.ts'
import type { CountedFigure } from './figure-names.ts'
import { daysToReturn } from './figures-of-day.ts'
import type { Key } from './tally.ts'

/*
 * What each figure is, in the words that pages and programs show. A row's value is its count, its share (n of d), or the
 * median of d cases.
 */

/** `lower`, `upper`: up to what a quarter, and three quarters, of the cases lie. `value`: made at the end from other counts; null where `d` is 0. */
export type ValueKind = 'count' | 'rate' | 'median' | 'lower' | 'upper' | 'value'

type Definition = {
  readonly definition: string
  readonly unit: string
  readonly kindOf: (key: Key) => ValueKind
  /** Rows that are there though nothing was counted. */
  readonly always?: readonly Key[]
  /** What a key needs as well: figures of the book need `reports:read` alone. */
  readonly needs?: Scope
}

const count = (): ValueKind => 'count'
const rate = (): ValueKind => 'rate'

const measures =
  (kinds: Readonly<Record<string, ValueKind>>) =>
  ({ measure = '' }: Key): ValueKind =>
    kinds[measure] ?? 'count'

const ahead = 'Ahead: all but walk-ins and parties seated at once from the waitlist.'
const promisedMeans = 'Promised: Confirmed, Seated, Completed, No-show, or Cancelled from Confirmed.'

const medianMeans = ' A median of an even number is the lower of the two in the middle.'

export const definitions: Readonly<Record<CountedFigure, Definition>> = {
  parties: {
    definition: 'Parties served (Seated or Completed), by service date and service.',
    unit: 'parties',
    kindOf: count,
  },
  covers: {
    definition: 'Guests of parties served (Seated or Completed), by service date and service.',
    unit: 'guests',
    kindOf: count,
  },
  booked: {
    definition:
      'Requested, Confirmed, Seated and Completed bookings of today and of days to come: parties, their guests (covers), and how many of the parties are Requested.',
    unit: 'parties; covers: guests',
    kindOf: count,
  },
  arrivals: {
    definition: `Guests by weekday (1 is Monday) and quarter of an hour from midnight of the service date (0 to 191), booked (promised) and seated (served, by when they sat down), divided by the service dates of that weekday with at least one party served. ${promisedMeans}`,
    unit: 'guests per service date',
    kindOf: rate,
  },
  lead_days: {
    definition: `Calendar days from when a booking was made to its service date, of promised bookings ahead that were not imported. ${ahead} ${promisedMeans}`,
    unit: 'parties',
    kindOf: count,
  },
  days_ahead: {
    definition: `The median of these days, of the same bookings.${medianMeans}`,
    unit: 'days',
    kindOf: () => 'median',
  },
  sizes: {
    definition: 'Parties served, by their size.',
    unit: 'parties',
    kindOf: count,
  },
  sources: {
    definition: `Parties promised and parties served, by source. ${promisedMeans}`,
    unit: 'parties',
    kindOf: count,
  },
  refused: {
    definition:
      'Requests for a table and holds, by API and on the booking page, that a booking rule refused, by reason and door; and days chosen there on which no time was open (nothing-open). Those refused for want of room (full: pacing-covers-full, pacing-parties-full, tables-full) and those days also by service date and by size; full also by weekday (1 is Monday) and minute of the service date, with the number of dates of that weekday on which somebody was refused then, out of all of the period (dates). Who asks again for the same time and size within an hour counts once. Approximate: counted in memory, and written every 10 seconds.',
    unit: 'requests; dates: service dates',
    kindOf: measures({ dates: 'rate' }),
  },
  refused_by_weekday: {
    definition: 'The same requests by weekday (1 is Monday) of the date asked for, and by reason.',
    unit: 'requests',
    kindOf: count,
  },
  funnel: {
    definition:
      "Pages of your guest doors that were shown, by the venue's date, door and step: views, not people, as somebody who goes back is counted again. Each step also by the site with the link (from), by the campaign named in it, by language, by device and by the site around a frame, each for itself, with at most 50 of a kind and the rest as other. Programs and staff who are signed in are not counted. What is paid for first counts as booked when the guest comes back from the payment, without a site or a campaign. Approximate: counted in memory, and written every 10 seconds.",
    unit: 'page views',
    kindOf: count,
  },
  no_shows: {
    definition: `No-shows out of no-shows and served bookings ahead, in parties and in guests (covers): in all, and by source, size, days ahead (not of imported ones) and weekday. ${ahead}`,
    unit: 'parties; covers: guests',
    kindOf: rate,
    always: [{ measure: 'parties' }, { measure: 'covers' }],
  },
  no_shows_by_source_and_size: {
    definition: `The same parties by source and size at once. ${ahead}`,
    unit: 'parties',
    kindOf: rate,
  },
  cancelled: {
    definition: `Bookings ahead cancelled after they were confirmed, out of all promised: by the guest, late ones of these (less than 24 hours before the booked time; not where an imported file does not say when), by staff, and by persons unknown; and the guests of each (guest_covers, late_covers, staff_covers, unknown_covers) out of those of all promised. ${ahead} ${promisedMeans} Bookings left open are in none of these.`,
    unit: 'parties; covers: guests',
    kindOf: rate,
    always: ['guest', 'late', 'staff', 'unknown'].flatMap((measure) => [
      { measure },
      { measure: `${measure}_covers` },
    ]),
  },
  answered: {
    definition: `Bookings ahead that were made as requests and not imported: whole minutes from the request to the first answer of staff (median), how many of those answered are declined (Cancelled by staff before they were confirmed), and how many are still unanswered. ${ahead}${medianMeans}`,
    unit: 'minutes; declined and unanswered: parties',
    kindOf: measures({ minutes: 'median', declined: 'rate' }),
    always: [{ measure: 'declined' }],
  },
  open_ends: {
    definition:
      'Bookings of past service dates that are still Requested or Confirmed, by date; they are in no rate.',
    unit: 'parties',
    kindOf: count,
  },
  stays: {
    definition: `Whole minutes from sitting down to leaving (median), of Completed bookings by size and part of the day (evening: booked from 16:00 on), and the turn time of the class (of 2, 4, 6 and 7 guests). Left out: stays of less than 10 minutes or more than twice the booked length, and bookings closed when four or more of that service date, themselves included, were closed within 30 seconds before or after.${medianMeans}`,
    unit: 'minutes',
    kindOf: measures({ stay: 'median', turn: 'value' }),
  },
  stays_by_size: {
    definition:
      'The same stays by each size, day and evening together, and the turn time of the smallest of the size.',
    unit: 'minutes',
    kindOf: measures({ stay: 'median', turn: 'value' }),
  },
  stay_quarters: {
    definition:
      'Of the same stays, the whole minutes within which a quarter of the parties had left (lower), and three quarters (upper); and, day and evening together, of the sizes of a class that have one turn time: both, the turn time (turn), and those who stayed longer (longer).',
    unit: 'minutes; longer: parties',
    kindOf: measures({ lower: 'lower', upper: 'upper', turn: 'value', longer: 'rate' }),
  },
  waits: {
    definition: `Parties of today's line that were quoted and seated: whole minutes quoted and waited since the quote (medians), and how many waited within 5 minutes of it. Left: those who left or were not reached, out of all in the line.${medianMeans}`,
    unit: 'minutes; within_5 and left: parties',
    kindOf: measures({ quoted: 'median', waited: 'median', within_5: 'rate', left: 'rate' }),
    always: [{ measure: 'left' }, { measure: 'within_5' }],
    needs: 'waitlist:read',
  },
  guests: {
    definition:
      'Parties served, by guest: new if it is the first served booking of the guest and none was imported, else returning; unknown without a guest on file.',
    unit: 'parties',
    kindOf: count,
  },
  guests_by_first_source: {
    definition:
      "Parties served with a guest on file, by the source of the guest's first served booking (import where earlier visits were imported): new if it is that booking, else returning.",
    unit: 'parties',
    kindOf: count,
  },
  came_back: {
    definition: `Guests on file by the source of their first served booking (by service date, then time, then id), and how many of them were served again on a later service date, at most ${daysToReturn} days after it. They are those whose first served booking was in the period, or, where that ends less than ${daysToSettle} days ago, in as many days that end ${daysToSettle} days ago: each of them has had ${daysToReturn} days. Guests who first came on later days of the period are left out (too_soon), and those with imported visits, of whom nobody knows when they first came.`,
    unit: 'guests',
    kindOf: measures({ back: 'rate' }),
  },
  tables: {
    definition:
      'With tables in use: seats used (guests of parties served out of the most seats of their tables), and turns (for each table that had a party, the parties served there, each service date by itself; a party at joined tables counts at each); and the parties served whose table is known (parties).',
    unit: 'seats: guests; turns: parties per table; parties: parties',
    kindOf: measures({ seats: 'rate', turns: 'rate' }),
  },
  tables_known: {
    definition:
      'Parties served whose table is known, by service date: the first of these dates is the one since when tables count.',
    unit: 'parties',
    kindOf: count,
  },
  guests_by_table: {
    definition:
      'Parties served whose table is known, and their guests (covers), by table; a party at joined tables counts at each, with all of its guests.',
    unit: 'guests; parties: parties',
    kindOf: count,
  },
  ticket_money: {
    definition:
      'Ticket orders by the date of their event, paid, partially refunded, refunded or with a failed refund: total (gross), discounts (what complimentary tickets would have cost included), fees, taxes (all four of what was sold, before refunds), what was refunded or lost to disputes (refunded), net (gross less that), seats (less those returned), orders with each promo code; and the total of orders not yet confirmed. The Payments page has the days on which money moved. Orders paid with a test account are left out.',
    unit: 'hundredths of the currency; seats and orders: their number',
    kindOf: count,
    needs: 'ticket-orders:read',
  },
  code_discounts: {
    definition: 'Discounts of the same orders, by promo code.',
    unit: 'hundredths of the currency',
    kindOf: count,
    needs: 'ticket-orders:read',
  },
  guarantee_money: {
    definition:
      'Deposits and cards behind bookings, by service date: deposits and prices paid in advance (taken), cards charged (charged), what went back or was lost to disputes (refunded), what was kept of No-shows and Cancelled bookings, and what was taken off the bill (off_the_bill), the last two less what went back. The Payments page has the days on which money moved. Test payments and tables that could not be given are left out.',
    unit: 'hundredths of the currency',
    kindOf: count,
  },
  list: {
    definition:
      'The email list as it stands: joined (by when they confirmed, else agreed), left, by date and by source; and returned mails by date.',
    unit: 'people; bounced: mails',
    kindOf: count,
    needs: 'subscribers:read',
  },
  campaigns: {
    definition:
      'Campaigns by the date they began to go out: sent, failed, left by a link of it, complaints. With 100 or more sent and 100 or more held back: who booked with an equal address within 7 times 24 hours of its start, and the difference of the two shares with its 95 % interval (Newcombe). With fewer, too few to tell.',
    unit: 'people; difference: a share',
    kindOf: measures({
      ...{ sent_booked: 'rate', held_booked: 'rate' },
      ...{ difference: 'value', difference_low: 'value', difference_high: 'value' },
    }),
    needs: 'campaigns:read',
  },
  leads: {
    definition:
      'Leads by the date they were submitted, at the stage they are now; and how many of all are Booked or Completed (won).',
    unit: 'leads',
    kindOf: measures({ won: 'rate' }),
    always: [{ measure: 'won' }],
    needs: 'leads:read',
  },
  calls: {
    definition:
      'Calls of the API by key (its number) and by class of answer, and deliveries of webhooks that arrived (delivered) or failed; by days of UTC, of the last 90 days.',
    unit: 'calls; delivered and failed: deliveries',
    kindOf: count,
  },
}
