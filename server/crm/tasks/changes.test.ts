import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addTaskByStaff, deleteTask, editTask, tickTask } from './actions.ts'
import { type TypedTask, taskFields } from './fields.ts'

describe('changes of tasks', () => {
  let service: TestService
  let desk: Desk
  const host = staffOf('host')
  const typed = { title: 'Call Maya', due: null, priority: 'High', category: 'Follow-Up', client: null }
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(desk, 'task')

  before(async () => {
    service = await startService()
    desk = await openDesk(service)
  })
  after(() => service.stop())

  it('are noted with the revision when one is made, edited, ticked off and deleted', async () => {
    at('10:00')
    const { id } = await desk.act((work) => addTaskByStaff(work, host, typed))
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    const edit = (seenVersion: number, more: TypedTask) =>
      desk.act((work) =>
        editTask(work, host, { id, seenVersion, changes: taskFields.read({ ...typed, ...more }) }),
      )
    at('11:00')
    await edit(1, {})
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' }, 'saved as it was')
    const edits: TypedTask[] = [
      { title: 'Call Ben' },
      { due: '2026-10-07' },
      { priority: 'Low' },
      { category: 'Other' },
      { client: 'Ben' },
      { assignedRole: 'host' },
    ]
    let revision = 1
    for (const more of edits) {
      // Each is followed by its undoing.
      await edit(++revision, more)
      assert.deepEqual(await changes(), { [id]: `upsert ${revision} at 11:00` }, JSON.stringify(more))
      await edit(++revision, {})
    }
    at('12:00')
    await desk.act((work) => tickTask(work, host, { id, done: true }))
    await desk.act((work) => tickTask(work, host, { id, done: true }))
    assert.deepEqual(await changes(), { [id]: 'upsert 14 at 12:00' })
    at('13:00')
    await desk.act((work) => deleteTask(work, host, { id, seenVersion: 15 }))
    assert.deepEqual(await changes(), { [id]: 'deleted 15 at 13:00, gone' })
  })

  it('are noted of one that comes by the API, which returns its revision', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { body } = await service.call('POST', '/api/v1/tasks', {
      key: desk.venue.key,
      body: { title: 'Call' },
    })
    assert.equal(body.task.revision, 1)
    assert.deepEqual(await changes(), { [body.task.id]: 'upsert 1 at 10:00' })
  })
})
