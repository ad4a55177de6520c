import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { serveHealth } from '../platform/http/health.ts'
import { watchLoops } from '../platform/kernel/running/loop-watch.ts'
import { eventually } from '../test/eventually.ts'
import { rowsOf } from '../test/rows.ts'
import { type TestService, startService } from '../test/service.ts'
import { type Worker, startWorker } from './worker.ts'

/*
 * A worker with real faults in its statements. The watch's clock does not move except for half a minute per logged
 * failure, so that the machine's speed does not matter.
 */

describe('/readyz of a process that does background work', () => {
  let service: TestService
  let app: FastifyInstance
  let worker: Worker
  let nowMs = 0
  let failures = 0
  before(async () => {
    service = await startService()
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        for (const line of chunk.toString().trim().split('\n')) {
          if (!/failed|could not/.test(JSON.parse(line).msg)) continue
          failures++
          nowMs += 30_000
        }
        done()
      },
    })
    const context = { ...service.context, log: pino({ level: 'warn' }, stream) }
    app = buildApp(context)
    const watch = watchLoops(() => nowMs)
    serveHealth(app, context, () => true, { failing: watch.failing })
    worker = startWorker(context, undefined, watch)
    await app.ready()
  })
  after(async () => {
    await worker.stop()
    await app.close()
    await service.stop()
  })
  const ask = async (): Promise<{ status: number; text: string }> => {
    const { statusCode, body } = await app.inject({ method: 'GET', url: '/readyz' })
    return { status: statusCode, text: body }
  }
  const unready = () =>
    eventually(async () => {
      const answer = await ask()
      return answer.status === 503 && answer
    })
  const wellAgain = () => eventually(async () => (await ask()).status === 200)

  it('stays 200 while there is nothing to do', async () => {
    nowMs += 86_400_000
    assert.equal((await ask()).status, 200)
    assert.equal(failures, 0)
  })

  it('is 503 and names the loop while a table is missing for long, and recovers when it is back', async () => {
    await rowsOf(service, 'alter table campaign rename to campaign_elsewhere')
    try {
      const { text } = await unready()
      assert.equal(
        text,
        '{"error":"Background work has failed again and again for some minutes: campaigns: look what is due. The log says by which error."}',
      )
    } finally {
      await rowsOf(service, 'alter table campaign_elsewhere rename to campaign')
    }
    await wellAgain()
  })

  it('is 503 while the service may not read a table, and recovers when it may', async () => {
    await rowsOf(service, 'revoke select on data_import from current_user')
    try {
      assert.match((await unready()).text, /minutes: run imports\./)
    } finally {
      await rowsOf(service, 'grant select on data_import to current_user')
    }
    await wellAgain()
  })

  it('stays 200 when the import of one venue fails', async () => {
    const { id } = await service.venue()
    const now = service.context.clock().toString()
    await rowsOf(
      service,
      `insert into data_import_part (venue_id, upload_id, number, bytes, received_at)
       values ($1, '00000000-0000-4000-8000-000000000000', 0, 'Maya,maya@example.com', $2)`,
      [id, now],
    )
    // A plan that no page can set.
    await rowsOf(
      service,
      `insert into data_import (venue_id, kind, state, file_name, file_bytes, row_count, separator, upload_id, plan, made_by, made_at, next_at)
       values ($1, 'guests', 'running', 'a.csv', 20, 1, ',', '00000000-0000-4000-8000-000000000000', '{}', 'nobody', $2, $2)`,
      [id, now],
    )
    const state = async () =>
      (await rowsOf<{ state: string }>(service, 'select state from data_import where venue_id = $1', [id]))[0]
        ?.state
    await eventually(async () => (await state()) !== 'running')
    assert.deepEqual([await state(), (await ask()).status], ['failed', 200])
  })

  it('stays 200 when one run fails and the next succeeds', async () => {
    const before = failures
    await rowsOf(service, 'alter table campaign rename to campaign_elsewhere')
    await eventually(() => failures > before)
    await rowsOf(service, 'alter table campaign_elsewhere rename to campaign')
    assert.equal((await ask()).status, 200)
  })
})
