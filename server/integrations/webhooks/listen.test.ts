import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../platform/db/sql.ts'
import { readKeyRing } from '../../platform/kernel/secrets.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type Receiver, startReceiver } from '../../test/receiver.ts'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { readForwardAddress } from './sending/forward.ts'
import { type Listener, endpointsOnPort, listen } from './listen.ts'
import { verify } from './sending/signature.ts'
import { sharedSecrets } from './test/faults/run.ts'

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

  it('also receives on [::1], if the machine has it', async (t) => {
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

  it('says so when a secret does not open, and still verifies the others', async () => {
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

describe('listen, forwarding', () => {
  let service: TestService
  let own: Receiver
  let listener: Listener
  const lines: string[] = []

  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    own = await startReceiver()
    const print = (line: string): void => void lines.push(line)
    listener = await listen(service.context, 0, print, new URL(`${own.url}/hook?from=listen`))
  })
  after(async () => {
    await listener.stop()
    await own.stop()
    await service.stop()
  })

  const endpointAt = async (port: number) => {
    const { key } = await service.venue()
    const body = { url: `http://127.0.0.1:${port}/`, events: ['guest.created'] }
    const { body: made } = await service.call('POST', '/api/v1/webhooks', { key, body })
    const ping = async () => (await service.call('POST', `/api/v1/webhooks/${made.id}/test`, { key })).body
    return { ping, secret: made.secret as string }
  }

  it('forwards the same bytes and headers, which verify there too, and returns the status to the service', async () => {
    const { ping, secret } = await endpointAt(listener.port)
    assert.equal((await ping()).statusCode, 204)
    const [passed] = own.received
    assert.ok(passed)
    assert.equal(passed.path, '/hook?from=listen')
    assert.equal(passed.headers.host, new URL(own.url).host)
    assert.equal(passed.headers['x-service-event'], 'ping')
    assert.equal(passed.headers['content-type'], 'application/json')
    assert.equal(passed.headers['user-agent'], 'Service-Webhooks/1')
    const now = service.context.clock().epochMilliseconds / 1_000
    assert.equal(verify(secret, String(passed.headers['x-service-signature']), passed.body, now), 'ok')
    assert.match(lines.at(-1) ?? '', /-> http:\/\/127\.0\.0\.1:\d+\/hook\?from=listen: 204\n$/)

    own.answer(410)
    assert.equal((await ping()).statusCode, 410)
    own.answer(500)
    assert.equal((await ping()).statusCode, 500)
    own.answer(204)
  })

  it('answers 502 and says why if nothing listens, and forwards nothing that it cannot verify', async () => {
    const nowhere = new URL(`http://127.0.0.1:${await freePort()}/`)
    const other = await listen(service.context, 0, (line) => lines.push(line), nowhere)
    try {
      const { ping } = await endpointAt(other.port)
      assert.equal((await ping()).statusCode, 502)
      assert.match(lines.at(-1) ?? '', /NOT DELIVERED \(ECONNREFUSED\)/)
    } finally {
      await other.stop()
    }
    const before = own.received.length
    const forged = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: 'POST',
      headers: { 'x-service-signature': `t=1,v1=${'0'.repeat(64)}` },
      body: '{}',
    })
    assert.deepEqual([forged.status, own.received.length], [400, before])
  })

  it('forwards to this machine only', () => {
    const here = [
      'http://localhost:3000/hook',
      'localhost:3000/hook',
      '127.0.0.1:3000',
      'https://[::1]:3000/',
    ]
    for (const text of here) assert.ok(readForwardAddress(text), text)
    const elsewhere = [
      'https://example.com/',
      '10.0.0.2:3000',
      'http://localhost.example.com/',
      'ftp://localhost/',
      '',
    ]
    for (const text of elsewhere) assert.equal(readForwardAddress(text), undefined, text)
  })
})
