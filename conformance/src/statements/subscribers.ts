import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'

const consent = { source: 'Conformance', statement: 'Send me news.' }

export const subscribers: Section = {
  name: 'Subscribers',
  about: 'The email list: nobody is added without evidence, and nobody who left is added again.',
  statements: [
    {
      number: '1',
      says: 'POST adds somebody: 201, added true, status subscribed, a message and the subscriber.',
      check: async ({ write, person }) => {
        const { email } = person()
        const body = { email, firstName: 'Ada', consent: { ...consent, at: '2026-01-05T12:00:00+01:00' } }
        const reply = await write.post('/subscribers', body)
        expectStatus(reply, 201)
        expectFields(reply.body, { added: true, status: 'subscribed' }, 'the reply')
        expectThat(/\w.*\.$/.test(reply.body.message), 'a sentence', reply.body.message)
        const wanted = {
          email,
          firstName: 'Ada',
          status: 'subscribed',
          consentAt: '2026-01-05T11:00:00.000Z',
        }
        expectFields(reply.body.subscriber, wanted, 'the subscriber')
      },
    },
    {
      number: '2.1',
      says: 'Address and consent evidence are required; without consent.source it is 400.',
      check: async ({ write, person }) => {
        const { email } = person()
        for (const body of [
          { consent },
          { email },
          { email, consent: {} },
          { email, consent: { statement: 'Send me news.' } },
          { email, consent: 'yes' },
          { email: 'nobody', consent },
        ]) {
          expectRefusal(await write.post('/subscribers', body), 400)
        }
        const list = await write.get('/subscribers', { limit: 100 })
        expectThat(!list.text.includes(email), 'nobody of that address on the list', email)
      },
    },
    {
      number: '2.2',
      says: 'consent.at has a time zone and is not in the future.',
      check: async ({ write, person, now }) => {
        const tomorrow = new Date((await now()).getTime() + 86_400_000).toISOString()
        for (const at of [tomorrow, '2026-01-05T12:00:00', 'yesterday']) {
          const body = { email: person().email, consent: { ...consent, at } }
          expectRefusal(await write.post('/subscribers', body), 400)
        }
      },
    },
    {
      number: '3.1',
      says: 'Somebody who unsubscribed is never added again: 200, added false, status unsubscribed.',
      check: async ({ write, make }) => {
        const { id, email } = await make.subscriber()
        expectStatus(await write.post(`/subscribers/${id}/unsubscribe`), 200)
        const reply = await write.post('/subscribers', { email, consent })
        expectStatus(reply, 200)
        expectFields(reply.body, { added: false, status: 'unsubscribed' }, 'the reply')
        expectFields(reply.body.subscriber, { id, status: 'unsubscribed' }, 'the subscriber')
      },
    },
    {
      number: '3.2',
      says: 'An address on the do-not-email list: 200, added false, status suppressed, subscriber null.',
      check: async ({ write, person }) => {
        const { email } = person()
        expectStatus(await write.post('/subscribers/unsubscribe', { email }), 200)
        const reply = await write.post('/subscribers', { email, consent })
        expectStatus(reply, 200)
        expectFields(reply.body, { added: false, status: 'suppressed', subscriber: null }, 'the reply')
      },
    },
    {
      number: '3.3',
      says: 'Somebody who is on the list already: 200, added false.',
      check: async ({ write, make }) => {
        const { id, email } = await make.subscriber()
        const reply = await write.post('/subscribers', { email: email.toUpperCase(), consent })
        expectStatus(reply, 200)
        expectFields(reply.body, { added: false, status: 'subscribed' }, 'the reply')
        expectEqual(reply.body.subscriber.id, id, 'the id of the subscriber')
      },
    },
  ],
}
