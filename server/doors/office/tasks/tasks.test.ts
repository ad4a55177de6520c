import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork, followed, hiddenIn, make, wordsOf } from '../../../test/office-forms.ts'
import { countOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the tasks of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const idOn = (html: string) => /\/office\/tasks\/(\d+)"/.exec(html)?.[1] ?? ''

  it('are added, ticked off, reopened, changed and deleted by a host', async () => {
    const { visitor } = await atWork(service, 'host')
    assert.ok(wordsOf(await visitor.get('/office/tasks')).includes('No open tasks.'))
    const list = await followed(
      visitor,
      await make(visitor, '/office/tasks', { title: 'Call Maya', due: '2026-10-04', priority: 'High' }),
    )
    assert.ok(wordsOf(list).includes('Call Maya'))
    assert.ok(wordsOf(list).includes('2 days overdue'))
    const id = idOn(list.html)
    const done = await followed(visitor, await visitor.post(`/office/tasks/${id}/tick`, { done: 'yes' }))
    assert.ok(wordsOf(done).includes('Done: Call Maya'))
    assert.ok(wordsOf(await visitor.get('/office/tasks?show=done')).includes('done October 6, 2026, 3:00 PM'))
    const back = await visitor.post(`/office/tasks/${id}/tick`, {
      done: 'no',
      back: '/office/tasks?show=done',
    })
    assert.equal(back.to, '/office/tasks?show=done')
    const form = await visitor.get(`/office/tasks/${id}`)
    const version = hiddenIn(form, 'version')
    await followed(visitor, await visitor.post(`/office/tasks/${id}`, { version, title: 'Call Maya today' }))
    const stale = await visitor.post(`/office/tasks/${id}`, { version, title: 'Call her' })
    assert.equal(stale.status, 409)
    assert.ok(stale.html.includes('value="Call her"'))
    assert.ok(wordsOf(stale).includes('It now says: Call Maya today'))
    const gone = await visitor.post(`/office/tasks/${id}/delete`, { version })
    assert.equal(gone.status, 409, 'the page was older than the task')
    await followed(
      visitor,
      await visitor.post(`/office/tasks/${id}/delete`, { version: hiddenIn(gone, 'version') }),
    )
    assert.equal((await visitor.get(`/office/tasks/${id}`)).status, 404)
  })

  it('are added once however often the form is sent, and come back whole with a mistake', async () => {
    const { venue, visitor } = await atWork(service, 'host')
    const token = hiddenIn(await visitor.get('/office/tasks'), 'token')
    const fields = { token, title: 'Order napkins' }
    await Promise.all([visitor.post('/office/tasks', fields), visitor.post('/office/tasks', fields)])
    assert.equal(await countOf(service, 'task', venue.id), 1)
    const again = await followed(visitor, await visitor.post('/office/tasks', fields))
    assert.ok(wordsOf(again).includes('The task was added.'))
    const other = await visitor.post('/office/tasks', { ...fields, title: 'Order candles' })
    assert.equal(other.status, 409, 'what was typed meanwhile does not pass for added')
    const next = { ...fields, title: 'Order candles', token: hiddenIn(other, 'token') }
    assert.equal((await visitor.post('/office/tasks', next)).status, 303)
    assert.equal(await countOf(service, 'task', venue.id), 2)
    const refused = await make(visitor, '/office/tasks', { title: 'Pay', due: 'soon', client: 'Ana' })
    assert.equal(refused.status, 400)
    assert.ok(wordsOf(refused).includes('The due date must be a real date'))
    assert.ok(refused.html.includes('value="Ana"'))
  })
})
