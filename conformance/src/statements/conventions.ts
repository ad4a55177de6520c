import { expectEqual, expectHeader, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'

const minuteMs = 60_000
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const conventions: Section = {
  name: 'Conventions',
  about: 'What is true of every answer.',
  statements: [
    {
      number: '1',
      says: 'Bodies and responses are JSON, refusals too, no matter what the caller says it accepts.',
      check: async ({ write, nobody }) => {
        const accept = { accept: 'text/html' }
        for (const reply of [
          await write.get('/me', {}, accept),
          await nobody.get('/me', {}, accept),
          await write.get('/guests/find', {}, accept),
          await write.get('/nothing-here', {}, accept),
        ]) {
          expectHeader(reply, 'content-type', /^application\/json(;|$)/)
        }
      },
    },
    {
      number: '2.1',
      says: 'Every field of an object is always present, and null when it has no value.',
      check: async ({ make, write }) => {
        const { email } = await make.guest({ name: undefined, phone: undefined })
        const found = await write.get('/guests/find', { email })
        expectEqual([found.body[0].name, found.body[0].phone], [null, null], 'name and phone of the guest')
      },
    },
    {
      number: '2.2',
      says: 'Fields that the service does not know are ignored.',
      check: async ({ write, unique }) => {
        const title = unique()
        const reply = await write.post('/tasks', { title, colour: 'blue', nested: { deep: [1] } })
        expectStatus(reply, 201)
        expectEqual(reply.body.task.title, title, 'the title')
        expectThat(!('colour' in reply.body.task), 'a task without the unknown field', reply.body.task)
      },
    },
    {
      number: '3.1',
      says: 'Dates are YYYY-MM-DD and times HH:MM in 24 hours, in the venue’s local time.',
      check: async ({ make, openTime }) => {
        const { date, time } = await openTime()
        const booking = await make.reservation({ date, time })
        expectEqual([booking.date, booking.time], [date, time], 'date and time of the booking')
      },
    },
    {
      number: '3.2',
      says: 'GET /me names the IANA time zone of the venue.',
      check: async ({ write }) => {
        const { body } = await write.get('/me')
        const { timezone } = body.venue
        expectThat(isZone(timezone), 'an IANA time zone', timezone)
      },
    },
    {
      number: '4',
      says: 'A moment, such as createdAt, is an ISO 8601 date-time in UTC ending in Z.',
      check: async ({ make, now }) => {
        const { createdAt } = await make.guest()
        expectThat(moment.test(createdAt), 'a moment ending in Z', createdAt)
        const awayMs = Math.abs(Date.parse(createdAt) - (await now()).getTime())
        expectThat(awayMs < 2 * minuteMs, 'the moment of now, by the Date of the service', createdAt)
      },
    },
    {
      number: '5',
      says: 'Each kind of record has one shape: the same in replies, lists and searches.',
      check: async ({ make, write }) => {
        const guest = await make.guest()
        const list = await write.get('/guests', { limit: 100, since: guest.createdAt })
        const found = await write.get('/guests/find', { email: guest.email })
        expectEqual(
          list.body.find(({ id }: { id: number }) => id === guest.id),
          guest,
          'the guest in the list',
        )
        expectEqual(found.body[0], guest, 'the guest that is found')
      },
    },
    {
      number: '6',
      says: 'Every answer has an X-Request-Id of its own, is not stored by caches, and is open to no page of a browser.',
      check: async ({ write, nobody }) => {
        const headers = { origin: 'https://example.com' }
        const replies = [
          await write.get('/me', {}, headers),
          await nobody.get('/me', {}, headers),
          await write.get('/x', {}, headers),
        ]
        for (const reply of replies) {
          expectHeader(reply, 'x-request-id', /\S{8,}/)
          expectHeader(reply, 'cache-control', /^no-store$/)
          const open = reply.headers.get('access-control-allow-origin')
          expectThat(open === null, 'no Access-Control-Allow-Origin', open)
        }
        const ids = new Set(replies.map(({ requestId }) => requestId))
        expectEqual(ids.size, replies.length, 'the number of different request ids')
      },
    },
  ],
}

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
