import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'

export const guests: Section = {
  name: 'Guests',
  about: 'The people the venue knows: matched by address, then by number, and never overwritten.',
  statements: [
    {
      number: '1.1',
      says: 'POST makes a guest whom nobody matches: 201, created true.',
      check: async ({ write, person }) => {
        const somebody = person()
        const reply = await write.post('/guests', somebody)
        expectStatus(reply, 201)
        expectEqual(reply.body.created, true, 'created')
        expectFields(reply.body.guest, somebody, 'the guest')
      },
    },
    {
      number: '1.2',
      says: 'An email, or a phone with at least 7 digits, is needed; the 400 says so.',
      check: async ({ write, person }) => {
        const { name } = person()
        for (const body of [{ name }, { name, phone: '555-012' }, {}]) {
          const reply = await write.post('/guests', body)
          expectRefusal(reply, 400)
          expectThat(/email.*phone/i.test(reply.body.error), 'what to send', reply.body.error)
        }
      },
    },
    {
      number: '2.1',
      says: 'Matching is by exact email first: 200, created false, the same guest.',
      check: async ({ write, make }) => {
        const { id, name, email } = await make.guest()
        const reply = await write.post('/guests', { name, email: email.toUpperCase() })
        expectStatus(reply, 200)
        expectEqual([reply.body.created, reply.body.guest.id], [false, id], 'created and the id')
      },
    },
    {
      number: '2.2',
      says: 'Then by phone.',
      check: async ({ write, make, person }) => {
        const { id, name, phone } = await make.guest({ email: undefined })
        const reply = await write.post('/guests', {
          name,
          phone: phone.replaceAll(/\D/g, ''),
          email: person().email,
        })
        expectStatus(reply, 200)
        expectEqual(reply.body.guest.id, id, 'the id of the guest with that number')
      },
    },
    {
      number: '2.3',
      says: 'The email wins where email and phone are of two guests.',
      check: async ({ write, make }) => {
        const byEmail = await make.guest({ phone: undefined })
        const byPhone = await make.guest({ email: undefined })
        const reply = await write.post('/guests', { email: byEmail.email, phone: byPhone.phone })
        expectStatus(reply, 200)
        expectEqual(reply.body.guest.id, byEmail.id, 'the id of the guest with that address')
      },
    },
    {
      number: '3.1',
      says: 'Name, email and phone of a match are filled in where empty.',
      check: async ({ write, make, person }) => {
        const { id, email } = await make.guest({ name: undefined, phone: undefined })
        const { name, phone } = person()
        const reply = await write.post('/guests', { email, name, phone })
        expectStatus(reply, 200)
        expectFields(reply.body.guest, { id, email, name, phone }, 'the guest who was filled in')
      },
    },
    {
      number: '3.2',
      says: 'They are never replaced: a differing value comes back in conflicting.',
      check: async ({ write, make, person }) => {
        const guest = await make.guest()
        const { phone } = person()
        const reply = await write.post('/guests', { email: guest.email, phone, name: guest.name })
        expectStatus(reply, 200)
        expectEqual(reply.body.guest.phone, guest.phone, 'the phone that was there')
        expectEqual(reply.body.conflicting, { phone }, 'conflicting')
        const found = await write.get('/guests/find', { email: guest.email })
        expectEqual(found.body[0].phone, guest.phone, 'the phone that is kept')
      },
    },
    {
      number: '4.1',
      says: 'find gives at most one guest; an empty array means not found.',
      check: async ({ write, make, person }) => {
        const guest = await make.guest()
        const byEmail = await write.get('/guests/find', { email: guest.email })
        const byPhone = await write.get('/guests/find', { phone: guest.phone })
        expectEqual([byEmail.body, byPhone.body], [[guest], [guest]], 'the guest by address and by number')
        const nobody = await write.get('/guests/find', { email: person().email })
        expectEqual(nobody.body, [], 'what is found by an address that nobody has')
      },
    },
    {
      number: '4.2',
      says: 'find without an email or a phone of 7 digits is 400, and says so.',
      check: async ({ write }) => {
        for (const query of [{}, { phone: '123456' }, { email: '' }]) {
          const reply = await write.get('/guests/find', query)
          expectRefusal(reply, 400)
          expectThat(/email.*phone/i.test(reply.body.error), 'what to send', reply.body.error)
        }
      },
    },
    {
      number: '5',
      says: 'A visit counts: visitCount and lastVisitDate after a party was seated.',
      needs: ['trigger'],
      check: async ({ trigger, write }) => {
        const booking = await trigger('reservation.completed')
        const { body } = await write.get('/guests', { reservation: booking.id })
        expectThat(body[0]?.visitCount >= 1, 'a visit of the guest', body[0])
        expectEqual(body[0].lastVisitDate, booking.date, 'lastVisitDate')
      },
    },
  ],
}
