import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { WaitlistEntryChanges } from '@venue-data/contract/records/waitlist-entry.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { recordWrite } from '../../platform/http/records/record-write.ts'
import { created, route } from '../../platform/http/serve.ts'
import { recordRoute } from '../../platform/http/records/single-record.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { type ClockTime, readTime } from '../../platform/kernel/time/written-time.ts'
import { changeEntry, joinByKey, leaveByKey } from './by-key.ts'
import { listedWaitlistEntries } from './list.ts'
import { entryRecord, presentWaitlistEntry } from '../day/entry-row.ts'
import { waitlistEntry } from './reads.ts'

export const waitlistRoutes = [
  listRoute(endpoints.listWaitlist, { source: listedWaitlistEntries, present: presentWaitlistEntry }),

  recordRoute(endpoints.getWaitlistEntry, { byId: waitlistEntry, present: presentWaitlistEntry }),

  route(endpoints.joinWaitlist, {
    read: ({ body: { date, requestedTime, windowStart, windowEnd, ...body }, caller }) => {
      if (body.email === undefined && body.phone === undefined) {
        throw badRequest('Send an email or a phone.', inBody('email', 'missing', 'no-contact'))
      }
      const time = (name: string, text: string | undefined) =>
        text === undefined ? null : timeOf(name, text)
      return {
        actor: { kind: 'key' as const, id: caller.key.id },
        joining: {
          guestName: body.guestName,
          partySize: body.partySize,
          email: body.email?.trim() ?? null,
          phone: body.phone ?? null,
          notes: body.notes ?? null,
          externalId: body.externalId ?? null,
          requestedTime: time('requestedTime', requestedTime),
          windowStart: time('windowStart', windowStart),
          windowEnd: time('windowEnd', windowEnd),
          ...(date !== undefined && { date }),
        },
      }
    },
    answer: async (work, { actor, joining }) =>
      created({ waitlistEntry: await joinByKey(work, actor, joining) }),
  }),

  recordWrite(endpoints.updateWaitlistEntry, {
    read: ({ body }) => columnsOf(body),
    write: (work, { actor, input, ...seen }) => changeEntry(work, actor, { ...seen, changes: input }),
    present: presentWaitlistEntry,
  }),

  recordWrite(endpoints.leaveWaitlist, {
    write: (work, { actor, ...seen }) => leaveByKey(work, actor, seen),
    present: presentWaitlistEntry,
  }),
]

const columnsOf = ({ email, requestedTime, windowStart, windowEnd, ...words }: WaitlistEntryChanges) =>
  entryRecord.columns({
    ...words,
    email: email?.trim() ?? email,
    requestedTime: requestedTime && timeOf('requestedTime', requestedTime),
    windowStart: windowStart && timeOf('windowStart', windowStart),
    windowEnd: windowEnd && timeOf('windowEnd', windowEnd),
  })

const timeOf = (name: string, text: string): ClockTime => {
  const time = readTime(text)
  if (time === undefined) {
    throw badRequest(`${name} cannot be read; write it like 19:00 or 7:00 PM.`, inBody(name, 'not-a-time'))
  }
  return time
}
