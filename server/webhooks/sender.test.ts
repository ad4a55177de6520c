import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { eventually } from '../test/eventually.ts'
import { createResolver } from './resolve-name.ts'
import { describeOutcome } from './schedule.ts'
import {
  ANSWER_LIMIT_MS,
  createSender,
  type GoAhead,
  MAX_ANSWER_BYTES,
  type Outcome,
  type Request,
  type Sender,
  type SenderOptions,
  type Vetted,
} from './sender.ts'
import { anyName } from './test/any-name.ts'
import { makeAuthority } from './test/certificate.ts'
import { heldTime } from './test/held-time.ts'
import { startNameServer } from './test/name-server.ts'
import { closedPort, startReceiver, startSocketServer } from './test/receivers.ts'

const NAME = 'receiver.example.net'
const authority = makeAuthority()
const certificate = authority.sign([NAME])
const headers = {
  'content-type': 'application/json',
  'user-agent': 'Service-Webhooks/1',
  'x-service-event': 'ping',
}
const body = Buffer.from('{"id":"1","note":"café"}')

/** A practice sender: the real walls, but this machine is reachable. Every name, on any port, resolves to 127.0.0.1. */
const startSender = (t: TestContext, options: SenderOptions = {}): Sender => {
  const sender = createSender({
    practice: true,
    // Tests that set the practice mode explicitly get the usual rules for the text.
    ...(options.practice === undefined && { judge: anyName }),
    resolve: async () => ['127.0.0.1'],
    ca: authority.cert,
    time: heldTime(),
    ...options,
  })
  t.after(() => sender.close())
  return sender
}
const request = { body, headers }
const goesAhead: GoAhead = { holds: () => true, ask: () => Promise.resolve(true) }
/** Both halves of an attempt that is never withdrawn. */
const send = async (sender: Sender, url: string, sent: Request = request): Promise<Outcome> => {
  const vetted = await sender.vet(url)
  const outcome = vetted.kind === 'vetted' ? await sender.post(vetted, sent, goesAhead) : vetted
  assert.ok(outcome)
  return outcome
}
const vet = async (sender: Sender, url: string): Promise<Vetted> => {
  const vetted = await sender.vet(url)
  assert.ok(vetted.kind === 'vetted', vetted.kind)
  return vetted
}
const plain = (port: number, path = '/hook'): string => `http://${NAME}:${port}${path}`
const secure = (port: number, path = '/hook'): string => `https://${NAME}:${port}${path}`
const answerOf = (outcome: Outcome): Buffer => {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome.kind === 'answered' ? outcome.body : Buffer.alloc(0)
}

/** Returns the number of sockets that anything in this process opened during the run. */
const socketsOpenedBy = async (run: () => Promise<unknown>): Promise<number> => {
  let opened = 0
  const count = () => {
    opened += 1
  }
  subscribe('net.client.socket', count)
  subscribe('undici:client:beforeConnect', count)
  await run()
  unsubscribe('net.client.socket', count)
  unsubscribe('undici:client:beforeConnect', count)
  return opened
}

/** Sends `text` repeatedly until the connection is gone, then resolves. */
const drip = (
  socket: { write: (text: string) => unknown; once: (event: 'close', run: () => void) => unknown },
  text: string,
) => {
  const timer = setInterval(() => socket.write(text), 20)
  return new Promise<void>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer)
      resolve()
    })
  })
}

/** Responds endlessly, as fast as it is read. */
const endless = (response: ServerResponse): void => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) {}
  }
  response.on('drain', more)
  more()
}

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
    it(`refuses ${JSON.stringify(url)} without asking for the name, whatever let it in`, async (t) => {
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

describe('sender: malformed and hostile answers', () => {
  /** One attempt, whose limit expires once `isUnderWay`. */
  const outOfTime = async (t: TestContext, url: string, isUnderWay: () => unknown): Promise<Sender> => {
    const time = heldTime()
    const sender = startSender(t, { time })
    const outcome = send(sender, url)
    await eventually(isUnderWay)
    time.pass(ANSWER_LIMIT_MS - 1)
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    assert.equal(sender.counts().inFlight, 1, 'its time is not over')
    time.pass(1)
    assert.deepEqual(await outcome, { kind: 'timeout', durationMs: ANSWER_LIMIT_MS })
    return sender
  }
  it('a body that drips past the limit is a timeout, and the connection is ended', async (t) => {
    let gone: Promise<void> | undefined
    const receiver = await startReceiver(t, (response) => {
      response.writeHead(200)
      gone = drip(response, '.')
    })
    await outOfTime(t, plain(receiver.port), () => gone !== undefined)
    await gone
  })

  it('headers that drip past the limit are a timeout', async (t) => {
    let gone: Promise<void> | undefined
    const port = await startSocketServer(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      gone = drip(socket, 'a')
    })
    await outOfTime(t, plain(port), () => gone !== undefined)
    await gone
  })

  it('a receiver that never answers is a timeout, with TLS and without', async (t) => {
    const silent = await startReceiver(t, () => {})
    const silentSecure = await startReceiver(t, () => {}, { certificate })
    for (const [receiver, url] of [
      [silent, plain(silent.port)],
      [silentSecure, secure(silentSecure.port)],
    ] as const) {
      const sender = await outOfTime(t, url, () => receiver.received.length === 1)
      assert.deepEqual(sender.counts(), { inFlight: 0, idleConnections: 0 })
    }
  })

  it('an answer that came in time counts, even if this process was delayed past the limit', async (t) => {
    const time = heldTime()
    // The limit passes before the answer is read, which is on the next poll of the sockets.
    const isOver = () => setImmediate(() => time.pass(ANSWER_LIMIT_MS + 50))
    const receiver = await startReceiver(t, (response) => response.end(isOver))
    const outcome = await send(startSender(t, { time }), plain(receiver.port))
    assert.equal(describeOutcome(outcome), 'ok 200')
  })

  it('a process paused past the limit while connecting sends nothing', async (t) => {
    const receiver = await startReceiver(t)
    let nowMs = 0
    // Its timers are late, like those of a paused process.
    const time = { nowMs: () => nowMs, after: () => () => undefined }
    const sender = startSender(t, { time })
    const pause = () => void (nowMs += ANSWER_LIMIT_MS + 50)
    subscribe('net.client.socket', pause)
    const outcome = send(sender, plain(receiver.port)).finally(() => unsubscribe('net.client.socket', pause))
    assert.equal(describeOutcome(await outcome), 'timeout')
    // Anything sent would arrive before this.
    assert.equal(describeOutcome(await send(startSender(t), plain(receiver.port))), 'ok 200')
    assert.equal(receiver.received.length, 1)
  })

  for (const kept of [false, true]) {
    it(`asks again where connecting outlasted the go-ahead, and sends over ${kept ? 'a kept' : 'that'} connection`, async (t) => {
      const receiver = await startReceiver(t)
      const sender = startSender(t)
      if (kept) await send(sender, plain(receiver.port))
      const said: string[] = []
      const goAhead: GoAhead = {
        holds: () => said.push('holds?') > 1,
        ask: async () => said.push('ask') > 0,
      }
      const outcome = await sender.post(await vet(sender, plain(receiver.port)), request, goAhead)
      assert.equal(outcome && describeOutcome(outcome), 'ok 200')
      assert.deepEqual(said, ['holds?', 'ask', 'holds?'])
      assert.deepEqual([receiver.received.length, receiver.connections()], [kept ? 2 : 1, 1])
    })
  }

  it('sends nothing if the go-ahead was withdrawn while connecting, and keeps the connection for the next one', async (t) => {
    const receiver = await startReceiver(t)
    const sender = startSender(t)
    const vetted = await vet(sender, plain(receiver.port))
    const withdrawn = { holds: () => false, ask: () => Promise.resolve(false) }
    assert.equal(await sender.post(vetted, request, withdrawn), undefined)
    assert.deepEqual(sender.counts(), { inFlight: 0, idleConnections: 0 })
    const broken = { holds: () => false, ask: () => Promise.reject(new Error('nobody knows')) }
    await assert.rejects(sender.post(vetted, request, broken), /nobody knows/)
    assert.equal(describeOutcome(await send(sender, plain(receiver.port))), 'ok 200')
    assert.equal(receiver.received.length, 1)
  })

  it('a time limit that ends while the go-ahead is asked for again is a timeout, and nothing is sent', async (t) => {
    const receiver = await startReceiver(t)
    const time = heldTime()
    const sender = startSender(t, { time })
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<boolean>()
    const goAhead: GoAhead = {
      holds: () => false,
      ask: () => {
        asked.resolve()
        return answer.promise
      },
    }
    const outcome = sender.post(await vet(sender, plain(receiver.port)), request, goAhead)
    await asked.promise
    time.pass(ANSWER_LIMIT_MS)
    assert.equal(describeOutcome((await outcome) as Outcome), 'timeout')
    answer.resolve(true)
    assert.equal(describeOutcome(await send(startSender(t), plain(receiver.port))), 'ok 200')
    assert.equal(receiver.received.length, 1)
  })

  it('a stalled TLS handshake is a timeout, and the connection is ended', async (t) => {
    let gone: Promise<unknown> | undefined
    const port = await startSocketServer(t, (socket) => {
      gone = once(socket, 'close')
      socket.resume()
    })
    await outOfTime(t, secure(port), () => gone !== undefined)
    await gone
  })

  for (const status of [200, 500]) {
    it(`an endless body under ${status} is read up to 64 KB only: the status decides`, async (t) => {
      let gone: Promise<unknown> | undefined
      const receiver = await startReceiver(t, (response) => {
        gone = once(response, 'close')
        response.writeHead(status)
        endless(response)
      })
      const sender = startSender(t)
      const outcome = await send(sender, plain(receiver.port))
      assert.deepEqual(answerOf(outcome), Buffer.alloc(1_024, 'x'))
      assert.equal(describeOutcome(outcome), status === 200 ? 'ok 200' : 'HTTP 500')
      assert.equal(sender.counts().idleConnections, 0)
      await gone
    })
  }

  it('reads 65,536 bytes and keeps the connection; one more byte ends it, still a success', async (t) => {
    let size = MAX_ANSWER_BYTES
    const receiver = await startReceiver(t, (response) => response.end(Buffer.alloc(size, 'y')))
    const sender = startSender(t)
    assert.equal(answerOf(await send(sender, plain(receiver.port))).length, 1_024)
    assert.equal(sender.counts().idleConnections, 1)
    size += 1
    assert.equal(describeOutcome(await send(sender, plain(receiver.port))), 'ok 200')
    assert.equal(sender.counts().idleConnections, 0)
  })

  it('never inflates: a gzip bomb stays its few compressed bytes, and compression is not requested', async (t) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const receiver = await startReceiver(t, (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const outcome = await send(startSender(t), plain(receiver.port))
    assert.deepEqual(answerOf(outcome), bomb.subarray(0, 1_024))
    assert.equal(receiver.received[0]?.headers['accept-encoding'], undefined)
  })

  it('interim answers are skipped, up to a limit', async (t) => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    const port = await startSocketServer(t, (socket) => {
      socket.once('data', () => socket.write(`${interim}${interim}HTTP/1.1 204 No Content\r\n\r\n`))
    })
    assert.equal(describeOutcome(await send(startSender(t), plain(port))), 'ok 204')
    const flood = await startSocketServer(t, (socket) => {
      socket.once('data', () => socket.write(interim.repeat(50)))
    })
    assert.equal(describeOutcome(await send(startSender(t), plain(flood))), 'connection failed')
  })

  const garbled: Record<string, string> = {
    'not HTTP': 'SSH-2.0-OpenSSH_9.2\r\n',
    'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    '17 KB of headers': `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(17_000)}\r\n\r\n`,
    'two lengths that disagree': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'a chunk that is none': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  }
  for (const [what, text] of Object.entries(garbled)) {
    it(`${what} is not an answer`, async (t) => {
      const port = await startSocketServer(t, (socket) => {
        socket.once('data', () => socket.write(text))
      })
      assert.equal(describeOutcome(await send(startSender(t), plain(port))), 'connection failed')
    })
  }

  it('bytes after an answer do not become the answer to the next delivery', async (t) => {
    let requests = 0
    const port = await startSocketServer(t, (socket) => {
      socket.on('data', () => {
        requests += 1
        socket.write(
          'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
        )
      })
    })
    const sender = startSender(t)
    for (let count = 1; count <= 3; count++) {
      assert.equal(describeOutcome(await send(sender, plain(port))), 'HTTP 500')
      assert.equal(requests, count)
    }
  })
})

describe('sender: connections that break', () => {
  const bad = {
    'a certificate nobody vouches for': makeAuthority().sign([NAME]),
    'a certificate of another name': authority.sign(['other.example.net', '127.0.0.1']),
    'a certificate that has run out': authority.sign([NAME], { expired: true }),
    'a certificate for the names one level up': authority.sign(['example.net', '*.net']),
  }
  for (const [what, wrong] of Object.entries(bad)) {
    it(`${what}: tls failed, each time, and nothing was sent`, async (t) => {
      const receiver = await startReceiver(t, undefined, { certificate: wrong })
      const sender = startSender(t)
      for (let count = 0; count < 3; count++) {
        assert.equal(describeOutcome(await send(sender, secure(receiver.port))), 'tls failed')
      }
      assert.equal(receiver.received.length, 0)
    })
  }

  it('no TLS where TLS should be, or a reset in the handshake: tls failed', async (t) => {
    const plainReceiver = await startReceiver(t)
    const resetting = await startSocketServer(t, (socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    )
    const closing = await startSocketServer(t, (socket) => socket.end())
    for (const port of [plainReceiver.port, resetting, closing]) {
      assert.equal(describeOutcome(await send(startSender(t), secure(port))), 'tls failed')
    }
  })

  it('nothing listening: connection failed', async (t) => {
    const port = await closedPort()
    assert.equal(describeOutcome(await send(startSender(t), plain(port))), 'connection failed')
    assert.equal(describeOutcome(await send(startSender(t), secure(port))), 'connection failed')
  })

  const stages: Record<string, string | undefined> = {
    'before a byte of the answer': '',
    'in the headers': 'HTTP/1.1 200 OK\r\ncontent-le',
    'in the body': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
    'in a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
  }
  for (const [stage, text = ''] of Object.entries(stages)) {
    for (const [how, withTls] of [
      ['without TLS', false],
      ['with TLS', true],
    ] as const) {
      for (const ending of ['reset', 'close'] as const) {
        it(`a ${ending} ${stage}, ${how}: connection failed, and sent once`, async (t) => {
          let requests = 0
          const port = await startSocketServer(
            t,
            (socket, reset) => {
              socket.once('data', () => {
                requests += 1
                socket.write(text, () => (ending === 'reset' ? reset() : socket.end()))
              })
            },
            withTls ? certificate : undefined,
          )
          const outcome = await send(startSender(t), withTls ? secure(port) : plain(port))
          assert.equal(describeOutcome(outcome), 'connection failed')
          assert.equal(requests, 1)
        })
      }
    }
  }

  it('what was sent to one address is not sent to the next', async (t) => {
    let requests = 0
    const port = await startSocketServer(t, (socket, reset) => {
      socket.once('data', () => {
        requests += 1
        reset()
      })
    })
    const sender = startSender(t, { resolve: async () => ['127.0.0.1', '127.0.0.1'] })
    assert.equal(describeOutcome(await send(sender, plain(port))), 'connection failed')
    assert.equal(requests, 1)
  })

  it('a reset right after connecting: connection failed', async (t) => {
    const port = await startSocketServer(t, (_socket, reset) => reset())
    assert.equal(describeOutcome(await send(startSender(t), plain(port))), 'connection failed')
  })

  it('an answer that ends with the connection is an answer', async (t) => {
    const port = await startSocketServer(t, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\ndone'))
    })
    assert.equal(answerOf(await send(startSender(t), plain(port))).toString(), 'done')
  })
})

describe('sender: connections that are kept', () => {
  it('the next delivery to the same name and address uses the same connection', async (t) => {
    const receiver = await startReceiver(t, undefined, { certificate })
    const sender = startSender(t)
    for (let count = 0; count < 5; count++) await send(sender, secure(receiver.port, `/${count}`))
    assert.equal(receiver.received.length, 5)
    assert.equal(receiver.connections(), 1)
  })

  it('another name on the same machine gets its own connection', async (t) => {
    const both = authority.sign([NAME, 'second.example.net'])
    const receiver = await startReceiver(t, undefined, { certificate: both })
    const sender = startSender(t)
    await send(sender, secure(receiver.port))
    await send(sender, `https://second.example.net:${receiver.port}/`)
    assert.equal(receiver.connections(), 2)
    assert.equal(receiver.received[1]?.headers.host, `second.example.net:${receiver.port}`)
  })

  it('no delivery waits for another: five at once are five connections', async (t) => {
    const waiting: ServerResponse[] = []
    const receiver = await startReceiver(t, (response) => {
      waiting.push(response)
      if (waiting.length === 5) for (const each of waiting) each.end()
    })
    const sender = startSender(t)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(sender, plain(receiver.port))))
    assert.deepEqual(
      outcomes.map(describeOutcome),
      Array.from({ length: 5 }, () => 'ok 200'),
    )
    assert.equal(sender.counts().idleConnections, 5)
  })

  it('receivers that hang do not hold up the others', async (t) => {
    const hanging = await startReceiver(t, () => {})
    const receiver = await startReceiver(t)
    const time = heldTime()
    const sender = startSender(t, { time })
    let ended = 0
    const hung = Array.from({ length: 40 }, async () => {
      const outcome = await send(sender, plain(hanging.port))
      ended++
      return outcome
    })
    for (let count = 0; count < 10; count++) {
      assert.equal(describeOutcome(await send(sender, plain(receiver.port))), 'ok 200')
    }
    assert.equal(ended, 0, 'all ten arrived while forty hung')
    await eventually(() => hanging.received.length === 40)
    time.pass(ANSWER_LIMIT_MS)
    for (const outcome of await Promise.all(hung)) assert.equal(outcome.kind, 'timeout')
  })

  it('a kept connection that the receiver closed in the meantime costs nothing', async (t) => {
    const receiver = await startReceiver(t)
    const sender = startSender(t)
    await send(sender, plain(receiver.port))
    receiver.received[0]?.socket.destroy()
    assert.equal(describeOutcome(await send(sender, plain(receiver.port))), 'ok 200')
    assert.equal(receiver.connections(), 2)
  })

  it('a kept connection that breaks under the request is replaced once, within the same try', async (t) => {
    let requests = 0
    const port = await startSocketServer(t, (socket) => {
      let here = 0
      socket.on('data', () => {
        requests += 1
        if (++here === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        else socket.destroy()
      })
    })
    const sender = startSender(t)
    assert.equal(describeOutcome(await send(sender, plain(port))), 'ok 200')
    assert.equal(describeOutcome(await send(sender, plain(port))), 'ok 200')
    assert.equal(requests, 3)
  })

  it('but a kept connection on which nothing comes is a timeout, not a second request', async (t) => {
    const receiver = await startReceiver(t, (response, _request, count) => {
      if (count === 1) response.end()
    })
    const time = heldTime()
    const sender = startSender(t, { time })
    await send(sender, plain(receiver.port))
    const second = send(sender, plain(receiver.port))
    await eventually(() => receiver.received.length === 2)
    time.pass(ANSWER_LIMIT_MS)
    assert.equal((await second).kind, 'timeout')
    assert.equal(receiver.received.length, 2)
  })

  it('keeps a bounded number of connections: the least recently used one is closed', async (t) => {
    const receivers = [await startReceiver(t), await startReceiver(t), await startReceiver(t)]
    const sender = startSender(t, { maxIdle: 2 })
    const first = receivers[0]
    const closed: Promise<unknown>[] = []
    for (const receiver of receivers) {
      await send(sender, plain(receiver.port))
      const socket = receiver.received[0]?.socket
      if (receiver === first && socket) closed.push(once(socket, 'close'))
    }
    assert.equal(sender.counts().idleConnections, 2)
    await Promise.all(closed)
    for (const receiver of receivers.slice(1)) await send(sender, plain(receiver.port))
    assert.deepEqual(
      receivers.map((receiver) => receiver.connections()),
      [1, 1, 1],
    )
  })

  it('close waits for running tries, takes nothing new and leaves no connection', async (t) => {
    let answer: (() => void) | undefined
    const receiver = await startReceiver(t, (response, _request, count) => {
      if (count === 1) response.end()
      else answer = () => response.end('late')
    })
    const sender = startSender(t)
    await send(sender, plain(receiver.port))
    const underWay = send(sender, plain(receiver.port))
    while (receiver.received.length < 2) await new Promise((resolve) => setImmediate(resolve))
    let closed = false
    const closing = (async () => {
      await sender.close()
      closed = true
    })()
    await assert.rejects(send(sender, plain(receiver.port)))
    assert.equal(closed, false)
    answer?.()
    assert.equal(answerOf(await underWay).toString(), 'late')
    await closing
    assert.deepEqual(sender.counts(), { inFlight: 0, idleConnections: 0 })
    await sender.close()
  })
})
