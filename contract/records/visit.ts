import { type Static, Type } from 'typebox'
import {
  dateOrNull,
  integerOrNull,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  timeOrNull,
} from '../shapes.ts'
import { reservationStatuses } from './reservation.ts'

export const Visit = record(
  'Visit',
  'Who comes or came with a reservation, at which tables, and for how long.',
  {
    id: 48_213,
    guestId: 3107,
    waitlistEntryId: null,
    partySize: 4,
    date: '2026-10-09',
    time: '19:30',
    durationMinutes: 120,
    status: 'Completed',
    tableIds: [7, 9],
    seatedAt: '2026-10-09T23:34:10.000Z',
    leftAt: '2026-10-10T01:19:40.000Z',
    stayMinutes: 105,
    revision: 6,
    createdAt: '2026-10-06T15:04:05.120Z',
    updatedAt: '2026-10-10T01:19:40.000Z',
  },
  {
    id: Type.Integer({ description: 'The `id` of its reservation.' }),
    guestId: integerOrNull('The guest; `null` where nobody is known, or the person was erased.'),
    waitlistEntryId: integerOrNull('The waitlist entry that became this reservation.'),
    partySize: integerOrNull('Number of guests.'),
    date: dateOrNull('Calendar date of the arrival.'),
    time: timeOrNull('Arrival time.'),
    durationMinutes: integerOrNull('How long the table is held, in minutes.'),
    status: openList('Status of the booking.', reservationStatuses),
    tableIds: Type.Array(Type.Integer(), {
      description: 'The tables held now, or last; `GET /rooms` names them.',
      examples: [[7, 9]],
    }),
    seatedAt: momentOrNull('When the party sat down.'),
    leftAt: momentOrNull('When it left.'),
    stayMinutes: integerOrNull(
      'Whole minutes from `seatedAt` to `leftAt`; `null` under ten, or over twice the time the table was held for.',
    ),
    revision: Type.Integer({ minimum: 1, description: 'Counts its changes, from 1; it never goes down.' }),
    createdAt: moment('When the booking was made.'),
    updatedAt: moment('When the visit last changed.'),
  },
)
export type Visit = Static<typeof Visit>

export const Room = record(
  'Room',
  'A room and its tables.',
  {
    id: 2,
    name: 'Garden',
    tables: [{ id: 7, label: '12', seatsFrom: 2, seatsTo: 4, removed: false, outOfOrderUntil: null }],
  },
  {
    id: recordId('room'),
    name: Type.String({ description: 'What the venue calls it.' }),
    tables: Type.Array(
      Type.Object(
        {
          id: recordId('table'),
          label: Type.String({ description: 'What staff call it now.' }),
          seatsFrom: Type.Integer({ description: 'The smallest party it is given to.' }),
          seatsTo: Type.Integer({ description: 'The largest.' }),
          removed: Type.Boolean({ description: 'It is no longer there, and some visits name it.' }),
          outOfOrderUntil: momentOrNull('Nobody sits there until then.'),
        },
        { title: 'RoomTable' },
      ),
      { description: 'Possibly none.' },
    ),
  },
)
export type Room = Static<typeof Room>
