import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  came,
  clearable,
  dateOrNull,
  externalId,
  inputEmail,
  elseIgnored,
  inputExternalId,
  laterExternalId,
  inputName,
  inputPhone,
  inputText,
  inputWord,
  integerOrNull,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
  timeOrNull,
} from '../shapes.ts'

export const reservationStatuses = [
  'Requested',
  'Confirmed',
  'Seated',
  'Completed',
  'Cancelled',
  'No-show',
] as const
export type ReservationStatus = (typeof reservationStatuses)[number]

export const reservationSources = ['public', 'staff', 'walkin', 'waitlist', 'automation'] as const
export type ReservationSource = (typeof reservationSources)[number]

export const floorStages = [
  'Arrived',
  'Partly seated',
  'Seated',
  'Ordered',
  'Starters',
  'Mains',
  'Dessert',
  'Bill',
  'Paid',
] as const
export type FloorStage = (typeof floorStages)[number]

export const cancelledBy = ['guest', 'staff'] as const
export type CancelledBy = (typeof cancelledBy)[number]

export const guaranteeStatuses = [
  'asked',
  'held',
  'paid',
  'partially_refunded',
  'refunded',
  'charged',
  'charge_failed',
  'waived',
  'released',
] as const

const guarantee = {
  kind: openList('What its guest gave.', ['card', 'deposit', 'prepaid']),
  status: openList('Where it is.', guaranteeStatuses),
  amountCents: Type.Integer({ description: 'What its guest agreed to, at the most.' }),
  askedCents: Type.Integer({ description: 'What is asked of the guest, and not agreed to yet.' }),
  paidCents: Type.Integer({ description: 'What came in, charges included.' }),
  refundedCents: Type.Integer({ description: 'What went back.' }),
  currency: textOrNull('ISO 4217.'),
  freeUntil: momentOrNull('Until when cancelling is free.'),
  takenOffAt: momentOrNull('When it was taken off the bill.'),
}
const ReservationGuarantee = Type.Object(guarantee)
export type ReservationGuarantee = Static<typeof ReservationGuarantee>

export const Reservation = record(
  'Reservation',
  'A booking at the venue, in any state.',
  {
    id: 48213,
    guestName: 'Maya Okafor',
    email: 'maya.okafor@example.com',
    phone: '(212) 555-0147',
    partySize: 4,
    date: '2026-10-09',
    time: '19:30',
    durationMinutes: 120,
    status: 'Requested',
    source: 'automation',
    bookingType: 'Dinner',
    notes: 'A booth if there is one.',
    floorStage: null,
    externalId: 'web-5d1f0c',
    createdAt: '2026-10-06T15:04:05.120Z',
    checkedInAt: null,
    cancelledAt: null,
    cancelledBy: null,
    updatedAt: '2026-10-06T15:04:05.120Z',
    revision: 1,
    guarantee: null,
  },
  {
    id: recordId('reservation'),
    guestName: textOrNull('Name on the booking, as it was given.'),
    email: textOrNull('Email address on the booking, as it was given.'),
    phone: textOrNull('Phone number on the booking, as typed.'),
    partySize: integerOrNull('Number of guests.'),
    date: dateOrNull('Calendar date of the arrival.'),
    time: timeOrNull('Arrival time.'),
    durationMinutes: integerOrNull('How long the table is held, in minutes.'),
    status: openList('Status of the booking.', reservationStatuses),
    source: openList('Where the booking came from; `automation` is an integration or this API.', [
      ...reservationSources,
      'import',
    ]),
    bookingType: textOrNull("The venue's own name for the kind of booking."),
    notes: textOrNull("The booking's own request; never staff notes about the guest."),
    floorStage: openList('Progress in the meal, when the venue tracks it.', floorStages),
    externalId,
    createdAt: moment('When the booking was made.'),
    checkedInAt: momentOrNull('When the party arrived.'),
    cancelledAt: momentOrNull('When it was cancelled.'),
    cancelledBy: openList('Who decided to cancel; never which staff member.', cancelledBy),
    updatedAt: moment(
      'Latest of creation, arrival, seating and cancellation; in a webhook delivery, when the change it reports happened.',
    ),
    revision,
    guarantee: came(
      '2026-11-29',
      // A row holds it as it is shown, whatever a later release adds.
      Type.Unsafe<unknown>({
        ...ReservationGuarantee,
        type: ['object', 'null'],
        description: 'The card or the deposit behind it; null: none.',
      }),
    ),
  },
)
export type Reservation = Static<typeof Reservation>

const fields = {
  guestName: inputName('Who the booking is for.'),
  partySize: Type.Integer({
    description: 'Number of guests.',
    minimum: 1,
    maximum: limits.partyGuests,
  }),
  email: inputEmail("The guest's email address."),
  phone: inputPhone("The guest's phone number, kept as typed."),
  time: inputText(
    'Arrival time at the venue: `19:00`, `7:00 PM`, `7pm` and the like.',
    limits.timeCharacters,
    { 'x-written': 'time' },
  ),
  startsAt: inputText(
    "Instead of `date` and `time`: ISO 8601 date and time with an offset, turned into the venue's clock.",
    limits.titleCharacters,
    { 'x-written': 'startsAt' },
  ),
  notes: inputText("The guest's request.", limits.notesCharacters),
}

/** When a party arrives, in either form. */
const arrival = {
  date: Type.Optional(
    inputText(
      'Calendar date of the arrival at the venue, YYYY-MM-DD. Send it with `time`, or send `startsAt`.',
      limits.timeCharacters,
      { 'x-written': 'date' },
    ),
  ),
  time: Type.Optional(fields.time),
  startsAt: Type.Optional(fields.startsAt),
}

export const NewReservation = Type.Object(
  {
    guestName: fields.guestName,
    partySize: fields.partySize,
    email: Type.Optional(fields.email),
    phone: Type.Optional(fields.phone),
    ...arrival,
    notes: Type.Optional(fields.notes),
    externalId: laterExternalId,
    holdId: elseIgnored(
      inputText('', limits.holdIdCharacters),
      'The hold of this time (`POST /holds`): its places do not count against the request, and it is used up. One that has expired, is unknown or does not fit is ignored.',
    ),
  },
  {
    title: 'NewReservation',
    description: 'A booking request.',
    examples: [
      {
        guestName: 'Maya Okafor',
        partySize: 4,
        email: 'maya.okafor@example.com',
        date: '2026-10-09',
        time: '7:30 PM',
        notes: 'A booth if there is one.',
      },
    ],
  },
)
export type NewReservation = Static<typeof NewReservation>

export const Hold = record(
  'Hold',
  'A time held for a party that is about to be booked. It is no reservation: no list has it, and no event reports it.',
  { id: 'pX4sT9vQmN2kLw7RbC1dZg', expiresAt: '2026-10-06T19:05:00.000Z' },
  {
    id: Type.String({
      description: 'Send it as `holdId` of the request. Keep it secret: anyone who has it may use it.',
    }),
    expiresAt: Type.String({
      format: 'date-time',
      description: `When its places are free again, ${limits.holdMinutes} minutes after it was made: ISO 8601 in UTC, ending in Z.`,
    }),
  },
)
export type Hold = Static<typeof Hold>

export const NewHold = Type.Object(
  {
    partySize: fields.partySize,
    ...arrival,
    holdId: Type.Optional(
      inputText(
        'The hold that this one replaces: its places do not count against the new one. It is given up if the new time is held, and stays as it is if not.',
        limits.holdIdCharacters,
      ),
    ),
  },
  {
    title: 'NewHold',
    description: 'A time to hold.',
    examples: [{ partySize: 4, date: '2026-10-09', time: '19:30' }],
  },
)
export type NewHold = Static<typeof NewHold>

export const ReservationChanges = Type.Object(
  {
    guestName: Type.Optional(fields.guestName),
    email: clearable(fields.email),
    phone: clearable(fields.phone),
    notes: clearable(fields.notes),
    externalId: clearable(inputExternalId),
    partySize: Type.Optional(fields.partySize),
    date: Type.Optional(
      inputText(
        'Calendar date of the arrival at the venue, YYYY-MM-DD. Without `time`, the time stays.',
        limits.timeCharacters,
        { 'x-written': 'date' },
      ),
    ),
    time: Type.Optional(fields.time),
    startsAt: Type.Optional(fields.startsAt),
  },
  {
    title: 'ReservationChanges',
    description: 'Changes to a reservation.',
    examples: [{ time: '20:00', partySize: 5 }],
  },
)
export type ReservationChanges = Static<typeof ReservationChanges>

export const ReservationCancellation = Type.Object(
  {
    by: Type.Optional(inputWord('Who decided: the guest, or the venue. Default: the guest.', cancelledBy)),
    message: Type.Optional(inputText('A note for staff; nobody else sees it.', limits.notesCharacters)),
  },
  {
    title: 'ReservationCancellation',
    description: 'Who cancelled, and why.',
    examples: [{ by: 'guest', message: 'The flight was cancelled.' }],
  },
)
export type ReservationCancellation = Static<typeof ReservationCancellation>

/** The states of a requested change. */
export const changeStatuses = ['pending', 'accepted', 'declined', 'withdrawn', 'lapsed'] as const
export type ChangeStatus = (typeof changeStatuses)[number]

/** How a requested change can end. */
export type ChangeAnswer = Exclude<ChangeStatus, 'pending'>
export const changeAnswers: readonly ChangeAnswer[] = changeStatuses.filter((one) => one !== 'pending')

/** A requested new time, date or size of a confirmed booking. */
export const ReservationChange = Type.Object(
  {
    id: Type.Integer({ description: 'Stable identifier of the change.' }),
    status: openList('Its status.', changeStatuses),
    date: dateOrNull('The requested calendar date of the arrival.'),
    time: timeOrNull('The requested arrival time.'),
    partySize: integerOrNull('The requested number of guests.'),
    askedAt: moment('When it was requested.'),
    expiresAt: moment('When it lapses if nobody answers: at the earlier of the two arrivals.'),
  },
  {
    title: 'ReservationChange',
    description: 'A requested change and its status. While it is pending, the booking keeps its table.',
    examples: [
      {
        id: 51,
        status: 'pending',
        date: '2026-10-09',
        time: '20:00',
        partySize: 5,
        askedAt: '2026-10-06T15:04:05.120Z',
        expiresAt: '2026-10-09T23:30:00.000Z',
      },
    ],
  },
)
export type ReservationChange = Static<typeof ReservationChange>
