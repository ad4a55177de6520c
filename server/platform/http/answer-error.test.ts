import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import { httpServer } from './server.ts'

describe('what the log says of a request that was not answered', () => {
  const lines: Record<string, unknown>[] = []
  let app: FastifyInstance
  const fails = (path: string, error: Error) =>
    app.get(path, () => {
      throw error
    })

  before(async () => {
    app = httpServer(pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) }))
    fails('/meant', new Refusal(503, 'The packages are being made; ask again then.'))
    fails('/wrong', badRequest('The date cannot be read.'))
    fails('/broken', new TypeError('a value of a statement is undefined'))
    await app.ready()
  })
  after(() => app.close())

  const saidOf = async (url: string): Promise<readonly Record<string, unknown>[]> => {
    lines.length = 0
    await app.inject({ method: 'GET', url })
    return lines.filter(({ msg }) => msg !== 'request')
  }

  it('is a warning in one sentence where the service meant to refuse it', async () => {
    const [line, ...more] = await saidOf('/meant')
    assert.deepEqual(more, [])
    assert.equal(line?.['level'], 40)
    assert.equal(line['refusal'], 'The packages are being made; ask again then.')
    assert.equal(line['stack'], undefined)
  })

  it('is nothing that only the caller can put right', async () => {
    assert.deepEqual(await saidOf('/wrong'), [])
  })

  it('is an error with its stack where it is our own fault', async () => {
    const [line] = await saidOf('/broken')
    assert.equal(line?.['level'], 50)
    assert.match(String(line['stack']), /TypeError: a value of a statement is undefined/)
  })
})
