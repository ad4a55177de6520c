import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { makeDemo } from '../demo/make-demo.ts'
import { openSlotOnFriday } from '../demo/open-slot.ts'
import { venueBySlug } from '../core/venue/venues.ts'
import { type TestService, startService } from './service.ts'
import { readerOf, shownCalls } from './shown-calls.ts'

/* The calls of docs/first-hour.md, done on a demo venue as its reader does them. */

describe('the first hour', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  it('gets from every call the answer that the page prints', async () => {
    const { keys } = await makeDemo(service.context, { scale: 0.1 })
    const venue = await venueBySlug(service.db, 'blue-door')
    const slot = venue && (await openSlotOnFriday(service.db, venue, service.context.clock()))
    assert.ok(slot)
    const page = await readFile(new URL('../../docs/first-hour.md', import.meta.url), 'utf8')
    const calls = shownCalls(page)
    assert.ok(calls.length > 15)
    const key = keys.readWrite
    const reader = readerOf({ apiUrl: `${service.url}/api/v1`, key, slot })
    /** What the call that waits is waiting for. */
    const happen = (): Promise<unknown> =>
      service.call('POST', '/api/v1/guests', { key, body: { name: 'Anna', email: 'anna@example.com' } })
    for (const call of calls) await reader.run(call, call.command.includes('wait=') ? happen : undefined)
  })
})
