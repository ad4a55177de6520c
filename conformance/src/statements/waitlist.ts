import { expectFields, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'

const statuses = ['waiting', 'offered', 'booked', 'expired', 'cancelled']

export const waitlist: Section = {
  name: 'Waitlist',
  about: 'Parties that wait for a table.',
  statements: [
    {
      number: '1',
      says: 'A party is waiting, offered, booked, expired or cancelled.',
      check: async ({ write }) => {
        const { body } = await write.get('/waitlist', { limit: limits.listMost })
        for (const { status } of body) expectThat(statuses.includes(status), statuses.join(', '), status)
      },
    },
    {
      number: '2',
      says: 'A party that was seated is booked and has seatedAt.',
      needs: ['trigger'],
      check: async ({ trigger, write }) => {
        const { id } = await trigger('waitlist.seated')
        const { body } = await write.get(`/waitlist/${id}`)
        expectFields(body, { status: 'booked' }, 'the party')
        expectThat(typeof body.seatedAt === 'string', 'the moment it was seated', body.seatedAt)
      },
    },
    {
      number: '3',
      says: 'A party that left unseated has leftAt.',
      check: async ({ make, write }) => {
        const { id } = await make.waitlistEntry()
        await write.post(`/waitlist/${id}/leave`)
        const { body } = await write.get(`/waitlist/${id}`)
        expectThat(typeof body.leftAt === 'string' && body.seatedAt === null, 'the moment it left', body)
      },
    },
  ],
}
