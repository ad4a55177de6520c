import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { setRules } from './open-rules.ts'
import { type TestService, type TestVenue, startService } from './service.ts'

/*
 * "Book from your own site" in docs/api.md, as it stands there: each call of the page is made, in its order, at a venue
 * like the one it speaks of, and must answer what the page says.
 */

const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
const section = /^## Book from your own site\n([^]*?)^## /m.exec(page)?.[1] ?? ''

type Sample = { method: string; path: string; headers: Record<string, string>; body?: string; answer: string }

/** The calls of the section and their answers: a line that begins with `$`, what continues it, and the line after. */
const samples: readonly Sample[] = [...section.matchAll(/^\$ (curl (?:.*\\\n)*.*)\n(.*)$/gm)].map(
  ([, call = '', answer = '']) => {
    const [, path = ''] = /"\$API([^"]*)"/.exec(call) ?? []
    const body = /--json '([^']*)'/.exec(call)?.[1]
    const key = /Idempotency-Key: ([^']*)/.exec(call)?.[1]
    return {
      method: body === undefined ? 'GET' : 'POST',
      path: `/api/v1${path}`,
      headers: { ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body !== undefined && { body }),
      answer,
    }
  },
)

/** What the page shows, where `…` stands for anything. */
const asShown = (answer: string): RegExp =>
  new RegExp(
    `^${answer
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[^]*')}$`,
  )

describe('book from your own site', () => {
  let service: TestService
  let venue: TestVenue

  before(async () => {
    service = await startService()
    service.setClock('2026-11-20T20:00:00Z')
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
    for (const [time, partySize] of [
      ['17:00', 4],
      ['19:00', 6],
    ]) {
      const body = { guestName: 'Ines Duarte', date: '2026-11-27', time, partySize }
      const { status } = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
      assert.equal(status, 201)
    }
  })
  after(() => service.stop())

  it('every call on the page answers what the page says', async () => {
    assert.equal(samples.length, 5)
    for (const { method, path, headers, body, answer } of samples) {
      const { text } = await service.call(method, path, {
        key: venue.key,
        headers,
        ...(body !== undefined && { body }),
      })
      assert.match(text, asShown(answer), path)
    }
  })
})
