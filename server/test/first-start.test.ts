import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { killAndWait, postmasterOf } from '../db/embedded/test/harness.ts'
import { eventually } from './eventually.ts'
import { type ServiceProcess, startProcess } from './process.ts'
import { callService } from './service.ts'

/* The first start in an empty folder, as somebody new sees it. */

const key = 'service_sk_PracticeReadWrite000000000000000001b8ctY'

/** Every line that a first start may say. Warnings of Node, notices of PostgreSQL or a stack are none of these. */
const expected: readonly RegExp[] = [
  /^$/,
  /^\*\*\* .* \*\*\*$/,
  /^Mail is not sent but written to files under .*\.$/,
  /^Venue Data API: http:\/\/127\.0\.0\.1:\d+ \(reference at http:\/\/127\.0\.0\.1:\d+\/docs\)$/,
  /^Created the demo venue The Blue Door \(blue-door\): .*\.$/,
  /^The demo venue also has the keys of PRACTICE_KEYS \(1\)\.$/,
  /^API keys, shown only once:$/,
  /^ {2}(read and write|read only|automation platform) +service_sk_\w{40}$/,
  /^Logins, shown only once:$/,
  /^ {2}(owner|manager|host) +\w+@example\.com +[\w-]+$/,
  /^Try:$/,
  /^ {2}curl -s .*$/,
  /^To create another key: npm run venue -- key create .*$/,
  /^\{"level":30,.*"msg":"request"\}$/,
]

/** A first start makes a database and a year of history, which takes a busy machine its time. */
const withinMs = 300_000

const readyOf = ({ url }: ServiceProcess): Promise<boolean> =>
  eventually(async () => (await fetch(`${url}/readyz`)).status === 200, { withinMs })

const unexpectedIn = (said: string): string[] =>
  said.split('\n').filter((line) => !expected.some((one) => one.test(line)))

describe('a first start', () => {
  const endings: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const end of endings.toReversed()) await end()
  })
  const firstStart = async (settings: Record<string, string>): Promise<ServiceProcess> => {
    const above = await mkdtemp(join(tmpdir(), 'venue-first-start-'))
    const dataDir = join(above, 'data')
    endings.push(async () => {
      const left = await postmasterOf(dataDir)
      if (left !== undefined) await killAndWait(left, dataDir)
      await rm(above, { recursive: true, force: true, maxRetries: 5 })
    })
    const started = await startProcess({ DATA_DIR: dataDir, DEMO: 'on', LOG_LEVEL: 'info', ...settings })
    endings.push(() => {
      started.signal('SIGKILL')
      return started.ended
    })
    return started
  }

  it('says nothing that frightens, and of a practice instance what it is, its address and its keys', async () => {
    const started = await firstStart({ PRACTICE: 'on', PRACTICE_KEYS: `${key}:read_write` })
    await readyOf(started)
    const me = await callService(started.url, 'GET', '/api/v1/me', { key })
    assert.equal(me.status, 200, 'from the first yes of /readyz on the demo and its fixed keys are there')
    const { body } = await callService(started.url, 'GET', '/api/v1/reservations?limit=1', { key })
    assert.equal(body.length, 1)
    await eventually(() => started.said().includes('To create another key: '), { withinMs })
    assert.equal(await started.stop(), 0)
    assert.equal(started.complained(), '')
    assert.deepEqual(unexpectedIn(started.said()), [])
  })

  it('is not ready before the demo venue is there, and says so with 503 and Retry-After', async () => {
    const started = await firstStart({})
    const said = await eventually(
      async () => {
        const answer = await fetch(`${started.url}/readyz`)
        return { status: answer.status, wait: answer.headers.get('retry-after'), text: await answer.text() }
      },
      { withinMs },
    )
    assert.deepEqual(said, {
      status: 503,
      wait: '2',
      text: '{"error":"The demo venue is being made; try again shortly."}',
    })
    await readyOf(started)
    await eventually(() => /Created the demo venue .*: \d/.test(started.said()), { withinMs })
    assert.equal(await started.stop(), 0)
    assert.equal(started.complained(), '')
    assert.deepEqual(unexpectedIn(started.said()), [])
  })

  it('stops with one sentence where a fixed key has a wrong checksum, and opens nothing', async () => {
    const wrong = `${key.slice(0, -1)}Z`
    const started = await firstStart({ PRACTICE: 'on', PRACTICE_KEYS: `${wrong}:read` })
    assert.equal(await started.ended, 1)
    assert.equal(started.said(), '')
    assert.match(started.complained(), /^The settings are wrong: the key .* must end in 1b8ctY, .*\n$/)
  })
})
