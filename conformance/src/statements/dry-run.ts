import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const path = '/api/v1/leads'

export const dryRun: Section = {
  name: 'Dry run',
  about: 'What a write would come to, without doing it.',
  statements: [
    {
      number: '1.1',
      says: 'It returns the status and body of the answer, the events and the changes; the id is null.',
      check: async ({ write, person }) => {
        const { name, email } = person()
        const reply = await write.post('/dry-run', { method: 'POST', path, body: { name, email } })
        expectStatus(reply, 200)
        const { wouldAnswer, events, changes } = reply.body
        expectEqual(wouldAnswer.status, 201, 'the status it would have')
        expectFields(wouldAnswer.body.lead, { id: null, contactName: name, stage: 'Inquiry' }, 'the lead')
        const names = events.map(({ event }: Json) => event)
        expectThat(names.includes('lead.created'), 'lead.created', names)
        expectThat(
          changes.some(({ kind, id }: Json) => kind === 'lead' && id === null),
          'a lead',
          changes,
        )
      },
    },
    {
      number: '1.2',
      says: 'Nothing is done: no record, no event, no change.',
      check: async ({ write, person }) => {
        const { name, email } = person()
        const after = (await write.get('/changes', { after: 'latest' })).body.next
        await write.post('/dry-run', { method: 'POST', path, body: { name, email } })
        expectEqual((await write.get('/leads', { email })).body, [], 'leads of that address')
        expectEqual((await write.get('/guests/find', { email })).body, [], 'guests of that address')
        const { changes } = (await write.get('/changes', { after, kinds: 'lead,guest' })).body
        expectThat(!JSON.stringify(changes).includes(email), 'no change', changes)
      },
    },
    {
      number: '1.3',
      says: 'A refusal is reported exactly as the real call would be refused.',
      check: async ({ write, person }) => {
        const body = { guestName: person().name, partySize: 2, date: '2020-01-07', time: '19:00' }
        const real = await write.post('/reservations', body)
        const ask = { method: 'POST', path: '/api/v1/reservations', body }
        const { wouldAnswer } = (await write.post('/dry-run', ask)).body
        expectEqual([wouldAnswer.status, wouldAnswer.body], [real.status, real.body], 'status and body')
      },
    },
    {
      number: '2',
      says: 'A call that cannot be tried is 409 no-dry-run.',
      check: async ({ write }) => {
        for (const ask of [
          { method: 'GET', path: '/api/v1/guests' },
          { method: 'POST', path: '/api/v1/campaigns/send', body: { id: 1 } },
        ]) {
          expectRefusal(await write.post('/dry-run', ask), 409, 'no-dry-run')
        }
      },
    },
    {
      number: '3',
      says: 'It needs what the real call needs.',
      needs: ['read key'],
      check: async ({ read, person }) =>
        expectRefusal(await read.post('/dry-run', { method: 'POST', path, body: person() }), 403),
    },
  ],
}
