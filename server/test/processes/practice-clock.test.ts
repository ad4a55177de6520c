import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freshDatabase } from '../database.ts'
import { runOperator } from './operator.ts'
import { type ServiceProcess, startProcess } from '../process.ts'

/* The clock of a practice instance as an integrator moves it: a service of its own, with commands run next to it. */

describe('clock advance and clock show, with a practice instance running', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  const started: ServiceProcess[] = []
  before(async () => {
    database = await freshDatabase()
  })
  after(async () => {
    for (const one of started) one.signal('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await database.drop()
  })

  const settings = () => ({
    DATABASE_URL: database.url,
    SECRETS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
  })
  const start = async (more: Record<string, string>): Promise<ServiceProcess> => {
    const one = await startProcess({ ...settings(), ...more })
    started.push(one)
    await one.ready()
    return one
  }
  /** The commands are given no setting of the practice instance: they read its clock where it is kept. */
  const command = (...args: string[]) => runOperator(args, settings())
  const clockShown = async (): Promise<number> => {
    const { code, stdout, stderr } = await command('clock', 'show', '--json')
    assert.equal(code, 0, stderr)
    return Temporal.Instant.from(JSON.parse(stdout).now).epochMilliseconds
  }
  const dateOf = async ({ url }: ServiceProcess): Promise<number> =>
    Date.parse((await fetch(`${url}/healthz`)).headers.get('date') ?? '')
  const hourMs = 3_600_000

  it('moves it forward, prints the time, and a restart goes on from there', async () => {
    const practice = { PRACTICE: 'on', PRACTICE_CLOCK: '2026-10-06T15:00:00Z' }
    const first = await start(practice)
    const began = Date.parse('2026-10-06T15:00:00Z')
    const shown = await clockShown()
    assert.ok(shown >= began && shown < began + hourMs)

    const moved = await command('clock', 'advance', '--by', '6h', '--json')
    assert.equal(moved.code, 0, moved.stderr)
    const said = Temporal.Instant.from(JSON.parse(moved.stdout).now).epochMilliseconds
    assert.ok(said >= shown + 6 * hourMs && said < shown + 7 * hourMs)
    assert.ok((await dateOf(first)) >= said - 1_000, 'the service has taken it when the command returns')
    assert.equal(await first.stop(), 0)

    const again = await start(practice)
    assert.ok((await dateOf(again)) >= said - 1_000)
    assert.ok((await clockShown()) >= said)
    assert.equal(await again.stop(), 0)
  })

  it('is refused with a sentence where nothing runs, and where the service is no practice instance', async () => {
    const nobody = await command('clock', 'advance', '--by', '6h')
    assert.equal(nobody.code, 1)
    assert.match(nobody.stderr, /^The practice instance is not running: .*\n$/)

    const normal = await start({})
    for (const args of [
      ['clock', 'advance', '--by', '6h'],
      ['clock', 'show'],
    ]) {
      const { code, stdout, stderr } = await command(...args)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^This is not a practice instance, [^\n]*\n$/)
    }
    assert.ok(Math.abs((await dateOf(normal)) - Date.now()) < hourMs, 'its clock is the system’s again')
  })
})
