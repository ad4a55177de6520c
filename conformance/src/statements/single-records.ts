import {
  CannotTry,
  expectEqual,
  expectFields,
  expectHeader,
  expectNumbers,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../expect.ts'
import { kinds } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json } from '../world.ts'

const tag = /^"\d+\.[\w-]+"$/

export const singleRecords: Section = {
  name: 'Single records',
  about: 'One record by its id, and whether it is still what you have.',
  statements: [
    {
      number: '1',
      says: 'GET …/{id} gives the record as its list shows it.',
      check: async ({ write }) => {
        for (const { path } of Object.values(kinds)) {
          const listed = await write.get(path, { limit: 1 })
          // Visits have a scope that no word stands for.
          if (listed.status === 403) continue
          const [record] = listed.body
          if (!record) throw new CannotTry(`the venue has no record in ${path}`)
          const single = await write.get(`${path}/${record.id}`)
          expectStatus(single, 200)
          expectEqual(single.body, record, `${path}/${record.id}`)
        }
      },
    },
    {
      number: '2.1',
      says: 'ETag names the state of a record: it holds while nothing changes, and changes with it.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const first = await write.get(`/tasks/${id}`)
        expectHeader(first, 'etag', tag)
        const again = await write.get(`/tasks/${id}`)
        expectEqual(again.headers.get('etag'), first.headers.get('etag'), 'the tag of the same state')
        await write.patch(`/tasks/${id}`, { priority: 'Low' }, { 'if-match': '*' })
        const changed = await write.get(`/tasks/${id}`)
        expectThat(
          changed.headers.get('etag') !== first.headers.get('etag'),
          'another tag',
          first.headers.get('etag'),
        )
        expectEqual(changed.body.revision, first.body.revision + 1, 'revision')
      },
    },
    {
      number: '2.2',
      says: 'If-None-Match with the tag you have: 304 and no body, until the record changes.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const etag = (await write.get(`/tasks/${id}`)).headers.get('etag') ?? ''
        for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
          const same = await write.get(`/tasks/${id}`, {}, { 'if-none-match': value })
          expectEqual([same.status, same.text], [304, ''], `status and body for If-None-Match: ${value}`)
          expectEqual(same.headers.get('etag'), etag, 'ETag of the 304')
        }
        await write.patch(`/tasks/${id}`, { priority: 'Low' }, { 'if-match': '*' })
        expectStatus(await write.get(`/tasks/${id}`, {}, { 'if-none-match': etag }), 200)
      },
    },
    {
      number: '2.3',
      says: 'A tag of something else keeps nobody from an answer.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        for (const path of [`/tasks/${id}`, '/me', '/tasks']) {
          expectStatus(await write.get(path, {}, { 'if-none-match': '"x"' }), 200)
        }
      },
    },
    {
      number: '3.1',
      says: 'A guest who was merged is 410 merged, with mergedInto.',
      needs: ['trigger'],
      check: async ({ make, trigger, write }) => {
        const after = (await write.get('/changes', { after: 'latest' })).body.next
        const { id } = await make.guest()
        const kept = await trigger('guest.merged', id)
        const { changes } = (await write.get('/changes', { after, kinds: 'guest' })).body
        const gone = changes.find((change: Json) => change.change === 'merged')
        expectThat(gone, 'a guest who is merged among the changes', changes)
        const reply = await write.get(`/guests/${gone.id}`)
        expectRefusal(reply, 410, 'merged')
        expectEqual(reply.body.mergedInto, kept.id, 'mergedInto')
      },
    },
    {
      number: '3.2',
      says: 'A reservation that was deleted is 410 deleted.',
      needs: ['trigger'],
      check: async ({ make, trigger, write }) => {
        const { id } = await make.reservation()
        await trigger('reservation.deleted', id)
        expectRefusal(await write.get(`/reservations/${id}`), 410, 'deleted')
      },
    },
    {
      number: '4.1',
      says: 'PATCH without If-Match is 428, and nothing is done.',
      check: async ({ make, write }) => {
        const task = await make.task()
        expectRefusal(
          await write.patch(`/tasks/${task.id}`, { title: 'Other' }),
          428,
          'precondition-required',
        )
        expectEqual((await write.get(`/tasks/${task.id}`)).body, task, 'the task')
      },
    },
    {
      number: '4.2',
      says: 'PATCH with the tag of another state is 412, with the record as it is now and its tag.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const old = (await write.get(`/tasks/${id}`)).headers.get('etag') ?? ''
        await write.patch(`/tasks/${id}`, { priority: 'Low' }, { 'if-match': old })
        const reply = await write.patch(`/tasks/${id}`, { priority: 'High' }, { 'if-match': old })
        expectRefusal(reply, 412, 'changed-meanwhile')
        const now = await write.get(`/tasks/${id}`)
        expectEqual(reply.body.current, now.body, 'current')
        expectEqual(reply.headers.get('etag'), now.headers.get('etag'), 'ETag of the 412')
        expectEqual(now.body.priority, 'Low', 'the priority')
      },
    },
    {
      number: '4.3',
      says: 'Of two PATCHes at once with one tag exactly one is done.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const etag = (await write.get(`/tasks/${id}`)).headers.get('etag') ?? ''
        const tries = ['Low', 'High'].map((priority) =>
          write.patch(`/tasks/${id}`, { priority }, { 'if-match': etag }),
        )
        const statuses = (await Promise.all(tries)).map(({ status }) => status)
        expectNumbers(statuses, [200, 412], 'the two statuses')
      },
    },
    {
      number: '4.4',
      says: 'W/"…" counts as "…" in If-Match, and * matches any version; what is not a tag is 400.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const etag = (await write.get(`/tasks/${id}`)).headers.get('etag') ?? ''
        expectStatus(await write.patch(`/tasks/${id}`, { priority: 'Low' }, { 'if-match': `W/${etag}` }), 200)
        expectStatus(await write.patch(`/tasks/${id}`, { priority: 'High' }, { 'if-match': '*' }), 200)
        expectRefusal(await write.patch(`/tasks/${id}`, { priority: 'Low' }, { 'if-match': 'nonsense' }), 400)
      },
    },
    {
      number: '4.5',
      says: 'A retry of a PATCH with its Idempotency-Key is replayed, not 412.',
      check: async ({ make, write, unique }) => {
        const { id } = await make.task()
        const etag = (await write.get(`/tasks/${id}`)).headers.get('etag') ?? ''
        const headers = { 'if-match': etag, 'idempotency-key': unique() }
        const first = await write.patch(`/tasks/${id}`, { priority: 'Low' }, headers)
        expectStatus(first, 200)
        const again = await write.patch(`/tasks/${id}`, { priority: 'Low' }, headers)
        expectStatus(again, 200)
        expectHeader(again, 'idempotent-replayed', /^true$/)
        expectEqual(again.body, first.body, 'the answer to the retry')
      },
    },
    {
      number: '4.6',
      says: 'A read-only key gets 403 before 428.',
      needs: ['read key'],
      check: async ({ make, read }) => {
        const { id } = await make.task()
        expectRefusal(await read.patch(`/tasks/${id}`, { title: 'Other' }), 403)
      },
    },
    {
      number: '4.7',
      says: 'An unreadable field (400) comes before a missing precondition (428).',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        expectRefusal(await write.patch(`/tasks/${id}`, { due: 'Monday' }), 400)
        expectFields((await write.get(`/tasks/${id}`)).body, { revision: 1 }, 'the task')
      },
    },
  ],
}
