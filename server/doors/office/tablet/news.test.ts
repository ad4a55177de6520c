import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

const evening = '2026-10-06T23:20:00Z' // 19:20 in New York

describe('what a tablet says that guests just did', () => {
  let service: TestService
  let book: TestBook
  let host: OfficeVisitor
  before(async () => {
    service = await startService()
    service.setClock(evening)
    ;({ book, host } = await hostAtBook(service))
  })
  after(() => service.stop())

  const news = async () =>
    Array.from((await host.get('/office/service')).html.matchAll(/data-news="[^"]*">([^<]*)/g), ([, words]) =>
      (words as string).replaceAll(/\s/g, ' '),
    )
  const ask = async (guestName: string, date: string): Promise<void> => {
    const body = { guestName, date, time: '21:00', partySize: 2 }
    const { status } = await service.call('POST', '/api/v1/reservations', { key: book.venue.key, body })
    assert.equal(status, 201)
  }

  it('is a request, with its day if that is not tonight, and a cancellation, for two minutes; never what staff or a file brought', async () => {
    assert.deepEqual(await news(), [])
    await ask('Ada', '2026-10-06')
    await ask('Ben', '2026-10-10')
    const typed = await book.booking('Confirmed', { guestName: 'By phone', partySize: 4, time: '20:00' })
    const filed = await book.booking('Confirmed', { guestName: 'From a file', time: '20:00' })
    await book.query(`update reservation set created_at = $2 where id = any($1)`, [[typed, filed], evening])
    await book.query(`update reservation set source = 'import' where id = $1`, [filed])
    assert.deepEqual(await news(), [
      'New request: Ada, 2 guests at 9:00 PM',
      'New request: Ben, 2 guests on Sat, Oct 10 at 9:00 PM',
    ])
    await book.act((work) => moveReservation(work, { kind: 'guest' }, { id: typed, move: 'cancel' }))
    assert.deepEqual((await news()).slice(2), ['Cancelled by the guest: By phone, 4 guests at 8:00 PM'])
    service.setClock('2026-10-06T23:22:00Z')
    assert.deepEqual(await news(), [])
  })
})
