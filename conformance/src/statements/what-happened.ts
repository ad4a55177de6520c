import { faultsOfShape } from '../documents.ts'
import { expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { events } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

export const whatHappened: Section = {
  name: 'What happened',
  about: 'The events of the last 30 days, one by one.',
  statements: [
    {
      number: '1.1',
      says: 'GET /events gives each event once, with the record as it was right after it.',
      check: async ({ make, write }) => {
        const begun = await write.get('/events', { after: 'latest' })
        const lead = await make.lead()
        await write.patch(`/leads/${lead.id}`, { stage: 'Proposal' }, { 'if-match': '*' })
        const { body } = await write.get('/events', { after: begun.body.next, kinds: 'lead', limit: 100 })
        const [made, moved] = body.items.filter((item: Json) => item.record?.id === lead.id)
        expectFields(made, { event: 'lead.created', data: lead }, 'the first event')
        expectThat(moved?.names.includes('lead.stage_changed'), 'lead.stage_changed', moved)
        expectThat(moved.record.revision > made.record.revision, 'a higher revision', moved.record)
        expectThat(moved.changed.includes('stage'), 'stage among what changed', moved.changed)
      },
    },
    {
      number: '1.2',
      says: 'names and record pick some of them; an unknown name is 400.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        await write.post(`/tasks/${id}/complete`)
        const all = await write.get('/events', { record: `task:${id}`, limit: 100 })
        expectEqual(
          all.body.items.map((item: Json) => item.event),
          ['task.created', 'task.completed'],
          'events',
        )
        const some = await write.get('/events', { record: `task:${id}`, names: 'task.completed' })
        expectEqual(
          some.body.items.map((item: Json) => item.event),
          ['task.completed'],
          'the named events',
        )
        expectRefusal(await write.get('/events', { names: 'task.eaten' }), 400)
        expectRefusal(await write.get('/events', { record: 'task' }), 400)
      },
    },
    {
      number: '1.3',
      says: 'The eventId is that of deliveries.',
      needs: ['receiver'],
      check: async ({ make, write }) => {
        const endpoint = await make.endpoint(['lead.created'])
        const { id } = await make.lead()
        const { body } = await endpoint.next()
        const told = await write.get('/events', { record: `lead:${id}` })
        expectEqual(told.body.items[0]?.eventId, body.eventId, 'eventId')
        expectEqual(body.record, { kind: 'lead', id, revision: 1 }, 'record of the delivery')
      },
    },
    {
      number: '2',
      says: 'GET /events/types lists every event with its kind, its scope and a sample.',
      check: async ({ write }) => {
        const { body } = await write.get('/events/types')
        for (const [name, type] of Object.entries(events)) {
          const listed = body.find((one: Json) => one.name === name)
          expectThat(
            listed,
            `the event ${name}`,
            body.map((one: Json) => one.name),
          )
          expectFields(listed, type, name)
          const shape = type.schema.split('/').at(-1) ?? ''
          expectEqual(
            faultsOfShape(shape, listed.sample),
            [],
            `faults of the sample of ${name} as a ${shape}`,
          )
        }
        const names: string[] = body.map(({ name }: Json) => name)
        expectEqual(new Set(names).size, names.length, 'the number of different names')
        expectThat(!names.includes('ping'), 'no ping, which is no event', names)
      },
    },
    {
      number: '3',
      says: 'An invalid cursor is 400.',
      check: async ({ write }) => {
        expectRefusal(await write.get('/events', { after: 'nonsense' }), 400)
        expectStatus(await write.get('/events', { after: 'latest' }), 200)
      },
    },
  ],
}
