import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startService } from '../../test/service.ts'
import { type Mortal, killInTurn, runFaults, sharedSecrets } from '../test-fixtures/faults/run.ts'

/* The short form of bench/webhook-faults.ts: the same run and the same reckoning, in seconds. */

describe('kill -9 of workers under load', () => {
  it('loses nothing, sends nothing after DELETE or revoke, and repeats with the same id and bytes', async () => {
    const secrets = sharedSecrets()
    const service = await startService({ PRACTICE: 'on', SECRETS: secrets })
    service.setClock(Temporal.Now.instant().toString())
    const workers: Mortal[] = []
    const startWorker = async (): Promise<Mortal> => {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, '../test-fixtures/faults/quick-worker.ts')],
        {
          env: {
            PATH: process.env['PATH'],
            DATABASE_URL: service.databaseUrl,
            SECRETS: secrets,
            PRACTICE: 'on',
          },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const isReady = once(child.stdout, 'data')
      await isReady
      return {
        signal: (signal) => void child.kill(signal),
        ended: once(child, 'close'),
        ready: () => isReady,
      }
    }
    try {
      workers.push(await startWorker(), await startWorker())
      const { problems, figures } = await runFaults({
        // The system's clock: the workers have no other.
        context: { ...service.context, clock: () => Temporal.Now.instant().round('millisecond') },
        urls: [service.url],
        seconds: 5,
        perSecond: 60,
        venues: 20,
        harm: async (ended) => {
          const kills = await killInTurn(workers, startWorker, 1_000, ended)
          assert.ok(kills >= 2, `${kills} kills`)
        },
        doneWithinMs: 10_000,
      })
      assert.deepEqual(problems, [], JSON.stringify(figures))
      assert.equal(figures['answered'], 300)
      assert.ok((figures['stopped'] ?? 0) >= 2)
    } finally {
      for (const worker of workers) worker.signal('SIGKILL')
      await Promise.all(workers.map(({ ended }) => ended))
      await service.stop()
    }
  })
})
