import { faultsOfShape } from '../documents.ts'
import { expectEqual, expectThat } from '../expect.ts'
import type { Section, Statement } from '../statement.ts'
import { type Json, type World, isOf } from '../world.ts'

type Event = {
  readonly name: string
  readonly when: string
  readonly shape: string
  /** Where a single record of the kind is read. */
  readonly path: string
  /** Makes it happen and gives the record. */
  readonly cause: (world: World) => Promise<Json>
  readonly needs?: Statement['needs']
}

const byTrigger = (name: string): Pick<Event, 'cause' | 'needs'> => ({
  cause: ({ trigger }) => trigger(name),
  needs: ['receiver', 'trigger'],
})

const reservation = { shape: 'Reservation', path: '/reservations' }
const order = { shape: 'TicketOrder', path: '/ticket-orders' }
const entry = { shape: 'WaitlistEntry', path: '/waitlist' }

const table: readonly Event[] = [
  {
    ...reservation,
    name: 'reservation.created',
    when: 'a reservation is made',
    cause: ({ make }) => make.reservation(),
  },
  {
    ...reservation,
    name: 'reservation.updated',
    when: 'a reservation changes (time, size, status, arrival, seating)',
    ...byTrigger('reservation.updated'),
  },
  {
    ...reservation,
    name: 'reservation.cancelled',
    when: 'a reservation is cancelled',
    cause: async ({ make, write }) => {
      const booking = await make.reservation()
      await write.post(`/reservations/${booking.id}/cancel`, {})
      return booking
    },
  },
  {
    ...{ name: 'guest.created', when: 'a new guest record is made', shape: 'Guest', path: '/guests' },
    cause: ({ make }) => make.guest(),
  },
  {
    ...{ name: 'subscriber.added', when: 'someone joins the email list' },
    ...{ shape: 'Subscriber', path: '/subscribers' },
    cause: ({ make }) => make.subscriber(),
  },
  {
    ...{ name: 'subscriber.unsubscribed', when: 'someone leaves the email list' },
    ...{ shape: 'Subscriber', path: '/subscribers' },
    cause: async ({ make, write }) => {
      const subscriber = await make.subscriber()
      await write.post(`/subscribers/${subscriber.id}/unsubscribe`)
      return subscriber
    },
  },
  { ...order, name: 'ticket_order.paid', when: 'a ticket order is paid', ...byTrigger('ticket_order.paid') },
  {
    ...order,
    name: 'ticket_order.refunded',
    when: 'a ticket order is refunded, fully or partly',
    ...byTrigger('ticket_order.refunded'),
  },
  {
    ...entry,
    name: 'waitlist.added',
    when: 'a party joins the waitlist',
    cause: ({ make }) => make.waitlistEntry(),
  },
  { ...entry, name: 'waitlist.seated', when: 'a waitlist party is seated', ...byTrigger('waitlist.seated') },
  {
    ...{ name: 'lead.created', when: 'a private-event inquiry arrives', shape: 'Lead', path: '/leads' },
    cause: ({ make }) => make.lead(),
  },
]

export const events: Section = {
  name: 'Events',
  about: 'What happens at the venue reaches every endpoint that asked for it.',
  statements: [
    ...table.map(({ name, when, shape, path, cause, needs = ['receiver'] }, at): Statement => ({
      number: String(at + 1),
      says: `${name} when ${when}; data is the ${shape} as it is everywhere else.`,
      needs,
      check: async (world) => {
        const endpoint = await world.make.endpoint([name])
        const { id } = await cause(world)
        const { body, headers } = await endpoint.next(name)
        expectEqual(headers['x-service-event'], name, 'X-Service-Event')
        expectEqual(body.data.id, id, 'the id in data')
        expectEqual(faultsOfShape(shape, body.data), [], `faults of data as a ${shape}`)
        const { body: record } = await world.write.get(`${path}/${id}`)
        expectEqual({ ...body.data, updatedAt: '' }, { ...record, updatedAt: '' }, 'data but for updatedAt')
      },
    })),
    {
      number: '12',
      says: 'An endpoint gets the events it chose and no others.',
      needs: ['receiver'],
      check: async ({ make }) => {
        const endpoint = await make.endpoint(['lead.created'])
        await make.guest()
        await make.task()
        const { id } = await make.lead()
        const arrival = await endpoint.next()
        expectThat(isOf(arrival, id), `the lead ${id} alone`, arrival.body)
        expectEqual(arrival.body.event, 'lead.created', 'the event')
      },
    },
    {
      number: '13',
      says: 'A refused request is no event.',
      needs: ['receiver'],
      check: async ({ make, write, person }) => {
        const endpoint = await make.endpoint(['reservation.created', 'lead.created'])
        const body = { guestName: person().name, partySize: 2, date: '2020-01-07', time: '19:00' }
        await write.post('/reservations', body)
        const { id } = await make.lead()
        expectThat(isOf(await endpoint.next(), id), `the lead ${id} first`, endpoint.all[0]?.body)
      },
    },
  ],
}
