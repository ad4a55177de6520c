import { Type } from 'typebox'
import { Availability, AvailabilityCheck } from '../records/availability.ts'
import {
  body64,
  email,
  type Endpoint,
  keyClash,
  list,
  move,
  partySize,
  patch,
  phone,
  single,
} from '../webhooks/endpoint.ts'
import { kinds } from '../kinds.ts'
import { limits } from '../limits.ts'
import { bookingReasons } from '../reasons.ts'
import {
  Hold,
  NewHold,
  NewReservation,
  Reservation,
  ReservationCancellation,
  ReservationChange,
  ReservationChanges,
  reservationSources,
  reservationStatuses,
} from '../records/reservation.ts'
import { listOf, ref } from '../shapes.ts'

/** A request chooses no experience; a reservation may have one. */
const refusedByRules = (Object.keys(bookingReasons) as (keyof typeof bookingReasons)[]).filter(
  (reason) => reason !== 'experience-full',
)

const alternatives = Type.Unsafe<string>({
  type: 'integer',
  minimum: 1,
  maximum: limits.alternativesMost,
  description:
    'How many open times a refusal by a rule should list in `alternatives`, nearest first. Any other value is ignored.',
  'x-since': '2026-11-23',
})

const change = patch(
  'updateReservation',
  'reservation',
  'Reservations',
  {
    summary: 'Change a reservation',
    description:
      'Names, notes, contact details and fewer guests at the same time apply immediately. A new time or date, or more guests, is checked against all booking rules: a request is then changed; for a confirmed booking, staff have to answer. The booking keeps its table until they do, and the new place is held in the meantime. A field that is left out stays as it is; `null` empties it.',
  },
  ReservationChanges,
)

const cancel = move('cancelReservation', 'reservation', 'cancel', 'Reservations', {
  summary: 'Cancel a reservation',
  description:
    'A request or a confirmed booking. A reservation that is already cancelled stays as it is. A pending change lapses.',
})

export const reservationEndpoints = {
  listReservations: list(
    'listReservations',
    '/api/v1/reservations',
    'Reservations',
    Reservation,
    {
      summary: 'List reservations',
      description: 'The newest reservations in every status.',
    },
    {
      filters: {
        status: { closed: reservationStatuses },
        source: { open: reservationSources },
        dateFrom: true,
        dateTo: true,
        email: true,
        phone: true,
        guest: true,
        externalId: true,
      },
      sorts: ['-createdAt', 'createdAt', 'date', '-date', 'changed'],
    },
  ),

  getAvailability: {
    id: 'getAvailability',
    method: 'GET',
    path: '/api/v1/availability',
    group: 'Availability',
    since: '2026-11-23',
    summary: 'See which times are open',
    description:
      "The times of one or more days for a party of a size, judged by the same rules as a request: what is shown as open would be taken now, and what is not comes with the reason and the sentence a request would get. It is the venue's grid of times, or its seatings; where it sets no seatings, other minutes may be bookable too. It is never a promise: only the request itself books.",
    access: 'any-key',
    tagged: true,
    query: {
      date: Type.String({
        format: 'date',
        description: 'The first service date, YYYY-MM-DD.',
        examples: ['2026-12-05'],
      }),
      partySize,
      days: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        maximum: limits.availabilityDays,
        default: 1,
        description: 'How many service dates, from that one on.',
      }),
      show: Type.Unsafe<'open' | 'all'>({
        type: 'string',
        enum: ['open', 'all'],
        default: 'open',
        description: '`all`: refused times too, each with its reason.',
      }),
    },
    queryRequired: ['date', 'partySize'],
    replies: { 200: ref(Availability) },
    badRequest: '`date` or `partySize` is missing, or something cannot be read.',
  },

  checkAvailability: {
    id: 'checkAvailability',
    method: 'GET',
    path: '/api/v1/availability/check',
    group: 'Availability',
    since: '2026-11-23',
    summary: 'Check one time against every rule',
    description:
      'What each booking rule says about a time and a party size, in the order in which they are checked, and the nearest times that would be accepted instead. `reason` and `sentence` are exactly what a request would get now. You may ask about any minute. Send `date` and `time`, or `startsAt`.',
    access: 'any-key',
    tagged: true,
    query: {
      date: Type.String({
        format: 'date',
        description: 'Calendar date of the arrival at the venue, YYYY-MM-DD.',
        examples: ['2026-12-05'],
      }),
      time: Type.String({
        description: 'Arrival time at the venue: `19:00`, `7:00 PM`, `7pm` and the like.',
        examples: ['19:15'],
      }),
      startsAt: Type.String({
        description: 'Instead of `date` and `time`: ISO 8601 date and time with an offset.',
      }),
      partySize,
    },
    queryRequired: ['partySize'],
    replies: { 200: ref(AvailabilityCheck) },
    badRequest: 'The time or `partySize` is missing or cannot be read.',
  },

  createHold: {
    id: 'createHold',
    method: 'POST',
    path: '/api/v1/holds',
    group: 'Availability',
    since: '2026-11-23',
    summary: 'Hold a time',
    description: `Holds a time for ${limits.holdMinutes} minutes while somebody gives their details, after checking every rule a request is checked by. Until it expires nobody else gets its places; then they are free again at once. Book it with \`holdId\`; a request without a hold is judged just the same. A key may have ${limits.holdsOfKey} holds at a time. Send \`date\` and \`time\`, or \`startsAt\`.`,
    access: 'write',
    scope: 'reservations:create',
    body: NewHold,
    bodyLimit: body64,
    // Made twice, one of them is never used and ends by itself.
    idempotency: 'take-over',
    replies: { 201: ref(Hold) },
    badRequest: 'A field is missing or cannot be read.',
    reasons: [...refusedByRules, 'too-many-holds', ...keyClash],
  },

  createReservation: {
    id: 'createReservation',
    method: 'POST',
    path: '/api/v1/reservations',
    group: 'Reservations',
    summary: 'Request a reservation',
    description:
      'Makes a request for staff to confirm, after checking every rule of the venue: hours, closed days, blocks, same-day cut-off, party limits, notice, how far ahead, last arrival, set seating times and pacing. No table is assigned and no email is sent to the guest. Send `date` and `time`, or `startsAt`.',
    access: 'write',
    scope: 'reservations:create',
    query: {
      alternatives,
    },
    body: NewReservation,
    bodyLimit: body64,
    dryRun: true,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object(
        { reservation: ref(Reservation) },
        { title: 'ReservationReply', description: 'The request was made.' },
      ),
    },
    badRequest: 'A field is missing or cannot be read.',
    reasons: [...refusedByRules, ...keyClash, 'outcome-unknown'],
  },

  findReservations: {
    id: 'findReservations',
    method: 'GET',
    path: '/api/v1/reservations/find',
    group: 'Reservations',
    summary: 'Find reservations of a guest',
    description: `By the email address or the phone number on the booking; with both, bookings that carry either. Upcoming first, soonest first; then past, most recent first. At most ${limits.reservationFindMost}.`,
    access: 'any-key',
    scope: 'reservations:read',
    query: {
      email,
      phone,
      date: Type.String({ description: 'Only this calendar date at the venue, YYYY-MM-DD.', format: 'date' }),
    },
    replies: { 200: listOf(Reservation, 'Upcoming, then past; empty means none.') },
    badRequest: 'Neither an email nor a phone with at least 7 digits, or a date that cannot be read.',
  },

  getReservation: single('getReservation', 'reservation', 'Reservations', 'reservation'),

  updateReservation: {
    ...change,
    query: { alternatives },
    refusedFields: [
      'status',
      'source',
      'bookingType',
      'durationMinutes',
      'floorStage',
      'checkedInAt',
      'cancelledAt',
      'cancelledBy',
      'confirmed',
      'override',
    ],
    replies: {
      ...change.replies,
      202: Type.Object(
        { reservation: ref(Reservation), change: ReservationChange },
        {
          title: 'ReservationChangeAsked',
          description: 'Staff have to answer. `reservation` is the booking as it is until then.',
        },
      ),
    },
    badRequest: 'No field is named, or one cannot be read.',
    reasons: [
      ...change.reasons,
      'erased',
      'staff-only',
      'not-in-state',
      'change-pending',
      'too-late',
      ...refusedByRules,
      'experience-full',
    ],
    sentences: {
      'not-in-state': 'This reservation is Completed, so it can no longer be changed.',
      'too-late': 'The booked time has come, so it can no longer be changed here; please call the venue.',
    },
  },

  cancelReservation: {
    ...cancel,
    body: ReservationCancellation,
    bodyOptional: true,
    badRequest: 'A field cannot be read.',
    reasons: [...cancel.reasons, 'erased', 'too-late', 'not-in-state'],
    sentences: { 'not-in-state': 'This booking is Completed, so you cannot cancel it now.' },
  },

  getReservationChange: {
    id: 'getReservationChange',
    method: 'GET',
    path: '/api/v1/reservations/{id}/change',
    group: 'Reservations',
    since: '2026-11-24',
    summary: 'Read the requested change',
    description:
      'The change of a reservation that staff have yet to answer. 404 when no change is pending: how it was answered is `answer` of the `reservation.change_answered` event.',
    access: 'any-key',
    scope: 'reservations:read',
    params: { id: 'record' },
    kind: 'reservation',
    replies: { 200: ReservationChange },
    reasons: kinds.reservation.gone,
  },

  withdrawReservationChange: {
    id: 'withdrawReservationChange',
    method: 'DELETE',
    path: '/api/v1/reservations/{id}/change',
    group: 'Reservations',
    since: '2026-11-23',
    summary: 'Withdraw a requested change',
    description:
      'The booking stays as it is, and the place held for it is released. 404 when no change is pending.',
    access: 'write',
    scope: 'reservations:edit',
    params: { id: 'record' },
    kind: 'reservation',
    precondition: 'optional',
    replies: {
      200: Type.Object(
        { reservation: ref(Reservation), change: ReservationChange },
        { title: 'ReservationChangeWithdrawn', description: 'The change was withdrawn.' },
      ),
    },
    reasons: [...kinds.reservation.gone, 'changed-meanwhile'],
  },
} as const satisfies Record<string, Endpoint>
