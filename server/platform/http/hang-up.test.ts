import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('a client that hangs up early', () => {
  let service: TestService
  let venue: TestVenue
  let app: FastifyInstance
  const faults: string[] = []
  /** Called when the service starts to read a request's body, and when that request ends. */
  let [reading, ended] = [(): void => undefined, (): void => undefined]
  before(async () => {
    service = await startService()
    venue = await service.venue()
    const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) })
    app = buildApp({ ...service.context, log })
    app.addHook('preParsing', (request, _reply, _body, done) => {
      request.raw.once('close', () => ended())
      reading()
      done()
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(async () => {
    await app.close()
    await service.stop()
  })

  const heads = {
    'JSON with a length': () =>
      `POST /api/v1/guests HTTP/1.1\r\nhost: x\r\nx-service-key: ${venue.key}\r\ncontent-length: 100\r\n\r\n{"email"`,
    'JSON in chunks': () =>
      `POST /api/v1/guests HTTP/1.1\r\nhost: x\r\nx-service-key: ${venue.key}\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":`,
    'a form': () =>
      'POST /office/sign-in HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nemail=',
  }
  for (const [what, head] of Object.entries(heads)) {
    it(`is not logged as a fault: ${what}`, async () => {
      const begun = new Promise<void>((resolve) => (reading = resolve))
      const over = new Promise<void>((resolve) => (ended = resolve))
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(head())
      await begun
      socket.resetAndDestroy()
      await over
      // The service logs it in this same turn of the event loop.
      await nextTurn()
      assert.deepEqual(faults, [])
    })
  }
})
