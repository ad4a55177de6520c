import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../integrations/access/keys.ts'
import { insertVenue } from '../../core/venue/venues.ts'
import { readConfig } from '../../config.ts'
import { freshDatabase, withDatabase } from '../database.ts'
import { openPatientProgram } from '../program.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { callPatiently } from '../service.ts'

/* What processes keep of the demand that they count in memory, however they end. */

describe('what a process counted of refused requests', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let settings: Record<string, string>
  let key: string
  const running: ServiceProcess[] = []
  before(async () => {
    database = await freshDatabase()
    const secrets = `test:${Buffer.alloc(32, 7).toString('base64')}`
    settings = { DATABASE_URL: database.url, SECRETS: secrets, ROLE: 'web' }
    const { context, close } = await openPatientProgram(readConfig(settings), 'command')
    const venue = await insertVenue(
      context.db,
      { slug: 'blue', name: 'The Blue Door', timezone: 'UTC', plan: 'pro', country: 'US', phone: null },
      context.clock(),
    )
    assert.ok(venue)
    await context.db.session((client) => client.query(`update venue set access = 'approved'`))
    const terms = { kind: 'api', scope: 'read_write', name: 'test', createdBy: 'test' } as const
    key = (await createKey(context, context.db, venue.id, terms)).key
    await close()
  })
  after(async () => {
    for (const one of running) one.signal('SIGKILL')
    await Promise.all(running.map((one) => one.ended))
    await database.drop()
  })

  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess(settings)
    running.push(started)
    await started.ready()
    return started
  }
  /** Of a venue without hours, each of another size. */
  const refused = async ({ url }: ServiceProcess, partySize: number): Promise<void> => {
    const date = Temporal.Now.plainDateISO('UTC').add({ days: 7 }).toString()
    const body = { guestName: 'Ada', partySize, date, time: '19:00' }
    const answer = await callPatiently(url, 'POST', '/api/v1/reservations', { key, body })
    assert.equal(answer.body.reason, 'closed', answer.text)
  }
  const kept = (): Promise<string[]> =>
    withDatabase(database.url, async (client) =>
      (await client.query<{ size: string }>('select size from refused_request order by size')).rows.map(
        ({ size }) => size,
      ),
    )

  it('is written when it is stopped', async () => {
    const one = await start()
    await refused(one, 1)
    assert.deepEqual(await kept(), [])
    assert.equal(await one.stop(), 0, one.complained())
    assert.deepEqual(await kept(), ['1'])
  })

  it('is written by the running process, so that kill -9 loses only what is newer', async () => {
    const one = await start()
    await refused(one, 2)
    await one.until(async () => (await kept()).includes('2'), { times: 3 })
    await refused(one, 3)
    one.signal('SIGKILL')
    assert.equal(await one.ended, 'SIGKILL')
    assert.deepEqual(await kept(), ['1', '2'])
  })
})
