import { answerOf, expectEqual, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'

export const service: Section = {
  name: 'Service',
  about: 'What the service does, and what it never shows.',
  statements: [
    {
      number: '1.1',
      says: 'Each key belongs to one venue: another venue sees nothing of this one in its lists and searches.',
      needs: ["another venue's key"],
      check: async ({ make, other }) => {
        const guest = await make.guest()
        const list = await other.get('/guests', { limit: 100 })
        expectThat(!list.text.includes(guest.email), 'a list without the guest of this venue', guest.email)
        const found = await other.get('/guests/find', { email: guest.email })
        expectEqual(found.body, [], "what another venue's search finds")
      },
    },
    {
      number: '1.2',
      says: "Another venue's record is answered word for word as one that nobody has.",
      needs: ["another venue's key"],
      check: async ({ make, other }) => {
        const { id } = await make.guest()
        const theirs = await other.get(`/guests/${id}`)
        const nobodys = await other.get('/guests/999999999999')
        expectStatus(theirs, 404)
        expectEqual(theirs.body, nobodys.body, "the answer about another venue's guest")
      },
    },
    {
      number: '1.3',
      says: 'Nothing in a request can point a key at another venue.',
      needs: ["another venue's key"],
      check: async ({ make, other, venue }) => {
        const guest = await make.guest()
        const query = { venue: venue.slug, venueId: 1, slug: venue.slug, limit: 100 }
        const list = await other.get('/guests', query, { 'x-venue': venue.slug })
        expectThat(!list.text.includes(guest.email), 'a list without the guest of this venue', guest.email)
        const me = await other.get('/me', query)
        expectThat(me.body.venue.slug !== venue.slug, "the other key's own venue", me.body.venue)
      },
    },
    {
      number: '2',
      says: 'Reservations, guests, subscribers, ticket orders, waitlist entries and leads can be read.',
      needs: ['read key'],
      check: async ({ read }) => {
        for (const kind of ['reservations', 'guests', 'subscribers', 'ticket-orders', 'waitlist', 'leads']) {
          const list = await read.get(`/${kind}`)
          expectStatus(list, 200)
          expectThat(Array.isArray(list.body), `an array of ${kind}`, answerOf(list))
        }
      },
    },
    {
      number: '7',
      says: "Staff's notes about a guest, and what is added to them, are in no answer.",
      check: async ({ write, person, unique }) => {
        const { email } = person()
        const secret = unique('Secret')
        const made = await write.post('/guests', { email, notes: secret })
        const found = await write.get('/guests/find', { email })
        const single = await write.get(`/guests/${made.body.guest.id}`)
        const list = await write.get('/guests', { limit: 100 })
        for (const reply of [made, found, single, list]) {
          expectThat(!reply.text.includes(secret), 'an answer without the notes', answerOf(reply))
        }
      },
    },
  ],
}
