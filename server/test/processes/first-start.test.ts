import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { killAndWait, postmasterOf } from '../../platform/db/embedded/test/harness.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { callPatiently } from '../service.ts'

/* The first start in an empty folder, as somebody new sees it. */

const key = 'service_sk_PracticeReadWrite000000000000000001b8ctY'

/** Every line that a first start may say. Warnings of Node, notices of PostgreSQL or a stack trace are not among them. */
const expected: readonly RegExp[] = [
  /^$/,
  /^\*\*\* .* \*\*\*$/,
  /^Mail is not sent but written to files under .*\.$/,
  /^Venue Data \d+\.\d+\.\d+ · web and worker · listening on 127\.0\.0\.1:\d+ · PostgreSQL \d+\.\d+ embedded in .* · (\d+) migrations, \1 of them applied now$/,
  /^Making the demo venue \(about 10 s\)…$/,
  /^Created the demo venue The Blue Door \(blue-door\): .*\.$/,
  /^The demo venue also has the keys of PRACTICE_KEYS \(1\)\.$/,
  /^Its passwords and API keys are shown only once:$/,
  /^Office {6}http:\/\/127\.0\.0\.1:\d+\/office$/,
  /^Guest page {2}http:\/\/127\.0\.0\.1:\d+\/v\/blue-door$/,
  /^API {9}http:\/\/127\.0\.0\.1:\d+\/api\/v1 {2}\(reference: http:\/\/127\.0\.0\.1:\d+\/docs\)$/,
  /^ {2}(read and write|read only|automation platform) +service_sk_\w{40}$/,
  /^ {2}(owner|manager|host) +\w+@example\.com +[\w-]+$/,
  /^Try:$/,
  /^ {2}curl -s .*$/,
  /^To create another key: bin\/venue key create .*$/,
  /^\{"level":"info",.*"msg":"request"\}$/,
]

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
    await started.ready()
    const me = await callPatiently(started.url, 'GET', '/api/v1/me', { key })
    assert.equal(me.status, 200, 'from the first yes of /readyz on the demo and its fixed keys are there')
    const { body } = await callPatiently(started.url, 'GET', '/api/v1/reservations?limit=1', { key })
    assert.equal(body.length, 1)
    await started.until(() => started.said().includes('To create another key: '))
    assert.equal(await started.stop(), 0)
    assert.equal(started.complained(), '')
    assert.deepEqual(unexpectedIn(started.said()), [])
  })

  it('is not ready before the demo venue is there, and says so with 503 and Retry-After', async () => {
    const started = await firstStart({})
    const said = await started.until(async () => {
      const answer = await fetch(`${started.url}/readyz`)
      const [status, wait, text] = [answer.status, answer.headers.get('retry-after'), await answer.text()]
      // On a busy machine the database may take longer to answer than `/readyz` waits for it, which is no yes either.
      const isSlow = status === 503 && text.includes('could not reach')
      return isSlow ? undefined : { status, wait, text }
    })
    assert.deepEqual(said, {
      status: 503,
      wait: '2',
      text: '{"error":"The demo venue is being made; try again shortly."}',
    })
    await started.ready()
    await started.until(() => /Created the demo venue .*: \d/.test(started.said()))
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
