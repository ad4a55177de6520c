import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  clearable,
  dateOrNull,
  externalId,
  inputDate,
  inputEmail,
  inputExternalId,
  inputName,
  inputPhone,
  inputText,
  inputTime,
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

export const waitlistStatuses = ['waiting', 'offered', 'booked', 'expired', 'cancelled'] as const
export type WaitlistStatus = (typeof waitlistStatuses)[number]

export const waitlistSources = ['public', 'staff'] as const
export type WaitlistSource = (typeof waitlistSources)[number]

export const WaitlistEntry = record(
  'WaitlistEntry',
  'A party waiting for a table.',
  {
    id: 77,
    guestName: 'Maya Okafor',
    email: null,
    phone: '(212) 555-0147',
    partySize: 2,
    date: '2026-10-09',
    requestedTime: null,
    windowStart: '19:00',
    windowEnd: '21:30',
    status: 'offered',
    source: 'public',
    notes: 'The bar is fine too.',
    quotedMinutes: 35,
    quotedAt: '2026-10-09T23:04:05.120Z',
    pagedAt: '2026-10-09T23:41:12.900Z',
    seatedAt: null,
    leftAt: null,
    externalId: null,
    createdAt: '2026-10-09T23:04:05.120Z',
    updatedAt: '2026-10-09T23:41:12.900Z',
    revision: 4,
  },
  {
    id: recordId('waitlist entry'),
    guestName: textOrNull('Name of the party.'),
    email: textOrNull('Email address, if given.'),
    phone: textOrNull('Phone number, if given, as typed.'),
    partySize: integerOrNull('Number of guests.'),
    date: dateOrNull('The evening they wait for.'),
    requestedTime: timeOrNull('The time they asked for, if any.'),
    windowStart: timeOrNull('Start of the window in which they can come.'),
    windowEnd: timeOrNull('End of the window in which they can come.'),
    status: openList('Status of the party; `booked` means seated or given a table.', waitlistStatuses),
    source: openList('Joined on the online list, or added by staff.', waitlistSources),
    notes: textOrNull("The party's own request."),
    quotedMinutes: integerOrNull('Latest wait quoted, in minutes.'),
    quotedAt: momentOrNull('When that quote was given.'),
    pagedAt: momentOrNull('When they were told their table is ready.'),
    seatedAt: momentOrNull('When they were seated.'),
    leftAt: momentOrNull('When they left unseated.'),
    externalId,
    createdAt: moment('When they joined.'),
    updatedAt: moment('When the entry last changed.'),
    revision,
  },
)
export type WaitlistEntry = Static<typeof WaitlistEntry>

const fields = {
  guestName: inputName('Name of the party.'),
  partySize: Type.Integer({ minimum: 1, maximum: limits.partyGuests, description: 'Number of guests.' }),
  email: inputEmail('Email address.'),
  phone: inputPhone('Phone number, kept as typed.'),
  requestedTime: inputTime('The time they ask for: `19:00`, `7:00 PM`, `7pm` and the like.'),
  windowStart: inputTime('Start of the window in which they can come.'),
  windowEnd: inputTime('End of the window in which they can come.'),
  notes: inputText("The party's own request.", limits.notesCharacters),
}

export const NewWaitlistEntry = Type.Object(
  {
    guestName: fields.guestName,
    partySize: fields.partySize,
    email: Type.Optional(inputEmail('Email address. Needed, unless a phone is sent.')),
    phone: Type.Optional(inputPhone('Phone number, kept as typed. Needed, unless an email is sent.')),
    date: Type.Optional(inputDate('The evening they are waiting for, YYYY-MM-DD. Default: this evening.')),
    requestedTime: Type.Optional(fields.requestedTime),
    windowStart: Type.Optional(fields.windowStart),
    windowEnd: Type.Optional(fields.windowEnd),
    notes: Type.Optional(fields.notes),
    externalId: Type.Optional(inputExternalId),
  },
  {
    title: 'NewWaitlistEntry',
    description: 'A party waiting for a table.',
    examples: [
      {
        guestName: 'Maya Okafor',
        partySize: 2,
        phone: '(212) 555-0147',
        windowStart: '19:00',
        windowEnd: '21:30',
      },
    ],
  },
)
export type NewWaitlistEntry = Static<typeof NewWaitlistEntry>

export const WaitlistEntryChanges = Type.Object(
  {
    guestName: Type.Optional(fields.guestName),
    partySize: Type.Optional(fields.partySize),
    email: clearable(fields.email),
    phone: clearable(fields.phone),
    requestedTime: clearable(fields.requestedTime),
    windowStart: clearable(fields.windowStart),
    windowEnd: clearable(fields.windowEnd),
    notes: clearable(fields.notes),
    externalId: clearable(inputExternalId),
  },
  {
    title: 'WaitlistEntryChanges',
    description: 'Changes to a waiting party. It must keep an email or a phone number.',
    examples: [{ partySize: 3, windowEnd: '22:00' }],
  },
)
export type WaitlistEntryChanges = Static<typeof WaitlistEntryChanges>
