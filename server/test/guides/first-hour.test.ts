import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { makeDemo } from '../../demo/make-demo.ts'
import { openSlotOnFriday } from '../../demo/open-slot.ts'
import { venueBySlug } from '../../core/venue/venues.ts'
import { type TestService, startService } from '../service.ts'
import { readerOf, shownCalls } from './shown-calls.ts'

/* The calls of the README and of docs/first-hour.md, each page's on a demo venue as its reader does them. */

describe('the first hour', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  afterEach(() => service.stop())

  for (const [page, least] of [
    ['README.md', 6],
    ['docs/first-hour.md', 16],
  ] as const)
    it(`gets from every call the answer that ${page} prints`, async () => {
      const { keys } = await makeDemo(service.context, { scale: 0.1 })
      const venue = await venueBySlug(service.db, 'blue-door')
      const slot = venue && (await openSlotOnFriday(service.db, venue, service.context.clock()))
      assert.ok(slot)
      const calls = shownCalls(await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8'))
      assert.ok(calls.length >= least)
      const key = keys.readWrite
      const reader = readerOf({ apiUrl: `${service.url}/api/v1`, key, slot })
      /** What the call that waits is waiting for. */
      const happen = (): Promise<unknown> =>
        service.call('POST', '/api/v1/guests', { key, body: { name: 'Anna', email: 'anna@example.com' } })
      for (const call of calls) await reader.run(call, call.command.includes('wait=') ? happen : undefined)
    })
})
