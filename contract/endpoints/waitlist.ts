import { Type } from 'typebox'
import {
  body64,
  byCreation,
  editReasonsOf,
  type Endpoint,
  keyClash,
  list,
  move,
  moveReasonsOf,
  patch,
  single,
} from '../webhooks/endpoint.ts'
import { ref } from '../shapes.ts'
import {
  NewWaitlistEntry,
  WaitlistEntry,
  WaitlistEntryChanges,
  waitlistStatuses,
} from '../records/waitlist-entry.ts'

export const waitlistEndpoints = {
  listWaitlist: list(
    'listWaitlist',
    '/api/v1/waitlist',
    'Waitlist',
    WaitlistEntry,
    {
      summary: 'List waitlist entries',
      description: 'The newest parties that joined the waitlist, in every status.',
    },
    {
      filters: {
        status: { closed: waitlistStatuses },
        dateFrom: true,
        dateTo: true,
        email: true,
        phone: true,
        externalId: true,
      },
      sorts: byCreation,
    },
  ),

  getWaitlistEntry: single('getWaitlistEntry', 'waitlist_entry', 'Waitlist', 'waitlist entry'),

  joinWaitlist: {
    id: 'joinWaitlist',
    method: 'POST',
    path: '/api/v1/waitlist',
    group: 'Waitlist',
    since: '2026-11-23',
    summary: 'Put a party on the waitlist',
    description:
      'The party waits for this evening, or for the date you send. No table is promised, no wait is quoted, and nothing is sent to them.',
    access: 'write',
    scope: 'waitlist:create',
    body: NewWaitlistEntry,
    bodyLimit: body64,
    dryRun: true,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object(
        { waitlistEntry: ref(WaitlistEntry) },
        { title: 'WaitlistEntryReply', description: 'The party is on the waitlist.' },
      ),
    },
    badRequest: 'A field is missing or cannot be read.',
    reasons: [
      'closed',
      'outside-hours',
      'party-too-small',
      'party-too-large',
      'waitlist-closed',
      ...keyClash,
      'outcome-unknown',
    ],
  },

  updateWaitlistEntry: {
    ...patch(
      'updateWaitlistEntry',
      'waitlist_entry',
      'Waitlist',
      {
        summary: 'Change a waiting party',
        description:
          'Possible while the party is waiting or has been offered a table. A field that is left out stays as it is; `null` empties it.',
      },
      WaitlistEntryChanges,
    ),
    refusedFields: ['status', 'source', 'quotedMinutes', 'quotedAt', 'pagedAt', 'seatedAt', 'leftAt'],
    reasons: [
      ...editReasonsOf('waitlist_entry'),
      'erased',
      'staff-only',
      'not-in-state',
      'party-too-small',
      'party-too-large',
    ],
  },

  leaveWaitlist: {
    ...move('leaveWaitlist', 'waitlist_entry', 'leave', 'Waitlist', {
      summary: 'Take a party off the waitlist',
      description:
        'Takes no body. A party that has already left stays as it is; one that has a table cannot leave this way.',
    }),
    reasons: [...moveReasonsOf('waitlist_entry'), 'not-in-state'],
  },
} as const satisfies Record<string, Endpoint>
