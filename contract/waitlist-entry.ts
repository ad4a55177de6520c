import type { Static } from 'typebox'
import {
  dateOrNull,
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
    createdAt: moment('When they joined.'),
    updatedAt: moment('When the entry last changed.'),
    revision,
  },
)
export type WaitlistEntry = Static<typeof WaitlistEntry>
