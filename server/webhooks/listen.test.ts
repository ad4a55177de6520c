import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../db/sql.ts'
import { readKeyRing } from '../kernel/secrets.ts'
import { type TestService, startService } from '../test/service.ts'
import { type Listener, endpointsOnPort, listen } from './listen.ts'
import { sharedSecrets } from './test-fixtures/faults/run.ts'

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

  it('receives at [::1] too, where the machine has it', async (t) => {
    if (lines.some((line) => line.startsWith('This machine has no IPv6')))
      return t.skip('This machine has no IPv6.')
    const { key } = await service.venue()
    const { body: made } = await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `http://[::1]:${listener.port}/`, events: ['guest.created'] },
    })
    const { body: test } = await service.call('POST', `/api/v1/webhooks/${made.id}/test`, { key })
    assert.equal(test.statusCode, 204, JSON.stringify(test))
    assert.match(lines.at(-1) ?? '', /^ping: signature verified\n/)
  })

  it('finds the endpoints of its port and no others, also of port 80, which addresses leave out', async () => {
    const { key } = await service.venue()
    const made = new Map<string, string>()
    for (const url of [
      'http://127.0.0.1:80/a',
      'http://[::1]/b',
      'http://app.localhost:8000/c',
      'http://[::1]:8000',
      'http://127.0.0.1:18000/:8000/e',
    ]) {
      const { body, text } = await service.call('POST', '/api/v1/webhooks', {
        key,
        body: { url, events: ['guest.created'] },
      })
      assert.ok(body.id, text)
      made.set(body.id, url)
    }
    const at = async (port: number) =>
      new Set((await endpointsOnPort(service, port)).map(({ id }) => made.get(id)))
    assert.deepEqual(await at(80), new Set(['http://127.0.0.1:80/a', 'http://[::1]/b']))
    assert.deepEqual(await at(8000), new Set(['http://[::1]:8000', 'http://app.localhost:8000/c']))
    assert.deepEqual(await at(18_000), new Set(['http://127.0.0.1:18000/:8000/e']))
  })

  it('says so when a secret does not open, and verifies the others all the same', async () => {
    const { key } = await service.venue()
    const make = async (path: string): Promise<string> => {
      const { body } = await service.call('POST', '/api/v1/webhooks', {
        key,
        body: { url: `http://127.0.0.1:${listener.port}/${path}`, events: ['guest.created'] },
      })
      return body.id
    }
    const [closed, well] = [await make('closed'), await make('well')]
    const ping = async (id: string) =>
      (await service.call('POST', `/api/v1/webhooks/${id}/test`, { key })).body.statusCode
    const other = await listen({ ...service.context, secrets: readKeyRing(sharedSecrets()) }, 0, (line) =>
      lines.push(line),
    )
    try {
      const { body: elsewhere } = await service.call('POST', '/api/v1/webhooks', {
        key,
        body: { url: `http://127.0.0.1:${other.port}/`, events: ['guest.created'] },
      })
      assert.equal(await ping(elsewhere.id), 400)
      assert.match(lines.at(-1) ?? '', /^ping: REFUSED, .* does not open with the SECRETS given here\n/)
    } finally {
      await other.stop()
    }
    // Sealed for another record: the service itself could not sign with it either.
    await service.db.run(sql()`
      update webhook_endpoint set secret_sealed = (select secret_sealed from webhook_endpoint where id = ${well})
       where id = ${closed}`)
    assert.equal(await ping(well), 204)
    assert.match(lines.at(-1) ?? '', /^ping: signature verified\n/)
  })
})
