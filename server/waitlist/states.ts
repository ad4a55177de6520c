import type { WaitlistStatus } from '@venue-data/contract/waitlist-entry.ts'
import { type Doer, staffRoles } from '../activity/actor.ts'

/*
 * Every move of a party on the waitlist, as data (drawn in docs/moves.md#waitlist-entry). Joining is not a move: an
 * entry starts as waiting, with the event waitlist.added. Of the moves only the seating emits an event.
 */

export type WaitlistMove = {
  /** The button's label. */
  readonly label: string
  /** Statuses it may start from; the statement that writes it carries them in its `where`. */
  readonly from: readonly WaitlistStatus[]
  readonly to: WaitlistStatus | 'same'
  readonly who: readonly Doer[]
  /** overdue: nobody answered the offer, the window or the service date is over. evening runs: it is not over. */
  readonly conditions: readonly ('overdue' | 'evening runs')[]
  /** Moments set to now. */
  readonly stamps: readonly WaitlistStamp[]
  readonly clears: readonly WaitlistStamp[]
  /** The reservation it makes, or removes from the book again. */
  readonly reservation?: 'Seated' | 'Confirmed' | 'removed'
  readonly event: 'waitlist.seated' | null
}

export type WaitlistStamp = 'quoted_at' | 'paged_at' | 'seated_at' | 'left_at'

const quiet = { conditions: [], stamps: [], clears: [], event: null } as const
/** A party that waits, or has been told that its table is ready. */
export const inLine = ['waiting', 'offered'] as const

export const waitlistMoves = {
  quote: { ...quiet, label: 'Quote', from: inLine, to: 'same', who: staffRoles, stamps: ['quoted_at'] },
  page: { ...quiet, label: 'Page', from: inLine, to: 'offered', who: staffRoles, stamps: ['paged_at'] },
  notYet: { ...quiet, label: 'Not yet', from: ['offered'], to: 'waiting', who: staffRoles },
  seatNow: {
    ...quiet,
    label: 'Seat now',
    from: inLine,
    to: 'booked',
    who: staffRoles,
    stamps: ['seated_at'],
    reservation: 'Seated',
    event: 'waitlist.seated',
  },
  bookForLater: {
    ...quiet,
    label: 'Book for later',
    from: inLine,
    to: 'booked',
    who: staffRoles,
    reservation: 'Confirmed',
  },
  leave: {
    ...quiet,
    label: 'Left',
    from: inLine,
    to: 'cancelled',
    who: [...staffRoles, 'guest', 'key'],
    stamps: ['left_at'],
  },
  expire: {
    ...quiet,
    label: 'Expire',
    from: inLine,
    to: 'expired',
    who: ['service'],
    conditions: ['overdue'],
    stamps: ['left_at'],
  },
  recall: {
    ...quiet,
    label: 'Recall',
    from: ['booked'],
    to: 'waiting',
    who: staffRoles,
    conditions: ['evening runs'],
    clears: ['seated_at'],
    reservation: 'removed',
  },
  rejoin: {
    ...quiet,
    label: 'Back in line',
    from: ['cancelled', 'expired'],
    to: 'waiting',
    who: staffRoles,
    conditions: ['evening runs'],
    clears: ['left_at'],
  },
} as const satisfies Record<string, WaitlistMove>

export type WaitlistMoveName = keyof typeof waitlistMoves

/** Moves that write the entry alone; the others make or remove a reservation. */
export type PlainWaitlistMove = Exclude<WaitlistMoveName, 'seatNow' | 'bookForLater' | 'recall'>

/** How long an offered table is held for an answer, in minutes. */
export const offerMinutes = 15

/** What each party ahead adds to a quote, in minutes, and the longest default quote. */
export const quoteMinutesPerParty = 10
export const longestQuoteMinutes = 240
