import { type EventName, events } from '@venue-data/contract/events.ts'
import { reservationMoves } from '../../reservations/states.ts'
import { subscriberMoves, suppressionReasons, unsubscribesToo } from '../../subscribers/states.ts'
import { orderMoves, statusWhenSold } from '../../ticket-orders/states.ts'
import { waitlistMoves } from '../../waitlist/states.ts'

/*
 * Everything the service does to a record that an event may tell of, and which events it then records: one row a
 * doing. Whatever a slice holds as data (its moves, where an order starts, which suppression also unsubscribes) is
 * taken from there and never said twice; how records are made, edited, imported, merged and erased is said here.
 *
 * It lies above the slices because it reads the tables of several. Nothing in the service runs by it: the page of
 * moves is drawn from it, and the tests beside it do every row for real and compare the calls of `recordEvent` and
 * the statements that write these records with the sources, so that a new writer cannot be left out.
 */

export type Doing = {
  /** For the page; begins small, so that it stands in a sentence. A move has its name here. */
  readonly what: string
  /** For a move: what kind of record it is of. */
  readonly of?: string
  /** What is recorded, in this order; empty = nobody is told. */
  readonly tells: readonly Told[]
  /** Contact details come along: where they are nobody's yet, `guest.created` is recorded before. */
  readonly matchesGuest?: true
}

/** An event, and the function that records it: its file within server/ and its name. */
export type Told = { readonly event: EventName; readonly at: string }

/** The one place a new guest is told of. */
export const guestMadeAt = 'guests/actions.ts emitGuestCreated'

const told = (event: EventName, at: string): Told => ({ event, at })
const none: readonly Told[] = []

/** One row for each move of a slice's table, named `<kind> <move>`. */
const rowsOf = <Kind extends string, Name extends string>(
  kind: Kind,
  moves: Readonly<Record<Name, { readonly event: EventName | null }>>,
  at: string,
): Readonly<Record<`${Kind} ${Name}`, Doing>> =>
  Object.fromEntries(
    Object.entries<{ readonly event: EventName | null }>(moves).map(([name, { event }]): [string, Doing] => [
      `${kind} ${name}`,
      { what: name, of: kind, tells: event ? [told(event, at)] : none },
    ]),
  ) as Record<`${Kind} ${Name}`, Doing>

const bookingMade = told('reservation.created', 'reservations/bookings.ts makeBooking')
const bookingEdited = told('reservation.updated', 'reservations/apply-edit.ts applyEdit')
const bookingMoved = 'reservations/moves.ts moveReservation'
const bookingRemoved = told('reservation.cancelled', 'reservations/delete-reservation.ts deleteReservation')
const partyAtTable = told('waitlist.seated', 'waitlist/booked-party.ts partySeated')

const reservations = {
  'request a table': {
    what: 'a request for a table through the API',
    tells: [told('reservation.created', 'reservations/actions.ts requestReservation')],
    matchesGuest: true,
  },
  'request refused': { what: 'a request refused by a booking rule', tells: none },
  'book by staff': { what: 'a booking by staff', tells: [bookingMade], matchesGuest: true },
  'walk in': { what: 'a walk-in', tells: [bookingMade], matchesGuest: true },
  'import a booking ahead': {
    what: 'the import of an upcoming booking',
    tells: [told('reservation.created', 'reservations/import-reservation.ts importReservations')],
    matchesGuest: true,
  },
  'import a past booking': {
    what: 'the import of a past booking',
    tells: none,
    matchesGuest: true,
  },
  'import a cancelled booking': {
    what: 'the import of a cancelled booking',
    tells: none,
    matchesGuest: true,
  },
  'import a booking again': { what: 'the import of a booking already in the book', tells: none },
  ...rowsOf('reservation', reservationMoves, bookingMoved),
  'a move again': { what: 'a move to the current state', tells: none },
  'complete by the clock': {
    what: 'the automatic completion of a party after its service has ended',
    tells: [told(reservationMoves.complete.event, bookingMoved)],
  },
  'edit the time': { what: 'a new date or time', tells: [bookingEdited] },
  'edit the size': { what: 'a new size', tells: [bookingEdited] },
  'edit the words': { what: 'a new name or request', tells: none },
  'edit the contact': {
    what: 'new contact details of a booking',
    tells: none,
    matchesGuest: true,
  },
  'change a request by API': {
    what: 'a new time or size of a request through the API',
    tells: [bookingEdited],
  },
  'ask for a change by API': {
    what: 'a change of a confirmed booking that the venue is asked for',
    tells: none,
  },
  'accept a change': { what: 'an accepted change of a confirmed booking', tells: [bookingEdited] },
  'decline a change': { what: 'a declined change', tells: none },
  'withdraw a change': { what: 'a withdrawn change', tells: none },
  'cancel by API': {
    what: 'a cancellation through the API',
    tells: [told(reservationMoves.cancel.event, bookingMoved)],
  },
  'delete a booking': { what: 'the deletion of a booking, for mistakes', tells: [bookingRemoved] },
  'delete a booking that is over': {
    what: 'the deletion of a booking that is Completed, No-show or Cancelled',
    tells: none,
  },
  'correct the zone': { what: 'a correction of the venue’s time zone', tells: none },
} as const satisfies Record<string, Doing>

const entryMoves = rowsOf('waitlist entry', waitlistMoves, 'waitlist/actions.ts writeMoved')

const waitlist = {
  'change a waiting party by API': {
    what: 'what a waiting party says, changed through the API',
    tells: none,
  },
  'join the line': {
    what: 'a party that joins the waitlist',
    tells: [told('waitlist.added', 'waitlist/actions.ts joinWaitlist')],
  },
  ...entryMoves,
  // The two that make a reservation tell of it first.
  'waitlist entry seatNow': {
    ...entryMoves['waitlist entry seatNow'],
    tells: [bookingMade, ...entryMoves['waitlist entry seatNow'].tells],
    matchesGuest: true,
  },
  'waitlist entry bookForLater': {
    ...entryMoves['waitlist entry bookForLater'],
    tells: [bookingMade, ...entryMoves['waitlist entry bookForLater'].tells],
    matchesGuest: true,
  },
  // It takes out of the book what seating them made.
  'waitlist entry recall': {
    ...entryMoves['waitlist entry recall'],
    tells: [bookingRemoved, ...entryMoves['waitlist entry recall'].tells],
  },
  'seat at the later table': {
    what: 'the seating of a party from the waitlist at its later table',
    tells: [told(reservationMoves.seat.event, bookingMoved), partyAtTable],
  },
  'seat late at the later table': {
    what: 'the late seating of a party from the waitlist at its later table',
    tells: [told(reservationMoves.seatLate.event, bookingMoved), partyAtTable],
  },
  'leave the later table': {
    what: 'the undoing of that seating',
    tells: [told(reservationMoves.undoSeat.event, bookingMoved)],
  },
  'recall from the later table': {
    what: 'the recall of a party that had a later table',
    tells: [told(reservationMoves.cancel.event, bookingMoved), ...entryMoves['waitlist entry recall'].tells],
  },
  'delete the later table': {
    what: 'the deletion of the booking of a party from the waitlist',
    tells: [bookingRemoved],
  },
  'expire by the clock': { what: 'waitlist expiry', tells: none },
} as const satisfies Record<string, Doing>

const guests = {
  'add a guest by API': { what: 'a guest through the API', tells: none, matchesGuest: true },
  'add a guest by staff': { what: 'a guest by staff', tells: none, matchesGuest: true },
  'import a guest': { what: 'the import of a guest', tells: none, matchesGuest: true },
  'edit a guest': { what: 'an edit of a guest', tells: none },
  'merge guests': { what: 'merging two guests', tells: none },
  'undo a merge': { what: 'the undoing of a merge', tells: none },
  'erase a person': {
    what: 'the erasure of a person',
    tells: [told('person.erased', 'erasure/receipts/actions.ts tellErasure')],
  },
} as const satisfies Record<string, Doing>

const added = told('subscriber.added', 'subscribers/actions.ts addSubscriber')
const leftAt = 'subscribers/leaving.ts leave'

const subscribers = {
  'subscribe by API': { what: 'a subscriber through the API', tells: [added] },
  'subscribe by staff': { what: 'a subscriber by staff', tells: [added] },
  'import a subscriber': { what: 'the import of a subscriber', tells: [added] },
  'import an objection': { what: 'the import of someone new who must not be emailed', tells: none },
  'import an objection of a subscriber': {
    what: 'the import of an objection from someone on the list',
    tells: [told(subscriberMoves.unsubscribe.event, leftAt)],
  },
  'import an older objection': {
    what: 'the import of an objection older than the consent on file',
    tells: none,
  },
  'import a bounce of a subscriber': {
    what: 'the import of a bounced address of someone on the list',
    tells: none,
  },
  'change a subscriber by API': { what: 'a name or a birthday changed through the API', tells: none },
  'subscribe again': { what: 'an address already on the list', tells: none },
  'subscribe one who left': { what: 'an address that unsubscribed earlier', tells: none },
  'subscribe one suppressed': { what: 'an address on the do-not-email list', tells: none },
  ...rowsOf('subscriber', subscriberMoves, leftAt),
  ...(Object.fromEntries(
    suppressionReasons.map((reason) => [
      `suppress for ${reason}`,
      {
        what: `an address put on the do-not-email list (${reason.replace('_', ' ')})`,
        tells: unsubscribesToo[reason] ? [told(subscriberMoves.unsubscribe.event, leftAt)] : none,
      },
    ]),
  ) as Record<`suppress for ${(typeof suppressionReasons)[number]}`, Doing>),
  'spam report before confirming': {
    what: 'a spam report from someone who has not confirmed yet',
    tells: none,
  },
  unsuppress: { what: 'an address taken off the do-not-email list', tells: none },
  'choose mails': { what: 'email preferences', tells: none },
} as const satisfies Record<string, Doing>

const paid = told('ticket_order.paid', 'ticket-orders/sell-tickets.ts sellTickets')
const orderMoved = 'ticket-orders/order-moves.ts writeMoved'
/** The box office; the processor's link comes with the public pages. */
const boxOffice = ['cash', 'comp', 'free', 'external'] as const

const ticketOrders = {
  ...(Object.fromEntries(
    boxOffice.map((method) => [
      `sell for ${method}`,
      {
        what: `a sale at the box office, ${method === 'external' ? 'payment pending' : method}`,
        tells: statusWhenSold[method] === 'paid' ? [paid] : none,
      },
    ]),
  ) as Record<`sell for ${(typeof boxOffice)[number]}`, Doing>),
  'sell for external, received': { what: 'a sale already paid externally', tells: [paid] },
  'sell by the same form': { what: 'a sale form submitted again', tells: none },
  ...rowsOf('ticket order', orderMoves, orderMoved),
  'rename the event': { what: 'a new name of the event on an order', tells: none },
  'move the date': { what: 'a new day or time of the event date on an order', tells: none },
  'begin a refund': { what: 'a pending refund', tells: none },
  'settle a refund': {
    what: 'a refund that was completed later',
    tells: [told(orderMoves.refund.event, orderMoved)],
  },
  'retry a refund': {
    what: 'a retried refund that succeeded',
    tells: [told(orderMoves.refund.event, orderMoved)],
  },
} as const satisfies Record<string, Doing>

const inquiry = told('lead.created', 'leads/actions.ts takeInquiry')

const leads = {
  'enquire by API': { what: 'an inquiry through the API', tells: [inquiry], matchesGuest: true },
  'enquire by staff': { what: 'an inquiry entered by staff', tells: [inquiry], matchesGuest: true },
  'edit a lead': { what: 'an edit of a lead', tells: none },
  'edit the contact of a lead': {
    what: 'new contact details of a lead',
    tells: none,
    matchesGuest: true,
  },
  'move a lead': { what: 'a lead moved to another stage', tells: none },
  'set a priority': { what: 'a new priority of a lead', tells: none },
  'delete a lead': { what: 'the deletion of a lead', tells: none },
} as const satisfies Record<string, Doing>

const access = {
  'a key ends soon': {
    what: 'a key that ends in 14, 3 or 1 days',
    tells: [told('access.key_expiring', 'access/follow-expiry.ts tellOfEnd')],
  },
} as const satisfies Record<string, Doing>

export const doings = {
  ...reservations,
  ...waitlist,
  ...guests,
  ...subscribers,
  ...ticketOrders,
  ...leads,
  ...access,
} satisfies Record<string, Doing>

export type DoingName = keyof typeof doings

/** The table the other way round: each event of the contract, and everything that records it. */
export const emitters = (): Readonly<Record<EventName, readonly Doing[]>> => {
  const all: readonly Doing[] = Object.values(doings)
  const tellers = (event: EventName) =>
    all.filter(
      ({ tells, matchesGuest }) =>
        tells.some((one) => one.event === event) || (event === 'guest.created' && matchesGuest),
    )
  const names = Object.keys(events) as EventName[]
  return Object.fromEntries(names.map((name) => [name, tellers(name)])) as Record<EventName, Doing[]>
}
