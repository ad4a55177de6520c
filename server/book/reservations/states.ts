import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { FloorStage, ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Doer } from '../../core/activity/actor.ts'
import { officeRoles } from '../../core/staff/roles.ts'

/*
 * Every move of a reservation, as data (drawn in docs/moves.md#reservation). The office's buttons, the statement that
 * writes a move and the tests read this table. Making a reservation is not a move: it starts as Requested or
 * Confirmed (the API, the public page, staff) or Seated (a walk-in, a party from the waitlist). The table names the events of
 * a move; which mail its guest gets is decided in guest/booking-mails.ts, and moves.ts sends it.
 */

export type ReservationMove = {
  /** The button's label. */
  readonly label: string
  /** Statuses it may start from; the statement that writes it carries them in its `where`. */
  readonly from: readonly ReservationStatus[]
  /** Status afterwards; `same` keeps it, `as before` is the one it was cancelled from. */
  readonly to: ReservationStatus | 'same' | 'as before'
  readonly who: readonly Doer[]
  readonly conditions: readonly ReservationCondition[]
  /** Moments set to now; `checked_in_at` only if still empty. */
  readonly stamps: readonly ReservationStamp[]
  readonly clears: readonly ReservationStamp[]
  /** Floor stage afterwards; `before seating` restores the one the seating replaced. */
  readonly stage?: FloorStage | 'none' | 'before seating' | 'as chosen'
  /** Its event names; the contract adds the more general ones. Empty: no event. */
  readonly names: readonly ReservationEvent[]
  /** Guests start to count for pacing: the move takes the day's lock and is checked against the slot's cap. */
  readonly addsLoad: boolean
  /** An arrival, a seating, a cancellation or the undo of one: what `updatedAt` in lists reflects. */
  readonly datesList: boolean
  /** The moves it undoes. */
  readonly undoes?: readonly string[]
}

export type ReservationEvent = Extract<EventName, `reservation.${string}`>

export type ReservationStamp =
  | 'checked_in_at'
  | 'seated_at'
  | 'completed_at'
  | 'no_show_at'
  | 'cancelled_at'
  | 'cancelled_by'

/**
 * started: the clock has reached the booked time. in its evening: the venue's day of its service is not over yet, or,
 * of a booking without one, it has not started. not started for guests: only guests are bound by that. a day at most: the same or the next service day, except for those in `anyDay`. arrived: the party is
 * here. not arrived: nobody has marked it as here.
 */
export type ReservationCondition =
  | 'started'
  | 'in its evening'
  | 'not started for guests'
  | 'a day at most'
  | 'arrived'
  | 'not arrived'

/** Who may undo a move later than the next service day. */
export const anyDay: readonly Doer[] = ['manager', 'owner']

const plain = { addsLoad: false, datesList: false } as const

export const reservationMoves = {
  confirm: {
    ...plain,
    names: ['reservation.confirmed'],
    label: 'Confirm',
    from: ['Requested'],
    to: 'Confirmed',
    who: officeRoles,
    conditions: [],
    stamps: [],
    clears: [],
  },
  cancel: {
    label: 'Cancel',
    from: ['Requested', 'Confirmed'],
    to: 'Cancelled',
    who: [...officeRoles, 'guest', 'key', 'service'],
    conditions: ['not started for guests'],
    stamps: ['cancelled_at', 'cancelled_by'],
    clears: [],
    names: ['reservation.cancelled'],
    addsLoad: false,
    datesList: true,
  },
  arrive: {
    ...plain,
    names: ['reservation.arrived'],
    label: 'Arrived',
    from: ['Requested', 'Confirmed'],
    to: 'same',
    who: officeRoles,
    conditions: [],
    stamps: ['checked_in_at'],
    clears: [],
    stage: 'Arrived',
    datesList: true,
  },
  seat: {
    ...plain,
    names: ['reservation.seated'],
    label: 'Seat',
    from: ['Requested', 'Confirmed'],
    to: 'Seated',
    who: officeRoles,
    conditions: [],
    stamps: ['checked_in_at', 'seated_at'],
    clears: [],
    stage: 'Seated',
    datesList: true,
  },
  complete: {
    ...plain,
    names: ['reservation.completed'],
    label: 'Done: they left',
    from: ['Seated'],
    to: 'Completed',
    who: [...officeRoles, 'service'],
    conditions: [],
    stamps: ['completed_at'],
    clears: [],
  },
  markNoShow: {
    ...plain,
    names: ['reservation.no_show'],
    label: 'No-show',
    from: ['Confirmed'],
    to: 'No-show',
    who: officeRoles,
    conditions: ['started', 'not arrived'],
    stamps: ['no_show_at'],
    clears: [],
  },
  undoArrive: {
    ...plain,
    names: ['reservation.updated'],
    label: 'Not here yet',
    from: ['Requested', 'Confirmed'],
    to: 'same',
    who: officeRoles,
    conditions: ['a day at most'],
    stamps: [],
    clears: ['checked_in_at'],
    stage: 'none',
    datesList: true,
    undoes: ['arrive'],
  },
  undoSeat: {
    ...plain,
    names: ['reservation.updated'],
    label: 'Undo seating',
    from: ['Seated'],
    to: 'Confirmed',
    who: officeRoles,
    conditions: ['a day at most'],
    stamps: [],
    clears: ['seated_at', 'checked_in_at'],
    stage: 'before seating',
    datesList: true,
    undoes: ['seat', 'seatLate'],
  },
  undoComplete: {
    ...plain,
    names: ['reservation.updated'],
    label: 'Back to the table',
    from: ['Completed'],
    to: 'Seated',
    who: officeRoles,
    conditions: ['a day at most'],
    stamps: [],
    clears: ['completed_at'],
    undoes: ['complete'],
  },
  undoNoShow: {
    ...plain,
    names: ['reservation.restored'],
    label: 'Undo no-show',
    from: ['No-show'],
    to: 'Confirmed',
    who: officeRoles,
    conditions: ['a day at most'],
    stamps: [],
    clears: ['no_show_at'],
    addsLoad: true,
    undoes: ['markNoShow'],
  },
  seatLate: {
    ...plain,
    names: ['reservation.seated'],
    label: 'Seat late party',
    from: ['No-show'],
    to: 'Seated',
    who: officeRoles,
    conditions: ['a day at most'],
    stamps: ['checked_in_at', 'seated_at'],
    clears: ['no_show_at'],
    stage: 'Seated',
    addsLoad: true,
    datesList: true,
    undoes: ['markNoShow'],
  },
  undoCancel: {
    ...plain,
    names: ['reservation.restored'],
    label: 'Restore',
    from: ['Cancelled'],
    to: 'as before',
    who: officeRoles,
    conditions: ['in its evening'],
    stamps: [],
    clears: ['cancelled_at', 'cancelled_by'],
    addsLoad: true,
    datesList: true,
    undoes: ['cancel'],
  },
  setFloorStage: {
    label: 'Floor stage',
    from: ['Requested', 'Confirmed', 'Seated'],
    to: 'same',
    who: ['server', ...officeRoles],
    conditions: ['arrived'],
    stamps: [],
    clears: [],
    stage: 'as chosen',
    names: [],
    addsLoad: false,
    datesList: false,
  },
} as const satisfies Record<string, ReservationMove>

export type ReservationMoveName = keyof typeof reservationMoves
