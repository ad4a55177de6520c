import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../test/service.ts'
import { demoCommands } from './demo.ts'

/** What scripts read. */
type Told = {
  venue: string
  keys: Record<'readWrite' | 'readOnly' | 'automation', string>
  signIns: { email: string; password: string; role: string }[]
  records: Record<string, number>
}

describe('bin/venue demo', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('makes the whole demo venue and prints its keys and logins, only once', async () => {
    const [demo] = demoCommands
    assert.ok(demo)
    const { json, text } = await demo.run(service.context, {} as never)
    const { venue, keys, signIns, records } = json as Told
    assert.equal(venue, 'blue-door')
    assert.equal(Object.keys(records).length, 5)
    for (const key of Object.values(keys)) assert.ok(text.includes(key))
    for (const { password } of signIns as { password: string }[]) assert.ok(text.includes(password))
    const me = await service.call('GET', '/api/v1/me', { key: keys.readOnly })
    assert.equal(me.status, 200)
  })
})
