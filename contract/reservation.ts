import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import {
  dateOrNull,
  inputEmail,
  inputName,
  inputPhone,
  inputText,
  integerOrNull,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
  timeOrNull,
} from './shapes.ts'

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

export const Reservation = record(
  'Reservation',
  'A booking at the venue, in whatever state it is.',
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
    createdAt: '2026-10-06T15:04:05.120Z',
    checkedInAt: null,
    cancelledAt: null,
    cancelledBy: null,
    updatedAt: '2026-10-06T15:04:05.120Z',
    revision: 1,
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
    createdAt: moment('When the booking was made.'),
    checkedInAt: momentOrNull('When the party arrived.'),
    cancelledAt: momentOrNull('When it was cancelled.'),
    cancelledBy: openList('Who decided to cancel; never which staff member.', cancelledBy),
    updatedAt: moment(
      'Latest of creation, arrival, seating and cancellation; in a webhook delivery, when the change it reports happened.',
    ),
    revision,
  },
)
export type Reservation = Static<typeof Reservation>

export const NewReservation = Type.Object(
  {
    guestName: inputName('Who the booking is for.'),
    partySize: Type.Integer({
      description: 'Number of guests.',
      minimum: 1,
      maximum: limits.partyGuests,
    }),
    email: Type.Optional(inputEmail("The guest's email address.")),
    phone: Type.Optional(inputPhone("The guest's phone number, kept as typed.")),
    date: Type.Optional(
      inputText(
        'Calendar date of the arrival at the venue, YYYY-MM-DD. Send it with `time`, or send `startsAt`.',
        limits.timeCharacters,
      ),
    ),
    time: Type.Optional(
      inputText('Arrival time at the venue: `19:00`, `7:00 PM`, `7pm` and the like.', limits.timeCharacters),
    ),
    startsAt: Type.Optional(
      inputText(
        "Instead of `date` and `time`: ISO 8601 date and time with an offset, turned into the venue's clock.",
        limits.titleCharacters,
      ),
    ),
    notes: Type.Optional(inputText("The guest's request.", limits.notesCharacters)),
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
