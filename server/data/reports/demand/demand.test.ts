import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setGuestPages } from '../../../test/guest.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { eventually } from '../../../test/eventually.ts'
import { startProcess, startTimes } from '../../../test/process.ts'
import { contentsOf } from '../../../test/statements/table-contents.ts'
import { openDemand } from './demand.ts'
import { forgetOldDemand } from './forget-demand.ts'

describe('requests that a rule refused', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 8, pacing: { intervalMinutes: 15, maxCovers: 4 } }),
    )
  })

  const asked = { guestName: 'Ada Obi', partySize: 6, date: '2026-10-09', time: '19:00' }
  const post = (body: object, path = '/api/v1/reservations', key = venue.key) =>
    service.call('POST', path, { key, body })
  const counts = async (): Promise<string[]> => {
    await service.context.demand.flush()
    const rows = await rowsOf(
      service,
      `select * from refused_request where venue_id = ${venue.id} order by service_date, service_minute, size, reason, door`,
    )
    return rows.map(
      (row) =>
        `${String(row['service_date'])} ${String(row['service_minute'])} ${String(row['size'])} ${String(row['reason'])} ${String(row['door'])}: ${String(row['n'])}`,
    )
  }

  it('are counted once an hour for each asker, time and size, and leave nothing else behind', async () => {
    await post(asked)
    const kept = async () => {
      await service.context.usage.flush()
      const { key_window: _, ...tables } = (await contentsOf(service.db)).tables
      return tables
    }
    const before = await kept()
    for (let n = 0; n < 3; n++) assert.equal((await post(asked)).body.reason, 'pacing-covers-full')
    assert.deepEqual(await counts(), ['2026-10-09 1140 6 pacing-covers-full api: 1'])
    assert.deepEqual(await kept(), before)
    assert.equal((await post({ ...asked, partySize: 7 })).status, 409)
    assert.equal((await post(asked, undefined, (await venue.makeKey('read_write')).key)).status, 409)
    service.setClock(Temporal.Instant.from(aTuesdayAfternoon).add({ minutes: 60 }).toString())
    await post(asked)
    assert.deepEqual(await counts(), [
      '2026-10-09 1140 6 pacing-covers-full api: 3',
      '2026-10-09 1140 7-8 pacing-covers-full api: 1',
    ])
  })

  it('are those of holds, too, and of times of no service under their calendar date', async () => {
    const { guestName: _, ...held } = asked
    assert.equal((await post(held, '/api/v1/holds')).status, 409)
    assert.equal((await post({ ...asked, time: '03:15' })).body.reason, 'outside-hours')
    assert.deepEqual(await counts(), [
      '2026-10-09 195 6 outside-hours api: 1',
      '2026-10-09 1140 6 pacing-covers-full api: 1',
    ])
  })

  it('after midnight are of the evening before', async () => {
    const late = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      ...{ weekday, name: 'Late', opens: '18:00', closes: '02:00' },
    }))
    await setRules(service, venue, { periods: late, pacing: { intervalMinutes: 15, maxCovers: 4 } })
    await post({ ...asked, date: '2026-10-10', time: '00:30' })
    assert.deepEqual(await counts(), ['2026-10-09 1470 6 pacing-covers-full api: 1'])
  })

  it('are no dry runs, checks, looks at times, changes, batches or mistakes of the caller', async () => {
    const small = await post({ ...asked, partySize: 2 })
    assert.equal(small.status, 201, small.text)
    const dry = { method: 'POST', path: '/api/v1/reservations', body: asked }
    assert.equal((await post(dry, '/api/v1/dry-run')).body.wouldAnswer.status, 409)
    const query = 'partySize=6&date=2026-10-09'
    for (const path of [`/api/v1/availability?${query}`, `/api/v1/availability/check?${query}&time=19:00`])
      assert.equal((await service.call('GET', path, { key: venue.key })).status, 200, path)
    const { id } = small.body.reservation
    const moved = await service.call('PATCH', `/api/v1/reservations/${id}`, {
      ...{ key: venue.key, body: { partySize: 6 }, headers: { 'if-match': '*' } },
    })
    assert.equal(moved.status, 409)
    assert.equal((await post({ ...asked, date: '2026-02-30' })).status, 400)
    assert.deepEqual(await counts(), [])
  })

  it('of days more than 400 away are not counted, so that nobody fills the table with days', async () => {
    await post({ ...asked, date: '2027-12-24' })
    await post({ ...asked, date: '2025-08-01' })
    assert.deepEqual(await counts(), [])
  })

  it('are kept in memory while they cannot be written', async () => {
    await post(asked)
    await rowsOf(service, 'alter table refused_request rename to mislaid')
    await service.context.demand.flush()
    await rowsOf(service, 'alter table mislaid rename to refused_request')
    assert.deepEqual(await counts(), ['2026-10-09 1140 6 pacing-covers-full api: 1'])
  })

  it('are written by a process that stops, and those of two processes add up', async () => {
    const one = openDemand(service.context)
    const other = openDemand(service.context)
    const table = { serviceDate: '2026-10-09', serviceMinute: 1140, partySize: 2 }
    const refused = { venue: venue.id, asker: 'key 1', reason: 'closed', door: 'api', table } as const
    for (const demand of [one, other]) demand.refused(refused)
    await Promise.all([one.close(), other.close()])
    assert.deepEqual(await counts(), ['2026-10-09 1140 2 closed api: 2'])
  })

  it('are written within seconds by a process that is killed later, which loses only what came after', async () => {
    const process = await startProcess({
      ...{ DATABASE_URL: service.databaseUrl, ROLE: 'web', TZ: 'UTC' },
      SECRETS: service.context.config.secrets as string,
      DATA_DIR: `${service.context.config.dataDir}-demand`,
    })
    try {
      await process.ready()
      // It goes by the real clock.
      const date = Temporal.Now.plainDateISO('UTC').add({ days: 5 }).toString()
      const refuse = async (partySize: number): Promise<void> => {
        const { status } = await fetch(`${process.url}/api/v1/reservations`, {
          method: 'POST',
          headers: { 'x-service-key': venue.key, 'content-type': 'application/json' },
          body: JSON.stringify({ ...asked, date, partySize }),
        })
        assert.equal(status, 409)
      }
      await refuse(6)
      const first = `${date} 1140 6 pacing-covers-full api: 1`
      await eventually(async () => (await counts()).includes(first), { times: startTimes })
      await refuse(7)
      process.signal('SIGKILL')
      assert.equal(await process.ended, 'SIGKILL')
      assert.deepEqual(await counts(), [first])
    } finally {
      process.signal('SIGKILL')
    }
  })

  const shown = (from: string, more: object = {}) =>
    service.context.demand.shown({
      ...{ venue: venue.id, day: '2026-10-06', door: 'book', step: 'opened', by: { from } },
      ...more,
    })
  const valuesOf = async (dimension: string, day = '2026-10-06') => {
    await service.context.demand.flush()
    return rowsOf<{ value: string; n: string }>(
      service,
      `select value, sum(n)::text as n from visit_day
        where venue_id = ${venue.id} and dimension = '${dimension}' and day = '${day}' group by 1 order by 1`,
    )
  }

  it('sixty sites in a day are fifty with a count of their own, and others', async () => {
    for (let n = 0; n < 60; n++) shown(`site${n}.example`)
    const first = await valuesOf('from')
    assert.equal(first.length, 51)
    assert.equal(first.find(({ value }) => value === 'other')?.n, '10')
    // Later on the day, by another process, known ones count on and new ones do not.
    const other = openDemand(service.context)
    const page = { venue: venue.id, day: '2026-10-06', door: 'book', step: 'times' } as const
    for (const from of ['site0.example', 'late.example']) other.shown({ ...page, by: { from } })
    await other.close()
    const then = await valuesOf('from')
    assert.equal(then.length, 51)
    assert.equal(then.find(({ value }) => value === 'other')?.n, '11')
    assert.equal(then.find(({ value }) => value === 'site0.example')?.n, '2')
    assert.deepEqual(await valuesOf('all'), [{ value: 'all', n: '62' }])
    shown('late.example', { day: '2026-10-07' })
    assert.deepEqual(await valuesOf('from', '2026-10-07'), [{ value: 'late.example', n: '1' }])
  })

  it('two processes that write at the same moment keep to fifty together', async () => {
    const processes = [openDemand(service.context), openDemand(service.context)]
    for (const [at, demand] of processes.entries())
      for (let n = 0; n < 40; n++)
        demand.shown({
          ...{ venue: venue.id, day: '2026-10-06', door: 'news', step: 'opened' },
          by: { from: `site${at}-${n}.example` },
        })
    await Promise.all(processes.map((demand) => demand.close()))
    const values = await valuesOf('from')
    assert.equal(values.length, 51)
    assert.equal(values.find(({ value }) => value === 'other')?.n, '30')
  })

  it('are forgotten once no report reaches them', async () => {
    await post(asked)
    shown('old.example')
    await service.context.demand.flush()
    const after = (days: number) =>
      service.setClock(
        Temporal.Instant.from(aTuesdayAfternoon)
          .add({ hours: 24 * days })
          .toString(),
      )
    after(800)
    await forgetOldDemand(service.context)
    assert.equal((await counts()).length, 1)
    assert.equal((await valuesOf('from')).length, 1)
    after(804)
    await forgetOldDemand(service.context)
    assert.deepEqual([await counts(), await valuesOf('from')], [[], []])
  })

  it('are in the figures of the venue whose they are, and of no other', async () => {
    await setGuestPages(service, venue, {})
    await post(asked)
    await post({ ...asked, date: '2026-10-16', partySize: 5 })
    await post({ ...asked, time: '03:15' })
    await service.context.demand.flush()
    const figures = async ({ key }: TestVenue) => {
      const path = '/api/v1/figures?from=2026-10-05&to=2026-10-18&names=refused'
      const { body } = await service.call('GET', path, { key })
      return (body.figures[0].rows as { key: Record<string, unknown>; n: number; d: number | null }[]).map(
        ({ key: of, n, d }) => `${Object.values(of).join(' ')}: ${d === null ? n : `${n}/${d}`}`,
      )
    }
    assert.deepEqual(await figures(venue), [
      '2026-10-09 full: 1',
      '2026-10-16 full: 1',
      'outside-hours api: 1',
      'pacing-covers-full api: 2',
      '5 full: 1',
      '6 full: 1',
      '5 1140 dates: 2/2',
      '5 1140 full: 2',
    ])
    assert.deepEqual(await figures(await service.venue()), [])
  })
})
