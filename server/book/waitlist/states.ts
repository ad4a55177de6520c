import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { WaitlistStatus } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Doer } from '../../core/activity/actor.ts'
import { officeRoles } from '../../core/staff/roles.ts'

/*
 * Every move of a party on the waitlist, as data (drawn in docs/moves.md#waitlist-entry). Joining is not a move: an
 * entry starts as waiting, with the event waitlist.added.
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
  /** Its event names; the contract adds the more general ones. */
  readonly names: readonly Extract<EventName, `waitlist.${string}`>[]
}

export type WaitlistStamp = 'quoted_at' | 'paged_at' | 'seated_at' | 'left_at'

const plain = { conditions: [], stamps: [], clears: [] } as const
/** A party that waits, or was paged because its table is ready. */
export const inLine = ['waiting', 'offered'] as const

export const waitlistMoves = {
  quote: {
    ...plain,
    label: 'Quote',
    from: inLine,
    to: 'same',
    who: officeRoles,
    stamps: ['quoted_at'],
    names: ['waitlist.quoted'],
  },
  page: {
    ...plain,
    label: 'Page',
    from: inLine,
    to: 'offered',
    who: officeRoles,
    stamps: ['paged_at'],
    names: ['waitlist.offered'],
  },
  offer: {
    ...plain,
    label: 'Offer a table',
    from: ['waiting'],
    to: 'offered',
    who: [...officeRoles, 'service'],
    conditions: ['evening runs'],
    stamps: ['paged_at'],
    names: ['waitlist.offered'],
  },
  acceptOffer: {
    ...plain,
    label: 'Take the offered table',
    from: ['offered'],
    to: 'booked',
    who: ['guest'],
    reservation: 'Confirmed',
    names: ['waitlist.booked'],
  },
  notYet: {
    ...plain,
    label: 'Not yet',
    from: ['offered'],
    to: 'waiting',
    who: officeRoles,
    names: ['waitlist.returned'],
  },
  seatNow: {
    ...plain,
    label: 'Seat now',
    from: inLine,
    to: 'booked',
    who: officeRoles,
    stamps: ['seated_at'],
    reservation: 'Seated',
    names: ['waitlist.seated', 'waitlist.booked'],
  },
  bookForLater: {
    ...plain,
    label: 'Book for later',
    names: ['waitlist.booked'],
    from: inLine,
    to: 'booked',
    who: officeRoles,
    reservation: 'Confirmed',
  },
  leave: {
    ...plain,
    label: 'Left',
    names: ['waitlist.left'],
    from: inLine,
    to: 'cancelled',
    who: [...officeRoles, 'guest', 'key'],
    stamps: ['left_at'],
  },
  expire: {
    ...plain,
    label: 'Expire',
    names: ['waitlist.expired'],
    from: inLine,
    to: 'expired',
    who: ['service'],
    conditions: ['overdue'],
    stamps: ['left_at'],
  },
  recall: {
    ...plain,
    label: 'Recall',
    names: ['waitlist.returned'],
    from: ['booked'],
    to: 'waiting',
    who: officeRoles,
    conditions: ['evening runs'],
    clears: ['seated_at'],
    reservation: 'removed',
  },
  rejoin: {
    ...plain,
    label: 'Back in line',
    names: ['waitlist.returned'],
    from: ['cancelled', 'expired'],
    to: 'waiting',
    who: officeRoles,
    conditions: ['evening runs'],
    clears: ['left_at'],
  },
} as const satisfies Record<string, WaitlistMove>

export type WaitlistMoveName = keyof typeof waitlistMoves

/** Moves that write the entry alone; the others make or remove a reservation. */
export type PlainWaitlistMove = Exclude<
  WaitlistMoveName,
  'seatNow' | 'bookForLater' | 'recall' | 'offer' | 'acceptOffer'
>

/** What each party ahead adds to a quote where nothing better is known, in minutes, and the longest quote there is. */
export const quoteMinutesPerParty = 10
export const longestQuoteMinutes = 600
