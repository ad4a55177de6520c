import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { taskCategories } from '@venue-data/contract/records/task.ts'
import { countOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('POST /tasks', () => {
  let service: TestService
  let venue: TestVenue
  const post = async (body: object) => {
    const answer = await service.call('POST', '/api/v1/tasks', { key: venue.key, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.task
  }

  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(() => service.stop())

  it('makes a task that is not done, with everything as given', async () => {
    const task = await post({
      title: ' Call Maya\n☎️ ',
      due: '2026-10-08',
      priority: 'High',
      category: 'Follow-Up',
      client: 'Maya "Mo" Okafor',
      assignedRole: 'Manager',
    })
    assert.deepEqual(task, {
      id: task.id,
      title: ' Call Maya\n☎️ ',
      due: '2026-10-08',
      priority: 'High',
      category: 'Follow-Up',
      client: 'Maya "Mo" Okafor',
      assignedRole: 'manager',
      done: false,
      doneAt: null,
      externalId: null,
      createdAt: '2026-10-06T19:00:00.000Z',
      updatedAt: '2026-10-06T19:00:00.000Z',
      revision: 1,
    })
    assert.equal(await countOf(service, 'event', venue.id), 1)
  })

  it('a title is enough: Medium, Other, no date, nobody', async () => {
    const { due, priority, category, client, done } = await post({ title: 'x' })
    assert.deepEqual([due, priority, category, client, done], [null, 'Medium', 'Other', null, false])
  })

  it('categories are known without regard to letter case; any other value is filed as Other', async () => {
    for (const category of taskCategories) {
      assert.equal((await post({ title: 'x', category })).category, category)
      assert.equal((await post({ title: 'x', category: ` ${category.toUpperCase()}` })).category, category)
    }
    for (const category of ['Marketing', 'follow up', ' ', 'constructor', '…']) {
      assert.equal((await post({ title: 'x', category })).category, 'Other')
    }
  })

  it('due may be in the past, and is a real day', async () => {
    for (const due of ['1999-12-31', '2028-02-29', '0001-01-01', '9999-12-31']) {
      assert.equal((await post({ title: 'x', due })).due, due)
    }
  })
})
