import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { eventually } from '../eventually.ts'
import { patience } from '../patience.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { countOf } from '../rows.ts'
import { type TestService, type TestVenue, callService, startService } from '../service.ts'

/*
 * Two processes of the service behind a balancer as plain as there are: it takes turns among those whose `/readyz`
 * said 200 when it last asked, and never tries a request a second time.
 */

/** How long a process goes on serving: many times the pause between two looks, on this machine, too. */
const drainSeconds = Math.ceil(patience.ms() / 1000)
const lookEveryMs = 50
/** Requests under way at once. */
const clients = 3
/** How long each client is away between two of them: without a pause they only keep the processor busy. */
const pauseMs = 50

describe('a rolling restart', () => {
  let service: TestService
  let venue: TestVenue
  const running: ServiceProcess[] = []
  const useful = new Set<ServiceProcess>()
  let looking: NodeJS.Timeout | undefined
  let isOver = false

  const begin = async (PORT: string): Promise<ServiceProcess> => {
    const started = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      RATE_LIMIT_PER_MINUTE: '1000000',
      DRAIN_SECONDS: String(drainSeconds),
      PORT,
    })
    running.push(started)
    await started.ready()
    return started
  }
  const readiness = async (one: ServiceProcess): Promise<number> =>
    fetch(`${one.url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
  const look = async (): Promise<void> => {
    await Promise.all(
      running.map(async (one) => {
        if ((await readiness(one)) === 200) useful.add(one)
        else useful.delete(one)
      }),
    )
    // One that was under way at the end would go on for good, and the process of the tests with it.
    if (!isOver) looking = setTimeout(() => void look(), lookEveryMs)
  }

  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(async () => {
    isOver = true
    clearTimeout(looking)
    for (const one of running) one.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await service.stop()
  })

  it('behind a balancer that asks for /readyz loses no request, and a stopping process serves as before until the balancer drops it', async () => {
    let [first, second] = [await begin(String(await freePort())), await begin(String(await freePort()))]
    await look()
    assert.equal(useful.size, 2)

    let turn = 0
    let over = false
    let answered = 0
    const lost: string[] = []
    const load = Array.from({ length: clients }, async () => {
      while (!over) {
        const ready = [...useful]
        const one = ready[turn++ % ready.length]
        if (one === undefined) throw new Error('no process was ready')
        const answer = await callService(one.url, 'POST', '/api/v1/tasks', {
          key: venue.key,
          body: { title: 'Call Maya' },
        }).catch((error: Error) => error)
        if (answer instanceof Error)
          lost.push(`${answer.message}: ${(answer.cause as Error | undefined)?.message}`)
        else if (answer.status !== 201) lost.push(answer.text)
        else answered++
        await pause(pauseMs)
      }
    })

    const restart = async (one: ServiceProcess): Promise<ServiceProcess> => {
      one.signal('SIGTERM')
      await eventually(async () => (await readiness(one)) === 503)
      // It says it is not ready, but it still serves callers that have not noticed yet.
      const late = await callService(one.url, 'GET', '/api/v1/me', { key: venue.key })
      assert.deepEqual([late.status, late.headers.get('connection')], [200, 'keep-alive'])
      // Twice changes nothing, not even the time it goes on serving.
      one.signal('SIGTERM')
      assert.equal(await one.ended, 0, one.complained())
      running.splice(running.indexOf(one), 1)
      useful.delete(one)
      const again = await begin(String(one.port))
      await eventually(() => useful.has(again))
      return again
    }
    first = await restart(first)
    second = await restart(second)
    over = true
    await Promise.all(load)

    assert.deepEqual(lost, [])
    assert.ok(answered > 0)
    assert.equal(await countOf(service, 'task', venue.id), answered)
  })
})
