import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../test/service.ts'
import { type Listener, listen } from './listen.ts'

describe('listen', () => {
  let service: TestService
  let listener: Listener
  const lines: string[] = []

  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    listener = await listen(service.context, 0, (line) => lines.push(line))
  })
  after(async () => {
    await listener.stop()
    await service.stop()
  })

  it('verifies and prints what an endpoint on this machine receives, and refuses what it cannot verify', async () => {
    const { key } = await service.venue()
    const url = `http://127.0.0.1:${listener.port}/`
    const { body: made } = await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url, events: ['guest.created'] },
    })
    const { body: test } = await service.call('POST', `/api/v1/webhooks/${made.id}/test`, { key })
    assert.equal(test.statusCode, 204)
    assert.match(lines.at(-1) ?? '', /^ping: signature verified\n/)

    const forged = await fetch(url, {
      method: 'POST',
      headers: { 'x-service-signature': `t=1,v1=${'0'.repeat(64)}` },
      body: '{}',
    })
    assert.equal(forged.status, 400)
    assert.match(lines.at(-1) ?? '', /REFUSED/)
  })
})
