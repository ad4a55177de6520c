import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner } from '../../../book/reservations/test/book.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { type TestService, startService } from '../../../test/service.ts'

const evening = '2026-10-06T22:40:00Z' // 18:40 in New York

describe('what a host changes about tonight', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = (document?: object) => hostAtBook(service, document)
  const request = async (book: TestBook, time: string, partySize: number) => {
    const { status, body } = await service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Ana', partySize, date: '2026-10-06', time },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    return status === 201 ? 'made' : (body as { reason?: string }).reason
  }
  const live = async (host: OfficeVisitor, path: string, fields: Record<string, string>): Promise<string> =>
    (
      await fetch(service.url + path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { cookie: host.cookie(), origin: service.url, 'hx-request': 'true' },
      })
    ).text()

  it('"N more covers at 20:00": the API takes them, 20:15 does not, and undo restores', async () => {
    const { book, host } = await open(dinner({ pacing: { intervalMinutes: 15, maxCovers: 4 } }))
    await book.booking('Confirmed', { time: '20:00', partySize: 4 })
    await book.booking('Confirmed', { time: '20:15', partySize: 4 })
    assert.equal(await request(book, '20:00', 2), 'pacing-covers-full')
    const slot = { date: '2026-10-06', slot: '1200' }
    const token = crypto.randomUUID()
    const said = await live(host, '/office/service/slots', { ...slot, token, more: '3' })
    assert.match(said, /8:00\sPM takes 7 covers tonight/)
    const again = await live(host, '/office/service/slots', { ...slot, token, more: '3' })
    assert.match(again, /8:00\sPM takes 7 covers tonight[^]*Undo/, 'a press sent twice')
    assert.match(said, /<b>8:00<span class="hidden-text">\sPM<\/span><\/b> 4\/7/, 'the strip shows it')
    assert.equal(await request(book, '20:15', 2), 'pacing-covers-full')
    assert.equal(await request(book, '20:00', 2), 'made')
    assert.equal(await request(book, '20:00', 2), 'pacing-covers-full', 'and no more than those')
    const undo = /name="covers" value="(\w+)"/.exec(said)?.[1] ?? ''
    await live(host, '/office/service/slots', { ...slot, covers: undo })
    assert.equal(await request(book, '20:00', 1), 'pacing-covers-full')
    assert.deepEqual(
      await book.query('select * from pacing_exception where venue_id = $1', [book.venue.id]),
      [],
    )
    const trail = await book.query(
      `select actor_kind from activity where venue_id = $1 and action = 'change what a slot takes'`,
      [book.venue.id],
    )
    assert.equal(trail.length, 2, 'both are in the trail')
  })

  it('an exception whose slot no longer begins there applies to nothing and is listed', async () => {
    const { book, host } = await open(
      dinner({
        pacing: { intervalMinutes: 30, maxCovers: 4 },
        pacingExceptions: [{ serviceDate: '2026-10-06', at: '20:15', maxCovers: 9 }],
      }),
    )
    await book.booking('Confirmed', { time: '20:00', partySize: 4 })
    assert.equal(await request(book, '20:15', 2), 'pacing-covers-full')
    assert.match((await host.get('/office/service')).words, /set for 8:15\sPM, which is no longer a slot/)
  })

  it('closed tonight: the API answers blocked, staff may book, and the press can be undone', async () => {
    const { book, host } = await open()
    const { html } = await host.get('/office/service')
    const span = /name="span"\s+value="([^"]+)"/.exec(html)?.[1] ?? ''
    const said = await live(host, '/office/service/online', { span, do: 'close' })
    assert.match(said, /Online bookings are closed until 2:00\sAM; staff still book/)
    assert.equal(await request(book, '20:00', 2), 'blocked')
    const token = crypto.randomUUID()
    const made = await host.post('/office/bookings', {
      ...{ token, date: '2026-10-06', time: '20:00', partySize: '2', guestName: 'Ben' },
    })
    assert.equal(made.status, 303)
    await live(host, '/office/service/online', { span, do: 'open' })
    assert.equal(await request(book, '20:00', 2), 'made')
  })

  it('a request of a past day offers only "archive": off the queue, still Requested, no event', async () => {
    const { book, host } = await open()
    const id = await book.booking('Requested', { guestName: 'Old Olga', date: '2026-10-04' })
    const before = await book.row(id)
    await book.toldAll()
    const { html } = await host.get('/office/service')
    const row = new RegExp(`<li id="q${id}"[^]*?</li>`).exec(html)?.[0] ?? ''
    assert.match(row, /Archive/)
    assert.doesNotMatch(row, /Confirm|Decline/)
    const said = await live(host, `/office/bookings/${id}/archive`, {
      back: '/office/service',
      do: 'archive',
    })
    assert.match(said, /Old Olga: off the queue/)
    assert.doesNotMatch((await host.get('/office/service')).html, new RegExp(`id="q${id}"`))
    const { body } = await service.call('GET', `/api/v1/reservations/${id}`, { key: book.venue.key })
    assert.match(JSON.stringify(body), /"status":"Requested"/)
    assert.deepEqual(await book.row(id), before, 'no version, no revision')
    assert.deepEqual(await book.toldAll(), [])
    await live(host, `/office/bookings/${id}/archive`, { back: '/office/service', do: 'undo' })
    assert.match((await host.get('/office/service')).html, new RegExp(`id="q${id}"`))
    const coming = await book.booking('Requested', { guestName: 'New Nora' })
    assert.match(
      await live(host, `/office/bookings/${coming}/archive`, { do: 'archive' }),
      /Nothing was done/,
    )
  })
})
