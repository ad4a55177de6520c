import { CannotTry, expectEqual, expectFields, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'
import type { Caller } from '../caller.ts'
import type { Json } from '../world.ts'

const readable = async (write: Caller): Promise<void> => {
  const { scopes } = (await write.get('/me')).body.key
  if (!scopes.includes('visits:read')) throw new CannotTry('the key may not read visits')
}

export const visits: Section = {
  name: 'Visits',
  about: 'Whose bookings are, and at which tables.',
  statements: [
    {
      number: '1',
      says: 'Each reservation has a visit under its id, with its date, time, size and status.',
      check: async ({ make, write }) => {
        await readable(write)
        const { id, date, time, partySize, status } = await make.reservation()
        const visit = await write.get(`/visits/${id}`)
        expectStatus(visit, 200)
        expectFields(visit.body, { id, date, time, partySize, status }, 'the visit')
        const guest = visit.body.guestId
        if (guest === null) return
        const { body } = await write.get('/visits', { guest })
        expectThat(
          body.some((one: Json) => one.id === id),
          `visit ${id} among those of its guest`,
          body.map((one: Json) => one.id),
        )
      },
    },
    {
      number: '2',
      says: 'Every table of a visit is in one of the rooms.',
      check: async ({ write }) => {
        await readable(write)
        const rooms: Json[] = (await write.get('/rooms')).body
        const known = new Set(rooms.flatMap(({ tables }) => tables.map(({ id }: Json) => id)))
        const { body } = await write.get('/visits', { limit: 100 })
        const unknown = body.flatMap(({ tableIds }: Json) => tableIds.filter((id: number) => !known.has(id)))
        expectEqual(unknown, [], 'tables in no room')
      },
    },
  ],
}
