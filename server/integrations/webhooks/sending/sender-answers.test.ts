import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../../../test/eventually.ts'
import { describeOutcome } from '../schedule.ts'
import { ANSWER_LIMIT_MS, type GoAhead, MAX_ANSWER_BYTES, type Outcome, type Sender } from './sender.ts'
import { heldTime } from '../test/held-time.ts'
import { startReceiver, startSocketServer } from '../test/receivers.ts'
import {
  answerOf,
  certificate,
  drip,
  endless,
  plain,
  request,
  secure,
  send,
  startSender,
  vet,
} from '../test/sender.ts'

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
