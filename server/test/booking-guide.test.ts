import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setRules } from './open-rules.ts'
import { rowsOf } from './rows.ts'
import { type TestService, type TestVenue, startService } from './service.ts'

/*
 * "Book from your own site" and "Change a booking" in docs/api.md, as they stand there: each call of the page is made, in
 * its order, at a venue like the one it speaks of, and must answer what the page says.
 */

const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')

type Sample = { method: string; path: string; headers: Record<string, string>; body?: string; answer: string }

/** The calls of a section and their answers: a line that begins with `$`, what continues it, and the line after. */
const samplesOf = (section: string): readonly Sample[] => {
  const text = new RegExp(`^## ${section}\n([^]*?)^## `, 'm').exec(page)?.[1] ?? ''
  return [...text.matchAll(/^\$ (curl (?:.*\\\n)*.*)\n(.*)$/gm)].map(([, call = '', answer = '']) => {
    const [, path = ''] = /\$API([^" ]*)/.exec(call) ?? []
    const body = /--json '([^']*)'/.exec(call)?.[1]
    const headers = [...call.matchAll(/-H '([^:]*): ([^']*)'/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    return {
      method: /-X (\w+)/.exec(call)?.[1] ?? (body === undefined ? 'GET' : 'POST'),
      path: `/api/v1${path}`,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(body !== undefined && { body }),
      answer,
    }
  })
}

/** What the page shows, where `…` stands for anything. */
const asShown = (answer: string): RegExp =>
  new RegExp(
    `^${answer
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[^]*')}$`,
  )

describe('the guides to booking', () => {
  let service: TestService
  let venue: TestVenue
  const call = ({ method, path, ...more }: Omit<Sample, 'answer' | 'body'> & { body?: unknown }) =>
    service.call(method, path, { key: venue.key, ...more })
  const book = async (time: string, partySize: number): Promise<number> => {
    const body = { guestName: 'Ines Duarte', date: '2026-11-27', time, partySize }
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
    service = await startService()
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

  it('book from your own site: every call answers what the page says', async () => {
    await book('17:00', 4)
    const samples = samplesOf('Book from your own site')
    assert.equal(samples.length, 5)
    for (const { answer, ...sample } of samples) {
      assert.match((await call(sample)).text, asShown(answer), sample.path)
    }
  })

  it('change a booking: every call answers what the page says', async () => {
    const id = String(await book('18:00', 4))
    await rowsOf(service, `update reservation set status = 'Confirmed' where venue_id = $1 and id = $2`, [
      venue.id,
      id,
    ])
    const samples = samplesOf('Change a booking')
    assert.equal(samples.length, 7)
    for (const { answer, path, ...sample } of samples) {
      const { text } = await call({ ...sample, path: path.replace('11946', id) })
      assert.match(text, asShown(answer.replace('11946', id)), path)
    }
  })
})
