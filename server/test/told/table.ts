import { type EventName, eventNames, namesWith } from '@venue-data/contract/webhooks/events.ts'
import { campaignMoves } from '../../marketing/campaigns/states.ts'
import { reservationMoves } from '../../book/reservations/states.ts'
import { subscriberMoves, suppressionReasons, unsubscribesToo } from '../../marketing/subscribers/states.ts'
import { orderMoves, statusWhenSold } from '../../tickets/states.ts'
import { waitlistMoves } from '../../book/waitlist/states.ts'

/*
 * Everything the service does to a record that an event may tell of, and which events it then records: one row a
 * doing. Anything a slice holds as data (its moves, where an order starts, which suppression also unsubscribes) is
 * taken from there and never said twice; how records are made, edited, imported, merged and erased is said here.
 *
 * It lies above the slices because it reads the tables of several. Nothing in the service runs by it: the page of
 * moves is drawn from it, and the tests next to it do every row for real and compare the calls of `recordEvent` and
 * the statements that write these records with the sources, so that a new writer cannot be left out.
 */

export type Doing = {
  /** For the page; begins in lower case, so that it fits in a sentence. A move has its name here. */
  readonly what: string
  /** For a move: what kind of record it is of. */
  readonly of?: string
  /** What is recorded, in this order; empty = no event. */
  readonly tells: readonly Told[]
  /** Contact details come along: where they are nobody's yet, `guest.created` is recorded before. */
  readonly matchesGuest?: true
  /** What is done counts for the guest whose contact details these are: of anybody, or only of one who was known before. */
  readonly countsFor?: 'anybody' | 'a known guest'
}

/** The most telling names of an event, and the function that records it: its file within server/ and its name. */
export type Told = { readonly names: readonly EventName[]; readonly at: string }

/** The only place that records the event of a new guest. */
export const guestMadeAt = 'crm/guests/actions.ts emitGuestCreated'
/** Where events of known guests are recorded: what they did not say before is filled in, and bookings count for them. */
export const guestFilledAt = 'crm/guests/actions.ts fillMatch'
export const guestCountedAt = 'crm/guests/contributions.ts applyContribution'

const told = (names: EventName | readonly EventName[], at: string): Told => ({
  names: typeof names === 'string' ? [names] : names,
  at,
})
const none: readonly Told[] = []

/** One row for each move of a slice's table, named `<kind> <move>`. */
const rowsOf = <Kind extends string, Name extends string>(
  kind: Kind,
  moves: Readonly<Record<Name, { readonly names: readonly EventName[] }>>,
  at: string,
): Readonly<Record<`${Kind} ${Name}`, Doing>> =>
  Object.fromEntries(
    Object.entries<{ readonly names: readonly EventName[] }>(moves).map(
      ([name, { names }]): [string, Doing] => [
        `${kind} ${name}`,
        { what: name, of: kind, tells: names.length > 0 ? [told(names, at)] : none },
      ],
    ),
  ) as Record<`${Kind} ${Name}`, Doing>

const bookingMade = told('reservation.created', 'book/reservations/bookings.ts makeBooking')
const editedAt = 'book/reservations/edits/apply-edit.ts applyEdit'
const bookingMoved = 'book/reservations/moves.ts moveReservation'
const changeClosed = told(
  'reservation.change_answered',
  'book/reservations/change/close-change.ts closeChange',
)
const guaranteeShown = told(
  'reservation.guarantee_changed',
  'book/reservations/guarantee/show-guarantee.ts showGuarantee',
)
const removedAt = 'book/reservations/delete-reservation.ts deleteReservation'
const bookingRemoved = told(['reservation.deleted', 'reservation.cancelled'], removedAt)
const partyAtTable = told('waitlist.seated', 'book/day/booked-party.ts partySeated')
const partyNotAtTable = told('waitlist.updated', 'book/day/booked-party.ts partyUnseated')

const reservations = {
  'request a table': {
    what: 'a request for a table through the API',
    tells: [told('reservation.created', 'book/reservations/request-reservation.ts makeRequest')],
    matchesGuest: true,
  },
  'book by guest': {
    what: 'a booking by a guest on the venue’s own page, requested or confirmed at once',
    tells: [told('reservation.created', 'book/reservations/request-reservation.ts makeRequest')],
    matchesGuest: true,
  },
  'request refused': { what: 'a request refused by a booking rule', tells: none },
  'book by staff': { what: 'a booking by staff', tells: [bookingMade], matchesGuest: true },
  'walk in': { what: 'a walk-in', tells: [bookingMade], matchesGuest: true, countsFor: 'anybody' },
  'import a booking ahead': {
    what: 'the import of an upcoming booking',
    tells: [told('reservation.created', 'book/reservations/import-reservation.ts importReservations')],
    matchesGuest: true,
  },
  'import a past booking': {
    what: 'the import of a past booking',
    tells: none,
    matchesGuest: true,
    countsFor: 'a known guest',
  },
  'import a cancelled booking': {
    what: 'the import of a cancelled booking',
    tells: none,
    matchesGuest: true,
  },
  'undo the import of a booking ahead': {
    what: 'the undoing of an import, of an upcoming booking',
    tells: [
      told(
        ['reservation.deleted', 'reservation.cancelled'],
        'book/reservations/take-back-import.ts takeBackReservation',
      ),
    ],
  },
  'undo the import of a past booking': {
    what: 'the undoing of an import, of a past booking',
    tells: none,
  },
  'import a booking again': { what: 'the import of a booking already in the book', tells: none },
  ...rowsOf('reservation', reservationMoves, bookingMoved),
  'a move again': { what: 'a move to the current state', tells: none },
  'complete by the clock': {
    what: 'the automatic completion of a party after its service has ended',
    tells: [told(reservationMoves.complete.names, bookingMoved)],
  },
  'edit the time': { what: 'a new date or time', tells: [told('reservation.rescheduled', editedAt)] },
  'edit the size': { what: 'a new size', tells: [told('reservation.resized', editedAt)] },
  'edit time, size and words': {
    what: 'a new time, size and request at once',
    tells: [
      told(['reservation.rescheduled', 'reservation.resized', 'reservation.details_changed'], editedAt),
    ],
  },
  'edit the words': { what: 'a new name or request', tells: [told('reservation.details_changed', editedAt)] },
  'edit the length': {
    what: 'another length of a booking',
    tells: [told('reservation.details_changed', editedAt)],
  },
  'edit the contact': {
    what: 'new contact details of a booking',
    tells: [told('reservation.details_changed', editedAt)],
    matchesGuest: true,
  },
  'change a request by API': {
    what: 'a new time and size of a request through the API',
    tells: [told(['reservation.rescheduled', 'reservation.resized'], editedAt)],
  },
  'ask for a change by API': {
    what: 'a change of a confirmed booking that the venue is asked for',
    tells: [told('reservation.change_requested', 'book/reservations/change/change-by-key.ts askForChange')],
  },
  'accept a change': {
    what: 'an accepted change of a confirmed booking',
    tells: [told(['reservation.change_answered', 'reservation.rescheduled'], editedAt)],
  },
  'decline a change': { what: 'a declined change', tells: [changeClosed] },
  'withdraw a change': { what: 'a withdrawn change', tells: [changeClosed] },
  'cancel with a change pending': {
    what: 'the cancellation of a booking whose change was not answered',
    tells: [told([...reservationMoves.cancel.names, 'reservation.change_answered'], bookingMoved)],
  },
  'undo a cancellation that a change lapsed with': {
    what: 'the undo of a cancellation that a change had lapsed with',
    tells: [told([...reservationMoves.undoCancel.names, 'reservation.change_requested'], bookingMoved)],
  },
  'cancel by API': {
    what: 'a cancellation through the API',
    tells: [told(reservationMoves.cancel.names, bookingMoved)],
  },
  'delete a booking': { what: 'the deletion of a booking, for mistakes', tells: [bookingRemoved] },
  'delete a booking that is over': {
    what: 'the deletion of a booking that is Completed, No-show or Cancelled',
    tells: [told('reservation.deleted', removedAt)],
  },
  'cancel a booking with a card': {
    what: 'the cancellation of a booking with a card, which is deleted',
    tells: [told(reservationMoves.cancel.names, bookingMoved), guaranteeShown],
  },
  'ask for a deposit': {
    what: 'staff who ask for a card or a deposit',
    tells: [guaranteeShown],
  },
  'do without a card': {
    what: 'a manager who does without a card or a deposit',
    tells: [guaranteeShown],
  },
  'agree to more of a card': {
    what: 'a guest who gives, or agrees to, what was asked for',
    tells: [guaranteeShown],
  },
  'take a deposit off the bill': {
    what: 'a deposit that is taken off the bill',
    tells: [guaranteeShown],
  },
  'archive a request': {
    what: 'a request of a past day, taken off the queue of those to answer',
    tells: none,
  },
  'correct the zone': { what: 'a correction of the venue’s time zone', tells: none },
} as const satisfies Record<string, Doing>

const entryMoves = rowsOf('waitlist entry', waitlistMoves, 'book/waitlist/actions.ts writeMoved')

const waitlist = {
  'change a waiting party by API': {
    what: 'what a waiting party says, changed through the API',
    tells: [told('waitlist.updated', 'book/waitlist/by-key.ts changeEntry')],
  },
  'join the line': {
    what: 'a party that joins the waitlist',
    tells: [told('waitlist.added', 'book/waitlist/actions.ts joinWaitlist')],
  },
  'join the line by API': {
    what: 'a party that joins the waitlist through the API',
    tells: [told('waitlist.added', 'book/waitlist/actions.ts joinWaitlist')],
  },
  'join the line by guest': {
    what: 'a party that puts itself in line on the venue’s page',
    tells: [told('waitlist.added', 'book/waitlist/actions.ts joinWaitlist')],
  },
  'say to be on the way': { what: 'a party that says it is on its way', tells: none },
  'end the link to a place': { what: 'staff who end the link to a place in line', tells: none },
  ...entryMoves,
  // The two that make a reservation tell of it first.
  'waitlist entry seatNow': {
    ...entryMoves['waitlist entry seatNow'],
    tells: [bookingMade, ...entryMoves['waitlist entry seatNow'].tells],
    matchesGuest: true,
    countsFor: 'anybody',
  },
  'waitlist entry bookForLater': {
    ...entryMoves['waitlist entry bookForLater'],
    tells: [bookingMade, ...entryMoves['waitlist entry bookForLater'].tells],
    matchesGuest: true,
  },
  'waitlist entry acceptOffer': {
    ...entryMoves['waitlist entry acceptOffer'],
    tells: [bookingMade, ...entryMoves['waitlist entry acceptOffer'].tells],
    matchesGuest: true,
  },
  // It takes out of the book what seating them made.
  'waitlist entry recall': {
    ...entryMoves['waitlist entry recall'],
    tells: [bookingRemoved, ...entryMoves['waitlist entry recall'].tells],
  },
  'seat at the later table': {
    what: 'the seating of a party from the waitlist at its later table',
    tells: [told(reservationMoves.seat.names, bookingMoved), partyAtTable],
  },
  'seat late at the later table': {
    what: 'the late seating of a party from the waitlist at its later table',
    tells: [told(reservationMoves.seatLate.names, bookingMoved), partyAtTable],
  },
  'leave the later table': {
    what: 'the undoing of that seating',
    tells: [told(reservationMoves.undoSeat.names, bookingMoved), partyNotAtTable],
  },
  'recall from the later table': {
    what: 'the recall of a party that had a later table',
    tells: [told(reservationMoves.cancel.names, bookingMoved), ...entryMoves['waitlist entry recall'].tells],
  },
  'delete the later table': {
    what: 'the deletion of the booking of a party from the waitlist',
    tells: [bookingRemoved],
  },
  'expire by the clock': { what: 'waitlist expiry', tells: entryMoves['waitlist entry expire'].tells },
} as const satisfies Record<string, Doing>

const guestKept = told('guest.updated', 'crm/guests/merge.ts recorded')

const guests = {
  'add a guest by API': { what: 'a guest through the API', tells: none, matchesGuest: true },
  'add a guest by staff': { what: 'a guest by staff', tells: none, matchesGuest: true },
  'import a guest': { what: 'the import of a guest', tells: none, matchesGuest: true },
  'undo the import of a guest': { what: 'the undoing of an import, of a guest that it made', tells: none },
  'undo what an import filled in': {
    what: 'the undoing of an import, of a guest that it filled in',
    tells: [told('guest.updated', 'crm/guests/take-back-import.ts emptyAgain')],
  },
  'undo an import that a count gave way to': {
    what: 'the undoing of an import, of a visit that a file of guests had counted',
    tells: [told('guest.updated', 'crm/guests/take-back-import.ts giveBackCounts')],
  },
  'edit a guest': {
    what: 'an edit of a guest',
    tells: [told('guest.updated', 'crm/guests/staff-edits.ts editGuest')],
  },
  'note about a guest': { what: 'staff notes about a guest', tells: none },
  'merge guests': {
    what: 'merging two guests',
    tells: [told('guest.merged', 'crm/guests/merge.ts mergeGuests'), guestKept],
  },
  'undo a merge': {
    what: 'the undoing of a merge',
    tells: [told('guest.unmerged', 'crm/guests/merge.ts undoMerge'), guestKept],
  },
  'erase a person': {
    what: 'the erasure of a person',
    tells: [told('person.erased', 'data/erasure/receipts/actions.ts announceErasure')],
  },
} as const satisfies Record<string, Doing>

const added = told('subscriber.added', 'marketing/subscribers/actions.ts addSubscriber')
const leftAt = 'marketing/subscribers/leaving.ts leave'
const subscriberChanged = told('subscriber.updated', 'marketing/subscribers/by-key.ts recordEdit')
const suppressionTold = told('subscriber.updated', 'marketing/subscribers/leaving.ts tellSuppressed')

const subscribers = {
  'subscribe by API': { what: 'a subscriber through the API', tells: [added] },
  'subscribe by staff': { what: 'a subscriber by staff', tells: [added] },
  'import a subscriber': { what: 'the import of a subscriber', tells: [added] },
  'import an objection': { what: 'the import of someone new who must not be emailed', tells: none },
  'import an objection of a subscriber': {
    what: 'the import of an objection from someone on the list',
    tells: [told(subscriberMoves.unsubscribe.names, leftAt)],
  },
  'import an older objection': {
    what: 'the import of an objection older than the consent on file',
    tells: none,
  },
  'import a bounce of a subscriber': {
    what: 'the import of a bounced address of someone on the list',
    tells: [suppressionTold],
  },
  'change a subscriber by API': {
    what: 'a name or a birthday changed through the API',
    tells: [subscriberChanged],
  },
  'tag a subscriber by API': {
    what: 'tags added or taken away through the API',
    tells: [subscriberChanged],
  },
  'tag a subscriber by API as they are': {
    what: 'tags through the API that somebody has already',
    tells: none,
  },
  'subscribe again': { what: 'an address already on the list', tells: none },
  'subscribe again with a name': {
    what: 'a first name for an address already on the list',
    tells: [told('subscriber.updated', 'marketing/subscribers/actions.ts fillIn')],
  },
  'subscribe again with a tag': {
    what: 'a tag for an address already on the list',
    tells: [told('subscriber.updated', 'marketing/subscribers/actions.ts fillIn')],
  },
  'subscribe one who left': { what: 'an address that unsubscribed earlier', tells: none },
  'subscribe one suppressed': { what: 'an address on the do-not-email list', tells: none },
  'sign up': { what: 'a sign-up on the public form', tells: none },
  'sign up again': {
    what: 'a sign-up on the public form of someone who unsubscribed',
    tells: [told('subscriber.updated', 'marketing/subscribers/sign-up.ts signUpByGuest')],
  },
  'sign up with a topic': { what: 'a sign-up on the public form with a topic', tells: none },
  'confirm a sign-up': {
    what: 'a sign-up confirmed by the link in the mail',
    tells: [told('subscriber.added', 'marketing/subscribers/sign-up.ts confirmSignUp')],
  },
  'end a sign-up': { what: 'a sign-up that nobody confirmed in thirty days', tells: none },
  'end a sign-up of one who left': {
    what: 'the same of someone who had unsubscribed before: they are unsubscribed again',
    tells: [told('subscriber.updated', 'marketing/subscribers/sign-up.ts endSignUp')],
  },
  ...rowsOf('subscriber', subscriberMoves, leftAt),
  ...(Object.fromEntries<Doing>(
    suppressionReasons.map((reason) => [
      `suppress for ${reason}`,
      {
        what: `an address put on the do-not-email list (${reason.replace('_', ' ')})`,
        tells: unsubscribesToo[reason]
          ? [told(subscriberMoves.unsubscribe.names, leftAt)]
          : [suppressionTold],
      },
    ]),
  ) as Record<`suppress for ${(typeof suppressionReasons)[number]}`, Doing>),
  'spam report before confirming': {
    what: 'a spam report from someone who has not confirmed yet',
    tells: [told(subscriberMoves.decline.names, leftAt)],
  },
  'suppress one who left': {
    what: 'an address put on the do-not-email list whose owner had unsubscribed',
    tells: [suppressionTold],
  },
  'suppress a stranger': {
    what: 'an address put on the do-not-email list that nobody here has',
    tells: none,
  },
  'suppress again': { what: 'an address put on the do-not-email list again', tells: none },
  unsuppress: { what: 'an address taken off the do-not-email list', tells: [suppressionTold] },
  'choose mails': { what: 'email preferences', tells: none },
  'choose a topic': {
    what: 'a topic chosen as an email preference, which is a tag',
    tells: [told('subscriber.updated', 'marketing/subscribers/preferences.ts savePreferences')],
  },
} as const satisfies Record<string, Doing>

const soldAt = 'tickets/sell-tickets.ts sellTickets'
const paid = told(['ticket_order.paid', 'ticket_order.created'], soldAt)
const unpaid = told('ticket_order.created', soldAt)
const paidOnline = told(
  ['ticket_order.paid', 'ticket_order.created'],
  'tickets/online/give-tickets.ts noteSold',
)
const orderMoved = 'tickets/order-moves.ts writeMoved'
/** The box office; the processor's link comes with the public pages. */
const boxOffice = ['cash', 'comp', 'free', 'external'] as const

const ticketOrders = {
  'pay online': { what: 'tickets that a guest paid online', tells: [paidOnline] },
  ...(Object.fromEntries(
    boxOffice.map((method) => [
      `sell for ${method}`,
      {
        what: `a sale at the box office, ${method === 'external' ? 'payment pending' : method}`,
        tells: [statusWhenSold[method] === 'paid' ? paid : unpaid],
      },
    ]),
  ) as unknown as Record<`sell for ${(typeof boxOffice)[number]}`, Doing>),
  'sell for external, received': { what: 'a sale already paid externally', tells: [paid] },
  'order by API': { what: 'an order through the API', tells: [unpaid] },
  'order by API, nothing to pay': { what: 'an order through the API with nothing to pay', tells: [paid] },
  'order by API again': { what: 'an order through the API whose reference was sent before', tells: none },
  'cancel an order by API': {
    what: 'the cancellation of an unpaid order through the API',
    tells: [told(orderMoves.cancel.names, orderMoved)],
  },
  'ask for a refund by API': {
    what: 'a refund that the venue is asked for',
    tells: [told('ticket_order.refund_requested', 'tickets/refund-requests.ts askRefund')],
  },
  'grant a refund': {
    what: 'a granted refund',
    tells: [told(orderMoves.refund.names, orderMoved)],
  },
  'decline a refund': { what: 'a declined refund', tells: none },
  'sell by the same form': { what: 'a sale form submitted again', tells: none },
  ...rowsOf('ticket order', orderMoves, orderMoved),
  'rename the event': { what: 'a new name of the event on an order', tells: none },
  'move the date': { what: 'a new day or time of the event date on an order', tells: none },
  'begin a refund': { what: 'a pending refund', tells: none },
  'settle a refund': {
    what: 'a refund that was completed later',
    tells: [told(orderMoves.refund.names, orderMoved)],
  },
  'retry a refund': {
    what: 'a retried refund that succeeded',
    tells: [told(orderMoves.refund.names, orderMoved)],
  },
} as const satisfies Record<string, Doing>

const leadChangedAt = 'crm/leads/edit.ts change'
const inquiry = told('lead.created', 'crm/leads/actions.ts takeInquiry')

const leads = {
  'enquire by API': { what: 'an inquiry through the API', tells: [inquiry], matchesGuest: true },
  'enquire by staff': { what: 'an inquiry entered by staff', tells: [inquiry], matchesGuest: true },
  'enquire by guest': { what: 'an inquiry on the public form', tells: [inquiry], matchesGuest: true },
  'edit a lead': { what: 'an edit of a lead', tells: [told('lead.updated', leadChangedAt)] },
  'edit the contact of a lead': {
    what: 'new contact details of a lead',
    tells: [told('lead.updated', leadChangedAt)],
    matchesGuest: true,
  },
  'move a lead': {
    what: 'a lead moved to another stage',
    tells: [told('lead.stage_changed', leadChangedAt)],
  },
  'set a priority': { what: 'a new priority of a lead', tells: [told('lead.updated', leadChangedAt)] },
  'delete a lead': {
    what: 'the deletion of a lead',
    tells: [told('lead.deleted', 'crm/leads/edit.ts deleteLead')],
  },
} as const satisfies Record<string, Doing>

const tickedAt = 'crm/tasks/actions.ts tickTask'

const tasks = {
  'add a task by API': {
    what: 'a task through the API',
    tells: [told('task.created', 'crm/tasks/actions.ts addTask')],
  },
  'add a task by staff': {
    what: 'a task by staff',
    tells: [told('task.created', 'crm/tasks/actions.ts addTask')],
  },
  'edit a task': {
    what: 'an edit of a task',
    tells: [told('task.updated', 'crm/tasks/actions.ts editTask')],
  },
  'do a task': { what: 'a task checked off', tells: [told('task.completed', tickedAt)] },
  'reopen a task': { what: 'a task reopened', tells: [told('task.reopened', tickedAt)] },
  'do a task again': { what: 'a task checked off that is already done', tells: none },
  'delete a task': {
    what: 'the deletion of a task',
    tells: [told('task.deleted', 'crm/tasks/actions.ts deleteTask')],
  },
} as const satisfies Record<string, Doing>

const campaigns = {
  'begin a campaign': {
    what: 'a new campaign',
    tells: [told('campaign.created', 'marketing/campaigns/actions.ts createCampaign')],
  },
  'edit a campaign': {
    what: 'an edit of a campaign, the building of its list, a test of it',
    tells: none,
  },
  'schedule a campaign': {
    what: 'the sending of a campaign',
    tells: [told(campaignMoves.send.names, 'marketing/campaigns/send.ts sendCampaign')],
  },
  'start a campaign': {
    what: 'the start of a campaign that is due',
    tells: [told(campaignMoves.start.names, 'marketing/campaigns/sending/due.ts beginCampaign')],
  },
  'hold a campaign': {
    what: 'trouble with the mail relay',
    tells: [told('campaign.held', 'marketing/campaigns/sending/holds.ts holdCampaign')],
  },
  'count mails': { what: 'the counters of a campaign that is being sent', tells: none },
  'say why a campaign waits': { what: 'the reason why a campaign that is due waits', tells: none },
  'finish a campaign': {
    what: 'the end of a campaign',
    tells: [told(campaignMoves.finish.names, 'marketing/campaigns/sending/due.ts finishCampaign')],
  },
  'cancel a campaign': {
    what: 'the cancellation of a campaign',
    tells: [told(campaignMoves.cancel.names, 'marketing/campaigns/cancel.ts cancelCampaign')],
  },
  'miss a campaign': {
    what: 'a campaign whose time passed while nothing could be sent',
    tells: [told(campaignMoves.miss.names, 'marketing/campaigns/sending/due.ts missCampaign')],
  },
} as const satisfies Record<string, Doing>

const access = {
  'a key ends soon': {
    what: 'a key that ends in 14, 3 or 1 days',
    tells: [told('access.key_expiring', 'integrations/access/follow-expiry.ts notifyOwner')],
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
  ...tasks,
  ...campaigns,
} satisfies Record<string, Doing>

export type DoingName = keyof typeof doings

/** All the names of the events of an action, one list for each event. */
export const namesTold = ({ tells }: Pick<Doing, 'tells'>): readonly (readonly EventName[])[] =>
  tells.map(({ names }) => namesWith(names))

/** The table the other way round: each event of the contract, and everything that records it. */
export const emitters = (): Readonly<Record<EventName, readonly Doing[]>> => {
  const all: readonly Doing[] = Object.values(doings)
  const tellers = (event: EventName) =>
    all.filter(
      (doing) =>
        namesTold(doing).some((names) => names.includes(event)) ||
        (event === 'guest.created' && doing.matchesGuest) ||
        (event === 'guest.updated' && doing.countsFor),
    )
  return Object.fromEntries(eventNames.map((name) => [name, tellers(name)])) as Record<EventName, Doing[]>
}
