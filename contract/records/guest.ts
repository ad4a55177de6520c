import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  clearable,
  dateOrNull,
  externalId,
  inputEmail,
  inputExternalId,
  laterExternalId,
  inputPhone,
  inputText,
  integerOrNull,
  momentOrNull,
  record,
  recordId,
  revision,
  textOrNull,
} from '../shapes.ts'

export const Guest = record(
  'Guest',
  'A person the venue knows. Staff notes and allergies are never part of it.',
  {
    id: 3107,
    name: 'Maya Okafor',
    email: 'maya.okafor@example.com',
    phone: '(212) 555-0147',
    seatingPreference: 'Booth',
    referralSource: null,
    visitCount: 6,
    noShowCount: 0,
    cancellationCount: 1,
    lastVisitDate: '2026-08-21',
    externalId: 'crm-90117',
    createdAt: '2025-02-11T22:40:10.003Z',
    updatedAt: '2026-08-21T23:12:54.871Z',
    revision: 14,
  },
  {
    id: recordId('guest'),
    name: textOrNull("The guest's name."),
    email: textOrNull("The guest's email address, as it was given."),
    phone: textOrNull("The guest's phone number, as typed."),
    seatingPreference: textOrNull('Where the guest likes to sit, in the words of the venue.'),
    referralSource: textOrNull('How the guest heard of the venue.'),
    visitCount: integerOrNull('Bookings of the guest that were seated.'),
    noShowCount: integerOrNull('Bookings to which the guest did not come.'),
    cancellationCount: integerOrNull(
      'Bookings the guest cancelled; those the venue cancelled are not counted.',
    ),
    lastVisitDate: dateOrNull('Service date of the latest visit.'),
    externalId,
    createdAt: momentOrNull('When the guest was first recorded.'),
    updatedAt: momentOrNull('When the record last changed.'),
    revision,
  },
)
export type Guest = Static<typeof Guest>

export const NewGuest = Type.Object(
  {
    name: Type.Optional(inputText("The guest's name.", limits.nameCharacters)),
    email: Type.Optional(inputEmail("The guest's email address. Needed, unless a usable phone is sent.")),
    phone: Type.Optional(
      inputPhone("The guest's phone number, 7 digits or more. Needed, unless an email is sent."),
    ),
    notes: Type.Optional(
      inputText('Added to the notes for staff, which no reply shows.', limits.notesCharacters),
    ),
    externalId: laterExternalId,
  },
  {
    title: 'NewGuest',
    description: 'A guest to create, or to match and fill in.',
    examples: [{ name: 'Maya Okafor', email: 'maya.okafor@example.com', phone: '(212) 555-0147' }],
  },
)
export type NewGuest = Static<typeof NewGuest>

/** Supplied values that differ from the guest record; they went into the notes for staff. */
export const Conflicting = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'The name as supplied.' })),
    email: Type.Optional(Type.String({ description: 'The email address as supplied.' })),
    phone: Type.Optional(Type.String({ description: 'The phone number as supplied.' })),
    externalId: Type.Optional(Type.String({ description: 'Your id as supplied.' })),
  },
  {
    description:
      'Supplied values that differ from the record, keyed by field. They were written into the notes for staff. Left out when there are none.',
    examples: [{ phone: '(646) 555-0100' }],
  },
)
export type Conflicting = Static<typeof Conflicting>

export const GuestChanges = Type.Object(
  {
    name: clearable(inputText("The guest's name.", limits.nameCharacters)),
    email: clearable(inputEmail("The guest's email address; no other guest may have it.")),
    phone: clearable(inputPhone("The guest's phone number.")),
    seatingPreference: clearable(inputText('Where the guest likes to sit.')),
    referralSource: clearable(inputText('How the guest heard of the venue.')),
    externalId: clearable(inputExternalId),
  },
  {
    title: 'GuestChanges',
    description: 'Changes to a guest. A guest must keep a name, an email or a phone number.',
    examples: [{ phone: '(646) 555-0100', seatingPreference: null }],
  },
)
export type GuestChanges = Static<typeof GuestChanges>

const before = () => Type.Optional(Type.String({ description: 'The previous value.' }))

/** The values that a change of a guest overwrote. */
export const Replaced = Type.Object(
  {
    name: before(),
    email: before(),
    phone: before(),
    seatingPreference: before(),
    referralSource: before(),
    externalId: before(),
  },
  {
    description:
      'The values that were overwritten, keyed by field; `{}` when there were none. They are also in the notes for staff.',
    examples: [{ phone: '(212) 555-0147' }],
  },
)
export type Replaced = Static<typeof Replaced>
