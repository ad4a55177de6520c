import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { drainable } from './drain.ts'
import { patience } from '../../test/patience.ts'
import { httpServer } from './server.ts'

describe('the time that an answer may take', () => {
  let app: FastifyInstance
  let url: string
  const rest = Promise.withResolvers<string>()
  const never = Promise.withResolvers<string>()
  /** Long enough for any machine to begin the file. */
  const config = { answerWithinSeconds: patience.ms() / 8_000 }
  before(async () => {
    app = httpServer(pino({ level: 'silent' }), { ...readConfig({}), dateBy: undefined })
    // Its hook sits between an answer and the wire, as in the service.
    drainable(app)
    app.get('/file', { config }, (_request, reply) =>
      reply.send(
        Readable.from(
          (async function* () {
            yield 'first line\n'
            yield await rest.promise
          })(),
        ),
      ),
    )
    app.get('/silent', { config }, () => never.promise)
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => app.close())

  it('ends for a page that sends nothing, but not for a file that has started', async () => {
    const file = await fetch(`${url}/file`)
    // It started later and has the same limit, so the file's limit has passed, too.
    assert.equal((await fetch(`${url}/silent`)).status, 503)
    rest.resolve('last line\n')
    assert.equal(await file.text(), 'first line\nlast line\n')
    never.resolve('')
  })
})
