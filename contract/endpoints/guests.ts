import { Type } from 'typebox'
import {
  editReasonsOf,
  patch,
  body64,
  byCreation,
  email,
  type Endpoint,
  keyClash,
  list,
  phone,
  single,
} from '../webhooks/endpoint.ts'
import { GuestChanges, Replaced, Conflicting, Guest, NewGuest } from '../records/guest.ts'
import { listOf, ref } from '../shapes.ts'

export const guestEndpoints = {
  listGuests: list(
    'listGuests',
    '/api/v1/guests',
    'Guests',
    Guest,
    {
      summary: 'List guests',
      description: 'The newest guest records.',
    },
    {
      filters: { email: true, phone: true, externalId: true, reservation: true, lead: true },
      sorts: byCreation,
    },
  ),

  createGuest: {
    id: 'createGuest',
    method: 'POST',
    path: '/api/v1/guests',
    group: 'Guests',
    summary: 'Create or fill in a guest',
    description:
      'Matches by exact email address first, then by phone number. A matched guest is only filled in where a field is empty; a value that differs goes into the notes for staff and comes back in `conflicting`. A key that may not read guests learns only the `id` and the `revision` of a matched guest; one that sees no contact details may not call this.',
    access: 'write',
    scope: 'guests:create',
    body: NewGuest,
    bodyLimit: body64,
    looksUpPerson: true,
    dryRun: true,
    idempotency: 'take-over',
    replies: {
      200: Type.Object(
        {
          created: Type.Literal(false, { description: 'No new guest was made.' }),
          guest: ref(Guest),
          conflicting: Type.Optional(Conflicting),
        },
        { title: 'GuestMatchedReply', description: 'A guest matched.' },
      ),
      201: Type.Object(
        {
          created: Type.Literal(true, { description: 'A new guest was made.' }),
          guest: ref(Guest),
        },
        { title: 'GuestCreatedReply', description: 'A new guest was made.' },
      ),
    },
    badRequest: 'Neither an email nor a phone with at least 7 digits, or a field that cannot be read.',
    reasons: ['scope-missing', ...keyClash],
  },

  findGuest: {
    id: 'findGuest',
    method: 'GET',
    path: '/api/v1/guests/find',
    group: 'Guests',
    summary: 'Find a guest',
    description: 'With the same matching as creating one: exact email address first, then phone number.',
    access: 'any-key',
    scope: 'guests:read',
    query: { email, phone },
    replies: { 200: listOf(Guest, 'At most one guest; empty means not found.') },
    badRequest: 'Neither an email nor a phone with at least 7 digits.',
  },

  getGuest: single('getGuest', 'guest', 'Guests', 'guest'),

  updateGuest: {
    ...patch(
      'updateGuest',
      'guest',
      'Guests',
      {
        summary: 'Change a guest',
        description:
          "A field that is left out stays as it is; `null` empties it. Unlike making a guest, this writes over what is there: what was replaced is in the reply and, with the key's name, in the notes for staff. Bookings keep what was typed when they were made.",
      },
      GuestChanges,
    ),
    looksUpPerson: ['email', 'phone'],
    refusedFields: [
      'visitCount',
      'noShowCount',
      'cancellationCount',
      'lastVisitDate',
      'allergies',
      'staffNotes',
    ],
    replies: {
      200: Type.Object(
        {
          guest: ref(Guest),
          changed: Type.Boolean({ description: 'Whether anything changed.', examples: [true] }),
          replaced: Replaced,
        },
        { title: 'GuestReplaced', description: 'The guest as it is now.' },
      ),
    },
    reasons: ['scope-missing', ...editReasonsOf('guest'), 'erased', 'address-taken', 'staff-only'],
  },
} as const satisfies Record<string, Endpoint>
