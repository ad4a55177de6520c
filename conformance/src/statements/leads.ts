import { expectEqual, expectFields, expectRefusal, expectStatus } from '../expect.ts'
import type { Section } from '../statement.ts'

export const leads: Section = {
  name: 'Leads',
  about: 'Inquiries about private events.',
  statements: [
    {
      number: '1.1',
      says: 'POST makes a lead at stage Inquiry: 201, submittedVia automation, with what was sent.',
      check: async ({ write, person }) => {
        const { name, email, phone } = person()
        const body = {
          ...{ occasion: 'Birthday', eventName: 'Her 40th', guestCount: '35-40', budgetPerPerson: '$90' },
          ...{ priority: 'High', notes: 'A piano, perhaps.' },
        }
        const reply = await write.post('/leads', { ...body, name, email, phone, eventDate: '2031-01-16' })
        expectStatus(reply, 201)
        const read = { contactName: name, contactEmail: email, contactPhone: phone, date: '2031-01-16' }
        const made = { stage: 'Inquiry', submittedVia: 'automation' }
        expectFields(reply.body.lead, { ...body, ...read, ...made }, 'the lead')
      },
    },
    {
      number: '1.2',
      says: 'eventName is TBD when left out.',
      check: async ({ make }) => expectEqual((await make.lead()).eventName, 'TBD', 'eventName'),
    },
    {
      number: '1.3',
      says: 'priority is High, Medium or Low.',
      check: async ({ write, make, person }) => {
        expectEqual((await make.lead({ priority: 'low' })).priority, 'Low', 'priority')
        expectRefusal(await write.post('/leads', { name: person().name, priority: 'Urgent' }), 400)
      },
    },
    {
      number: '2',
      says: 'Without a name it is 400, and with an eventDate that is no date.',
      check: async ({ write, person }) => {
        const { name, email } = person()
        for (const body of [{ email }, { name: '', email }, { name, email, eventDate: 'in spring' }]) {
          expectRefusal(await write.post('/leads', body), 400)
        }
      },
    },
    {
      number: '3',
      says: 'The contact is matched to a guest as POST /guests does it.',
      check: async ({ make, write }) => {
        const { id, name, email } = await make.guest()
        const lead = await make.lead({ name, email })
        const found = await write.get('/guests', { lead: lead.id })
        expectEqual(
          found.body.map((guest: { id: number }) => guest.id),
          [id],
          'the guest of the lead',
        )
      },
    },
  ],
}
