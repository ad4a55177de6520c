import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../../test/service.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { tablesOf, turnTablesOn } from '../../tables/test/floor.ts'
import { answerChange } from './answer-change.ts'
import { changeByGuest } from './change-by-guest.ts'
import { pendingChange } from './pending-change.ts'
import { type TestBook, dinner, openBook, staff } from '../test/book.ts'

const tonight = '2026-10-06'

describe('a booking that was made for a short stay, changed by link or key', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** Booked for an hour at 18:00 where 90 minutes are usual; the next party comes to that table at 20:00. */
  const open = async (status: 'Confirmed' | 'Requested' = 'Confirmed', partySize = 2): Promise<number> => {
    service.setClock('2026-10-06T19:00:00Z')
    const turnMinutes = [{ upTo: 99, minutes: 90 }]
    book = await openBook(service, dinner({ ...tablesOf([{ label: '6', most: 4 }]), turnMinutes }))
    await turnTablesOn(service, book.venue)
    const id = await book.booking(status, { time: '18:00', partySize })
    await book.query('update reservation set duration_minutes = 60 where id = $1', [id])
    await book.booking('Confirmed', { time: '20:00', partySize: 2 })
    return id
  }
  const patch = (id: number, body: object) =>
    service.call('PATCH', `/api/v1/reservations/${id}`, {
      ...{ key: book.venue.key, body, headers: { 'if-match': '*' } },
    })
  const byLink = (id: number, time: string, partySize = 2) =>
    book.act(async (work) => {
      const { settings } = await guestSettingsOf(work.db, work.venue.id)
      const when = book.when(tonight, time)
      return changeByGuest(work, settings, { id, when, partySize, country: 'US', networks: [] })
    })
  const minutes = async (id: number) => (await book.row(id)).duration_minutes

  it('is refused a time at which only a short stay is left', async () => {
    const id = await open()
    const { status, body } = await patch(id, { time: '19:00' })
    assert.deepEqual([status, body.reason], [409, 'tables-full'])
    await assert.rejects(
      byLink(id, '19:00'),
      (error) => error instanceof Refusal && error.reason === 'tables-full',
    )
    assert.equal(await minutes(id), 60)
  })

  it('is judged and held for the whole stay, and has the usual length once the change is accepted', async () => {
    for (const ask of [patchTo, linkTo]) {
      const id = await open()
      await ask(id)
      assert.equal(await minutes(id), 60)
      // What is asked for is kept free for as long as it would be: 18:30 to 20:00.
      const { body } = await service.call('POST', '/api/v1/reservations', {
        key: book.venue.key,
        body: { guestName: 'Ada', date: tonight, time: '17:00', partySize: 2 },
      })
      assert.equal(body.reason, 'tables-full')
      const change = await book.act(({ db, venue, now }) => pendingChange(db, venue.id, id, now()))
      assert.ok(change)
      await book.act((work) => answerChange(work, staff('host'), { id, change: change.id, answer: 'accept' }))
      const row = await book.row(id)
      assert.deepEqual([row.time, row.duration_minutes], ['18:30', 90])
    }
  })
  const patchTo = async (id: number) => assert.equal((await patch(id, { time: '18:30' })).status, 202)
  const linkTo = async (id: number) => assert.notEqual(await byLink(id, '18:30'), 'call')

  it('of fewer guests is judged for the whole stay, too; and what changes neither time nor size keeps its length', async () => {
    const id = await open('Confirmed', 3)
    await book.query(
      `update reservation set time = '19:00', service_minute = 1140, starts_at = '2026-10-06T23:00:00Z' where id = $1`,
      [id],
    )
    const refused = await patch(id, { partySize: 2 })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'tables-full'])
    assert.equal((await patch(id, { notes: 'A booth.' })).status, 200)
    assert.equal((await patch(id, { partySize: 3, time: '19:00' })).status, 200)
    assert.equal(await minutes(id), 60)
    const other = await open('Requested', 3)
    assert.equal((await patch(other, { partySize: 2 })).status, 200)
    assert.equal(await minutes(other), 90)
  })
})
