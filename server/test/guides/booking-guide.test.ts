import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setRules } from '../open-rules.ts'
import { type Sample, asShown, samplesOf } from './page-samples.ts'
import { startReceiver } from '../receiver.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/*
 * The first five minutes and the guides to booking in docs/, exactly as printed: each call of a page is made, in its
 * order, at a venue like the one it speaks of, and must answer what the page says.
 */

describe('the guides to booking', () => {
  let service: TestService
  let venue: TestVenue
  const call = ({ method, path, ...more }: Omit<Sample, 'answer' | 'body'> & { body?: unknown }) =>
    service.call(method, path, { key: venue.key, ...more })
  const book = async (time: string, partySize: number, guestName = 'Ines Duarte'): Promise<number> => {
    const body = { guestName, date: '2026-11-27', time, partySize }
    const { status, body: reply } = await call({
      method: 'POST',
      path: '/api/v1/reservations',
      headers: {},
      body,
    })
    assert.equal(status, 201)
    return reply.reservation.id
  }

  before(async () => {
    // Where webhooks may go to this machine.
    service = await startService({ PRACTICE: 'on' })
    service.setClock('2026-11-20T20:00:00Z')
  })
  after(() => service.stop())

  beforeEach(async () => {
    venue = await service.venue()
    const seatings = ['17:00', '18:00', '19:00', '20:00', '21:00']
    await setRules(service, venue, {
      periods: [4, 5].map((weekday) => ({
        weekday,
        name: 'Dinner',
        opens: '17:00',
        closes: '22:00',
        seatings,
      })),
      closures: [{ from: '2026-11-26', to: '2026-11-26', name: 'Thanksgiving' }],
      pacing: { intervalMinutes: 60, maxCovers: 8, maxParties: null },
    })
    await book('19:00', 6)
  })

  it('the first five minutes: every call answers what the page says', async () => {
    const receiver = await startReceiver()
    try {
      const newest = await book('19:00', 2, 'Jack Pemberton')
      /** What is called otherwise here than on the page. */
      const names = new Map([
        [venue.slug, 'blue-door'],
        [receiver.url, 'http://127.0.0.1:4000'],
        ...[-1, 0, 1].map((n) => [`"id":${newest + n},`, `"id":${11941 + n},`] as const),
      ])
      const samples = await samplesOf('README.md')
      assert.equal(samples.length, 7)
      for (const { answer, path, body, ...sample } of samples) {
        const known = [...names].find(([, name]) => path.includes(name))
        const { text, body: reply } = await call({
          ...sample,
          path: known ? path.replace(known[1], known[0]) : path,
          ...(body !== undefined && { body: body.replace('http://127.0.0.1:4000', receiver.url) }),
        })
        if (path.endsWith('/webhooks')) names.set(reply.id, '1c43419b-5f0e-4c0e-9a57-0c7f3b8e2d11')
        const told = [...names].reduce((told, [here, there]) => told.replaceAll(here, there), text)
        assert.match(told, asShown(answer), path)
      }
      assert.equal(receiver.received.length, 1)
    } finally {
      await receiver.stop()
    }
  })

  it('book from your own site: every call answers what the page says', async () => {
    await book('17:00', 4)
    const samples = await samplesOf('book-from-your-site.md')
    assert.equal(samples.length, 7)
    let hold = ''
    for (const { answer, body, ...sample } of samples) {
      const sent = body?.replace('pX4sT9vQmN2kLw7RbC1dZg', hold)
      const { text, body: reply } = await call({ ...sample, ...(sent !== undefined && { body: sent }) })
      assert.match(text, asShown(answer), sample.path)
      if (sample.path.endsWith('/holds')) hold = reply.id
    }
    assert.deepEqual(
      await rowsOf(service, `select 1 as is from booking_hold where venue_id = ${venue.id}`),
      [],
    )
  })

  it('change a booking: every call answers what the page says', async () => {
    const id = String(await book('18:00', 4))
    await rowsOf(service, `update reservation set status = 'Confirmed' where venue_id = $1 and id = $2`, [
      venue.id,
      id,
    ])
    const samples = await samplesOf('change-a-booking.md')
    assert.equal(samples.length, 7)
    for (const { answer, path, ...sample } of samples) {
      const { text } = await call({ ...sample, path: path.replace('11946', id) })
      assert.match(text, asShown(answer.replace('11946', id)), path)
    }
  })
})
