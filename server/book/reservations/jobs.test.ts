import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../test/service.ts'
import { completeEndedServices } from './jobs.ts'
import { moveReservation } from './moves.ts'
import { type TestBook, openBook, staff } from './test/book.ts'

describe('completion at the end of a service', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const seatedAt = async (time: string, moment: string) => {
    const id = await book.booking('Confirmed', { time })
    service.setClock(moment)
    await book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat' }))
    return id
  }
  const run = () => completeEndedServices(service.context)

  it('completes the seated parties when their service has ended, once, and emits an event for each', async () => {
    service.setClock('2026-10-06T19:00:00Z')
    book = await openBook(service)
    const id = await seatedAt('19:00', '2026-10-06T23:00:00Z')
    const late = await seatedAt('23:59', '2026-10-07T05:30:00Z')
    await book.told()
    service.setClock('2026-10-07T05:59:59Z')
    assert.equal(await run(), 0, 'dinner runs until 02:00')
    service.setClock('2026-10-07T06:00:00Z')
    const twice = await Promise.all([run(), run()])
    assert.equal(twice[0] + twice[1], 1)
    const row = await book.row(id)
    assert.deepEqual([row.status, row.completed_at], ['Completed', '2026-10-07T06:00:00.000Z'])
    assert.equal((await book.row(late)).status, 'Seated', 'a table within its turn time stays on the floor')
    assert.deepEqual(
      (await book.told()).map(({ name, data }) => [name, data.id]),
      [['reservation.updated', id]],
    )
    service.setClock('2026-10-07T07:30:00Z')
    assert.equal(await run(), 1)
  })

  it('leaves a party that was brought back to the table until the next service day is over', async () => {
    service.setClock('2026-10-06T19:00:00Z')
    book = await openBook(service)
    const id = await seatedAt('19:00', '2026-10-06T23:00:00Z')
    service.setClock('2026-10-07T14:00:00Z')
    assert.equal(await run(), 1)
    await book.act((work) => moveReservation(work, staff('host'), { id, move: 'undoComplete' }))
    assert.equal(await run(), 0)
    service.setClock('2026-10-08T05:59:00Z')
    assert.equal(await run(), 0)
    service.setClock('2026-10-08T06:00:00Z')
    assert.equal(await run(), 1)
  })
})
