import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createResolver } from '../../../platform/net/resolve-name.ts'
import { describeOutcome } from '../schedule.ts'
import { makeAuthority } from '../test/certificate.ts'
import { startNameServer } from '../test/name-server.ts'
import { startReceiver } from '../test/receivers.ts'
import {
  answerOf,
  body,
  certificate,
  headers,
  NAME,
  plain,
  secure,
  send,
  socketsOpenedBy,
  startSender,
} from '../test/sender.ts'

describe('sender: one try', () => {
  it('posts the bytes and headers as given, to the name, at the vetted address', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(204).end(), { certificate })
    const outcome = await send(startSender(t), secure(receiver.port, '/hook?room=1'))
    assert.equal(describeOutcome(outcome), 'ok 204')
    const [request] = receiver.received
    assert.ok(request)
    assert.equal(request.path, '/hook?room=1')
    assert.deepEqual(request.body, body)
    const { host, connection, ...others } = request.headers
    assert.equal(host, `${NAME}:${receiver.port}`)
    assert.equal(connection, 'keep-alive')
    assert.deepEqual(others, { ...headers, 'content-length': String(body.length) })
    assert.equal('servername' in request.socket && request.socket.servername, NAME)
  })

  for (const status of [200, 201, 299, 300, 400, 404, 410, 429, 500, 503]) {
    it(`returns the status ${status} and the receiver’s body`, async (t) => {
      const receiver = await startReceiver(t, (response) => response.writeHead(status).end('thanks'))
      const outcome = await send(startSender(t), plain(receiver.port))
      assert.equal(answerOf(outcome).toString(), 'thanks')
      assert.equal(describeOutcome(outcome), `${status < 300 ? 'ok' : 'HTTP'} ${status}`)
      assert.ok(Number.isInteger(outcome.durationMs) && outcome.durationMs >= 0)
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a ${status}`, async (t) => {
      const elsewhere = await startReceiver(t)
      const receiver = await startReceiver(t, (response) =>
        response.writeHead(status, { location: plain(elsewhere.port) }).end(),
      )
      assert.equal(describeOutcome(await send(startSender(t), plain(receiver.port))), `HTTP ${status}`)
      assert.equal(elsewhere.received.length + elsewhere.connections(), 0)
    })
  }

  it('throws for an invalid header, which is our own mistake', async (t) => {
    const receiver = await startReceiver(t)
    const sender = startSender(t)
    await assert.rejects(send(sender, plain(receiver.port), { body, headers: { 'x-a': 'b\r\nx-c: d' } }))
    assert.deepEqual(sender.counts(), { inFlight: 0, idleConnections: 0 })
    assert.equal(receiver.received.length, 0)
  })

  it('ignores proxies and environment settings that trust every certificate', async (t) => {
    const proxy = await startReceiver(t)
    const receiver = await startReceiver(t)
    const selfMade = await startReceiver(t, undefined, { certificate: makeAuthority().sign([NAME]) })
    const proxyUrl = `http://127.0.0.1:${proxy.port}`
    const program = `
      const { createSender } = await import(${JSON.stringify(new URL('sender.ts', import.meta.url).href)})
      const sender = createSender({
        practice: true,
        judge: (address) => ({ kind: 'accepted', address }),
        resolve: async () => ['127.0.0.1'],
      })
      for (const url of ${JSON.stringify([plain(receiver.port), secure(selfMade.port)])}) {
        const request = { body: Buffer.from('{}'), headers: {} }
        const outcome = await sender.post(await sender.vet(url), request, { holds: () => true })
        console.log(outcome.kind, outcome.statusCode)
      }
      await sender.close()`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: {
        HTTP_PROXY: proxyUrl,
        HTTPS_PROXY: proxyUrl,
        http_proxy: proxyUrl,
        https_proxy: proxyUrl,
        ALL_PROXY: proxyUrl,
        NODE_USE_ENV_PROXY: '1',
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        NODE_NO_WARNINGS: '1',
      },
    })
    assert.equal(stdout, 'answered 200\ntls failed undefined\n')
    assert.equal(proxy.connections() + selfMade.received.length, 0)
  })
})

describe('sender: the walls, before every delivery', () => {
  const notPublic = [
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '168.63.129.16',
    '0.0.0.0',
    '::',
    '255.255.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::1',
    '2001:0:7f00:1::1',
    'fe80::1',
    'fe80::1%lo',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    'localhost',
    '',
  ]
  for (const address of notPublic) {
    it(`refuses a name that resolves to ${JSON.stringify(address)}, alone, first or last among public ones, and connects to nothing`, async (t) => {
      for (const answer of [
        [address],
        [address, '93.184.216.34'],
        ['93.184.216.34', '2606:4700::1111', address],
      ]) {
        const sender = startSender(t, { practice: false, resolve: async () => answer })
        const opened = await socketsOpenedBy(async () => {
          assert.equal(describeOutcome(await send(sender, `https://${NAME}/hook`)), 'address refused')
        })
        assert.equal(opened, 0)
      }
    })
  }

  it('practice mode opens this machine and nothing else', async (t) => {
    const receiver = await startReceiver(t)
    for (const address of notPublic.filter((address) => address !== '127.0.0.1' && address !== '::1')) {
      const sender = startSender(t, { resolve: async () => ['127.0.0.1', address] })
      assert.equal(describeOutcome(await send(sender, plain(receiver.port))), 'address refused', address)
    }
    assert.equal(receiver.connections(), 0)
  })

  const neverToBeSent = [
    'http://receiver.example.net/',
    'https://receiver.example.net:8443/',
    'https://user:secret@receiver.example.net/',
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://printer.local/',
    'https://intranet-box/',
    'https:receiver.example.net',
    'not an address',
    '',
  ]
  for (const url of neverToBeSent) {
    it(`refuses ${JSON.stringify(url)} without looking up the name, no matter what let it in`, async (t) => {
      const sender = startSender(t, {
        practice: false,
        resolve: () => assert.fail('The name was asked for.'),
      })
      const opened = await socketsOpenedBy(async () => {
        assert.equal(describeOutcome(await send(sender, url)), 'address refused')
      })
      assert.equal(opened, 0)
    })
  }

  for (const url of [
    'http://receiver.example.net/',
    'https://receiver.example.net:8443/',
    'http://8.8.8.8/',
  ]) {
    it(`refuses ${url} in practice mode too, which opens this machine alone`, async (t) => {
      const sender = startSender(t, {
        practice: true,
        resolve: () => assert.fail('The name was asked for.'),
      })
      assert.equal(describeOutcome(await send(sender, url)), 'address refused')
    })
  }

  it('looks up the name before each try: one that changes to a private address is refused, warm connection or not', async (t) => {
    const receiver = await startReceiver(t)
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1']]
    const sender = startSender(t, { resolve: async () => answers.shift() ?? [] })
    const words: string[] = []
    for (let count = 0; count < 5; count++)
      words.push(describeOutcome(await send(sender, plain(receiver.port))))
    assert.deepEqual(words, ['ok 200', 'address refused', 'address refused', 'ok 200', 'name not found'])
    assert.equal(receiver.received.length, 2)
  })

  it('connects to the address it vetted without a second lookup, so a changing name gains nothing', async (t) => {
    const receiver = await startReceiver(t, undefined, { certificate })
    let asked = 0
    const sender = startSender(t, { resolve: async () => (++asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']) })
    assert.equal(describeOutcome(await send(sender, secure(receiver.port))), 'ok 200')
    assert.equal(asked, 1)
  })

  it('with a real name server: an alias is judged by the addresses it leads to', async (t) => {
    const receiver = await startReceiver(t)
    const { server } = await startNameServer(t, (name) => {
      if (name === 'inside.example.net') return { addresses: ['10.0.0.1'], alias: 'public.example.com' }
      if (name === 'mixed.example.net') return { addresses: ['127.0.0.1', 'fd00::1'] }
      if (name === NAME) return { addresses: ['127.0.0.1'], alias: 'db.internal' }
      return 'no such name'
    })
    const sender = startSender(t, { resolve: createResolver({ servers: [server] }) })
    const said = async (host: string) =>
      describeOutcome(await send(sender, `http://${host}:${receiver.port}/`))
    assert.equal(await said('inside.example.net'), 'address refused')
    assert.equal(await said('mixed.example.net'), 'address refused')
    assert.equal(await said('nowhere.example.net'), 'name not found')
    assert.equal(await said(NAME), 'ok 200')
  })

  it('a name without addresses, or one that name servers fail on, is not found', async (t) => {
    const without = startSender(t, { resolve: async () => [] })
    assert.equal(describeOutcome(await send(without, plain(80))), 'name not found')
    const failing = startSender(t, { resolve: () => Promise.reject(new Error('SERVFAIL 10.0.0.53')) })
    const outcome = await send(failing, plain(80))
    assert.deepEqual(Object.keys(outcome).toSorted(), ['durationMs', 'kind'])
    assert.equal(outcome.kind, 'name not found')
  })

  it('a name with more than 64 addresses is refused', async (t) => {
    const sender = startSender(t, { resolve: async () => Array.from({ length: 65 }, () => '127.0.0.1') })
    assert.equal(describeOutcome(await send(sender, plain(80))), 'address refused')
  })

  it('localhost and loopback addresses need no name server in practice mode', async (t) => {
    const receiver = await startReceiver(t)
    const sender = startSender(t, {
      practice: true,
      resolve: () => assert.fail('The name was asked for.'),
    })
    for (const host of ['localhost', 'app.localhost', '127.0.0.1']) {
      assert.equal(describeOutcome(await send(sender, `http://${host}:${receiver.port}/`)), 'ok 200')
    }
  })

  it('tries the next vetted address when one cannot be reached', async (t) => {
    let receiver
    try {
      receiver = await startReceiver(t, undefined, { host: '::1' })
    } catch {
      return t.skip('This machine has no IPv6.')
    }
    const sender = startSender(t, { resolve: async () => ['::1', '127.0.0.1'] })
    assert.equal(describeOutcome(await send(sender, plain(receiver.port))), 'ok 200')
    assert.equal(receiver.connections(), 1)
  })
})
