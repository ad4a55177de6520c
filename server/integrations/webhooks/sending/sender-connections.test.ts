import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { describeOutcome } from '../schedule.ts'
import { ANSWER_LIMIT_MS } from './sender.ts'
import { makeAuthority } from '../test/certificate.ts'
import { heldTime } from '../test/held-time.ts'
import { closedPort, startReceiver, startSocketServer } from '../test/receivers.ts'
import { answerOf, authority, certificate, NAME, plain, secure, send, startSender } from '../test/sender.ts'

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
