import { type FigureName, figureNames } from '@venue-data/contract/records/figures.ts'
import type { Key } from './tally.ts'

/*
 * What each figure is, in the words that pages and programs show. A row's value is its count, its share (n of d), or the
 * median of d cases.
 */

export type ValueKind = 'count' | 'rate' | 'median'

type Definition = {
  readonly definition: string
  readonly unit: string
  readonly kindOf: (key: Key) => ValueKind
  /** Rows that are there though nothing was counted. */
  readonly always?: readonly Key[]
}

const count = (): ValueKind => 'count'
const rate = (): ValueKind => 'rate'

const ahead = 'Ahead: all but walk-ins and parties seated at once from the waitlist.'
const promisedMeans = 'Promised: Confirmed, Seated, Completed, No-show, or Cancelled from Confirmed.'

export const definitions: Readonly<Record<FigureName, Definition>> = {
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
  no_shows: {
    definition: `No-shows out of no-shows and served bookings ahead, in parties and in guests (covers): in all, and by source, size, days ahead (not of imported ones) and weekday. ${ahead}`,
    unit: 'parties; covers: guests',
    kindOf: rate,
    always: [{ measure: 'parties' }, { measure: 'covers' }],
  },
  cancelled: {
    definition: `Bookings ahead cancelled after they were confirmed, out of all promised: by the guest, late ones of these (less than 24 hours before the booked time), by staff, and by nobody knows whom. ${ahead} ${promisedMeans} Bookings left open are in none of these.`,
    unit: 'parties',
    kindOf: rate,
    always: ['guest', 'late', 'staff', 'unknown'].map((measure) => ({ measure })),
  },
  open_ends: {
    definition: 'Bookings of past service dates that are still Requested or Confirmed; they are in no rate.',
    unit: 'parties',
    kindOf: count,
  },
}

export const isFigureName = (word: string): word is FigureName => figureNames.some((name) => name === word)
