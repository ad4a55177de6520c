import type { Caller, Query } from '../caller.ts'
import {
  CannotTry,
  expectEqual,
  expectFields,
  expectNumbers,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../expect.ts'
import { kinds, limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const pagesMost = 30

/** Everything after a cursor, page by page; without one, the first copy. */
const walk = async (caller: Caller, query: Query): Promise<{ changes: Json[]; next: string }> => {
  const changes: Json[] = []
  let after = query['after']
  for (let page = 0; page < pagesMost; page++) {
    const reply = await caller.get('/changes', { ...query, after })
    expectStatus(reply, 200)
    changes.push(...reply.body.changes)
    after = reply.body.next
    if (!reply.body.more) return { changes, next: reply.body.next }
  }
  throw new CannotTry(`the venue has more records than ${pagesMost} pages hold`)
}

const latest = async (caller: Caller): Promise<string> =>
  (await caller.get('/changes', { after: 'latest' })).body.next

export const changes: Section = {
  name: 'Changes',
  about: 'One feed of what came, changed and went: a first copy and everything after it.',
  statements: [
    {
      number: '1.1',
      says: 'after=latest gives nothing but the cursor of now; from there comes exactly what is written.',
      check: async ({ make, write }) => {
        const begun = await write.get('/changes', { after: 'latest' })
        expectFields(begun.body, { changes: [], more: false }, 'the answer')
        const guest = await make.guest()
        const { changes } = await walk(write, { after: begun.body.next })
        const ours = changes.filter((change) => change.kind === 'guest' && change.id === guest.id)
        expectEqual(ours.length, 1, 'how often the guest comes')
        expectFields(ours[0], { change: 'created', revision: guest.revision, data: guest }, 'the change')
      },
    },
    {
      number: '1.2',
      says: 'Without after it is the first copy: every living record once, as its list shows it.',
      check: async ({ write }) => {
        const { changes } = await walk(write, { limit: limits.changesMost })
        const keys = changes.map(({ kind, id }) => `${kind} ${id}`)
        expectEqual(keys.length, new Set(keys).size, 'the number of records, each once')
        for (const [kind, { path }] of Object.entries(kinds)) {
          const listed = await write.get(path, { limit: 100 })
          // Visits have a scope that no word stands for.
          if (listed.status === 403) continue
          for (const record of listed.body as Json[]) {
            const change = changes.find((one) => one.kind === kind && one.id === record.id)
            expectThat(change, `${kind} ${record.id} in the first copy`, 'no such change')
            expectEqual(change.data, record, `${kind} ${record.id}`)
          }
        }
      },
    },
    {
      number: '1.3',
      says: 'Each record comes at most once in an answer, at its latest state.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const after = await latest(write)
        for (const priority of ['Low', 'High', 'Low']) {
          await write.patch(`/tasks/${id}`, { priority }, { 'if-match': '*' })
        }
        const { changes } = await walk(write, { after, kinds: 'task' })
        const ours = changes.filter((change) => change.id === id)
        expectEqual(ours.length, 1, 'how often the task comes')
        expectFields(ours[0], { change: 'updated', revision: 4 }, 'the change')
        expectEqual(ours[0].data.priority, 'Low', 'the priority')
      },
    },
    {
      number: '1.4',
      says: 'A page says whether there is more, and next goes on where it ended.',
      check: async ({ make, write }) => {
        const after = await latest(write)
        const ids = [(await make.task()).id, (await make.task()).id, (await make.task()).id]
        const first = await write.get('/changes', { after, kinds: 'task', limit: 2 })
        expectEqual([first.body.changes.length, first.body.more], [2, true], 'how many, and whether more')
        const rest = await walk(write, { after: first.body.next, kinds: 'task' })
        const seen = [...first.body.changes, ...rest.changes].map(({ id }) => id)
        expectNumbers(seen, ids, 'the ids of both pages')
      },
    },
    {
      number: '1.5',
      says: 'What was read comes no more.',
      check: async ({ make, write }) => {
        const after = await latest(write)
        const { id } = await make.task()
        const { next } = await walk(write, { after, kinds: 'task' })
        const later = await walk(write, { after: next, kinds: 'task' })
        expectThat(
          !later.changes.some((change) => change.id === id),
          'no second copy of the task',
          later.changes,
        )
      },
    },
    {
      number: '2.1',
      says: 'kinds: only these; an unknown, empty or repeated one is 400.',
      check: async ({ make, write }) => {
        const after = await latest(write)
        const guest = await make.guest()
        const task = await make.task()
        const { changes } = await walk(write, { after, kinds: 'task,lead' })
        const ids = changes.map(({ kind, id }) => `${kind} ${id}`)
        expectThat(ids.includes(`task ${task.id}`), 'the task', ids)
        expectThat(!ids.includes(`guest ${guest.id}`), 'no guest', ids)
        for (const kinds of ['pigeon', '', 'task,task']) {
          expectRefusal(await write.get('/changes', { kinds }), 400)
        }
      },
    },
    {
      number: '2.2',
      says: 'data=none: only which records changed.',
      check: async ({ make, write }) => {
        const after = await latest(write)
        const { id } = await make.task()
        const { changes } = await walk(write, { after, kinds: 'task', data: 'none' })
        const ours = changes.find((change) => change.id === id)
        expectFields(ours, { change: 'created', data: null }, 'the change')
      },
    },
    {
      number: '2.3',
      says: 'limit is 1 or more, wait 0 to 25, after a cursor; anything else is 400.',
      check: async ({ write }) => {
        for (const query of [
          { limit: 0 },
          { limit: 'ten' },
          { wait: 26 },
          { wait: 'long' },
          { after: 'nonsense' },
          { after: 'c1_AAAA' },
          { data: 'some' },
        ]) {
          expectRefusal(await write.get('/changes', query), 400)
        }
      },
    },
    {
      number: '2.4',
      says: 'A cursor of another venue is 410 cursor-of-another-venue, and shows nothing.',
      needs: ["another venue's key"],
      check: async ({ write, other }) => {
        const reply = await other.get('/changes', { after: await latest(write) })
        expectRefusal(reply, 410, 'cursor-of-another-venue')
        expectEqual(reply.body.changes, undefined, 'changes')
      },
    },
    {
      number: '3',
      says: 'wait: an empty answer is held until something comes.',
      check: async ({ make, write }) => {
        const after = await latest(write)
        const waiting = write.get('/changes', { after, kinds: 'lead', wait: 20 })
        const { id } = await make.lead()
        const { body } = await waiting
        expectEqual(
          body.changes.map((change: Json) => change.id),
          [id],
          'what the held answer brings',
        )
      },
    },
    {
      number: '4.1',
      says: 'What was deleted comes as deleted, with data null.',
      needs: ['trigger'],
      check: async ({ make, trigger, write }) => {
        const { id } = await make.lead()
        const after = await latest(write)
        await trigger('lead.deleted', id)
        const { changes } = await walk(write, { after, kinds: 'lead' })
        expectFields(
          changes.find((change) => change.id === id) ?? {},
          { change: 'deleted', data: null },
          'the change',
        )
      },
    },
    {
      number: '4.2',
      says: 'A guest who was merged comes as merged, with mergedInto; the one who stays is there.',
      needs: ['trigger'],
      check: async ({ make, trigger, write }) => {
        const { id } = await make.guest()
        const after = await latest(write)
        const kept = await trigger('guest.merged', id)
        const { changes } = await walk(write, { after, kinds: 'guest' })
        const gone = changes.find(({ change }) => change === 'merged')
        expectFields(gone ?? {}, { mergedInto: kept.id, data: null }, 'the guest who is gone')
        expectStatus(await write.get(`/guests/${kept.id}`), 200)
      },
    },
    {
      number: '4.3',
      says: 'A person who was erased leaves no trace: no change holds name or address.',
      needs: ['trigger'],
      check: async ({ make, trigger, write }) => {
        const { id, email } = await make.guest()
        const lead = await make.lead({ email })
        const after = await latest(write)
        await trigger('guest.erased', id)
        const { changes } = await walk(write, { after })
        expectThat(!JSON.stringify(changes).includes(email), 'no change with the address', email)
        const ofLead = changes.find((change) => change.kind === 'lead' && change.id === lead.id)
        expectEqual(ofLead?.change, 'erased', 'the change of the lead')
      },
    },
    {
      number: '5',
      says: 'A refused request is no change.',
      check: async ({ write, person }) => {
        const after = await latest(write)
        const body = { guestName: person().name, partySize: 2, date: '2020-01-07', time: '19:00' }
        expectStatus(await write.post('/reservations', body), 409)
        const { changes } = await walk(write, { after, kinds: 'reservation' })
        const ours = changes.filter(({ data }) => data?.guestName === body.guestName)
        expectEqual(ours, [], 'changes of the refused request')
      },
    },
  ],
}
