import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, refusal, settled, staffOf } from '../../test/desk.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addTaskByStaff, deleteTask, editTask, tickTask } from './actions.ts'
import type { TypedTask } from './fields.ts'
import { doneTasksPage, openTasksPage, taskCounts } from './reads.ts'

describe('tasks as staff handle them', () => {
  let service: TestService
  let desk: Desk
  const host = staffOf('host')
  const typed = { title: 'Call Maya', due: null, priority: 'High', category: 'Follow-Up', client: null }
  const add = (more: TypedTask = {}) => desk.act((work) => addTaskByStaff(work, host, { ...typed, ...more }))
  const titles = async (dueBy: string | null = null) =>
    (await openTasksPage(service.db, desk.venue.id, { dueBy }, { limit: 10, after: null })).rows.map(
      ({ title }) => title,
    )

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
  })
  after(() => service.stop())

  it('lists what is due first and what has no date last, page by page', async () => {
    for (const [title, due] of [
      ['b', '2026-10-07'],
      ['none', null],
      ['a', '2026-10-05'],
      ['also', null],
    ] as const) {
      await add({ title, due })
    }
    assert.deepEqual(await titles(), ['a', 'b', 'none', 'also'])
    assert.deepEqual(await titles('2026-10-06'), ['a'])
    let after: string | null = null
    const walked: string[] = []
    do {
      const page = await openTasksPage(service.db, desk.venue.id, {}, { limit: 1, after })
      walked.push(...page.rows.map(({ title }) => title))
      after = page.next
    } while (after !== null)
    assert.deepEqual(walked, ['a', 'b', 'none', 'also'])
    assert.deepEqual(await taskCounts(service.db, desk.venue.id, '2026-10-06'), { open: 4, overdue: 1 })
  })

  it('is ticked off and on again; twenty ticks of one box are one change', async () => {
    desk = await openDesk(service)
    const { id } = await add()
    await desk.trail()
    const tick = (done: boolean) => desk.act((work) => tickTask(work, host, { id, done }))
    await Promise.all(Array.from({ length: 20 }, () => tick(true)))
    assert.deepEqual(
      (await desk.trail()).map(({ action }) => action),
      ['done'],
    )
    assert.deepEqual(await titles(), [])
    const { rows } = await doneTasksPage(service.db, desk.venue.id, { limit: 10, after: null })
    assert.deepEqual(
      rows.map(({ done_at }) => done_at),
      ['2026-10-06T19:00:00.000Z'],
    )
    assert.deepEqual([(await tick(false)).done_at, await titles()], [null, ['Call Maya']])
    const told = await desk.query<{ name: string }>(
      `select name from event where venue_id = $1 and name <> 'task.created' order by id`,
      [desk.venue.id],
    )
    assert.deepEqual(
      told.map(({ name }) => name),
      ['task.completed', 'task.reopened'],
    )
  })

  it('two people editing one task: one wins, the other gets a message', async () => {
    desk = await openDesk(service)
    const { id } = await add()
    const edit = (title: string) =>
      desk.act((work) => editTask(work, host, { id, seenVersion: 1, changes: { title } }))
    const { done, refused } = await settled<unknown>([
      edit('x'),
      edit('y'),
      desk.act((work) => deleteTask(work, host, { id, seenVersion: 1 })),
    ])
    assert.equal(done.length, 1)
    assert.ok(
      refused.every((text) =>
        /This task was just changed by someone else; reload and try again|no such task/.test(text),
      ),
    )
    await assert.rejects(add({ due: '2026-02-31' }), refusal(400, /real date/))
    await assert.rejects(add({ priority: 'Urgent' }), refusal(400, /one of High/))
    await assert.rejects(add({ title: ' ' }), refusal(400, /missing/))
  })
})
