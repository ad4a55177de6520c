import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { startTestRelay } from './test/relay.ts'
import { answers } from './try-relay.ts'

describe('trying a relay', () => {
  it('says yes to one that greets, without signing in or handing over anything', async () => {
    const said: string[] = []
    const server = createServer((socket) => {
      socket.write('220 here\r\n')
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => {
        const line = bytes.toString().trim()
        said.push(line.split(' ')[0] ?? '')
        socket.write(line.startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN\r\n' : '221 bye\r\n')
        if (line === 'QUIT') socket.end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const closed = once(server, 'close')
    const { port } = server.address() as AddressInfo
    assert.equal(await answers(`smtp://user:secret@127.0.0.1:${port}`), true)
    server.close()
    await closed
    assert.deepEqual(said, ['EHLO', 'QUIT'])
  })

  it('says no to one that is not there, turns everybody away, hangs, or speaks something else', async () => {
    const relay = await startTestRelay()
    try {
      for (const verdict of ['421 4.3.2 closing', 'drop'] as const) {
        relay.judge = { connect: () => verdict }
        assert.equal(await answers(relay.url), false, verdict)
      }
      relay.judge = { connect: () => 'hang' }
      assert.equal(await answers(relay.url, 100), false)
      relay.judge = {}
      assert.equal(await answers(relay.url), true)
      assert.equal(await answers(relay.url.replace('smtp:', 'smtps:'), 2_000), false)
      assert.equal(relay.received.length, 0)
    } finally {
      await relay.stop()
    }
    assert.equal(await answers(relay.url), false)
  })
})
