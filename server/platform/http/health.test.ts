import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { type TestService, startService } from '../../test/service.ts'
import { serveHealth } from './health.ts'

describe('probes', () => {
  let service: TestService
  let app: FastifyInstance
  let isOpen = true
  const lines: { level: number; route: string }[] = []
  before(async () => {
    service = await startService()
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(JSON.parse(chunk.toString()))
        done()
      },
    })
    const context = { ...service.context, log: pino({ level: 'debug' }, stream) }
    app = buildApp(context)
    serveHealth(app, context, () => isOpen)
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(async () => {
    await app.close()
    await service.stop()
  })
  const ask = async (path: string, method: 'GET' | 'HEAD' = 'GET'): Promise<number> =>
    (await app.inject({ method, url: path })).statusCode

  it('are logged at debug, other requests at info', async () => {
    for (const path of ['/healthz', '/readyz', '/api/v1/openapi.json']) assert.equal(await ask(path), 200)
    assert.deepEqual(
      lines.map(({ level, route }) => [route, pino.levels.labels[level]]),
      [
        ['/healthz', 'debug'],
        ['/readyz', 'debug'],
        ['/api/v1/openapi.json', 'info'],
      ],
    )
  })

  it('/readyz is 503 once the process should get no more requests, /healthz stays 200', async () => {
    isOpen = false
    assert.deepEqual([await ask('/readyz'), await ask('/healthz')], [503, 200])
    assert.deepEqual([await ask('/readyz', 'HEAD'), await ask('/healthz', 'HEAD')], [503, 200])
  })
})
