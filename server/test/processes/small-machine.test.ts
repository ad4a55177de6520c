import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { killAndWait, postmasterOf } from '../../platform/db/embedded/test/harness.ts'
import { eventually } from '../eventually.ts'
import { visitOffice } from '../office.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { startReceiver } from '../receiver.ts'
import { callService } from '../service.ts'
import { openMemoryGroup } from './memory-group.ts'

/* The whole service as `npm start` starts it, its database included, on a machine with 512 MB. */

const machineMb = 512
/** Resident memory of the service, in MB: what it takes today (docs/bench.md) with room for a busy machine. */
const mostMb = { atRest: 230, afterLists: 280 }

const key = 'service_sk_PracticeReadWrite000000000000000001b8ctY'
const root = join(import.meta.dirname, '../../..')

it('the service, its database and the demo venue get by with 512 MB, an evening’s work included', async (test) => {
  const group = await openMemoryGroup(machineMb)
  if (typeof group === 'string') return test.skip(group)
  const endings = [group.remove]
  test.after(async () => {
    for (const end of endings.toReversed()) await end()
  })
  const dataDir = await folderOnDisk(endings)
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const start = async (): Promise<ServiceProcess> => {
    const service = await startProcess(
      {
        // Of all that npm puts there, the script needs Node alone.
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        DATA_DIR: dataDir,
        DEMO: 'on',
        // Only there may an endpoint be on this machine.
        PRACTICE: 'on',
        PRACTICE_KEYS: `${key}:read_write`,
        RATE_LIMIT_PER_MINUTE: '1000000',
      },
      { command: 'sh', args: ['-c', `${group.enter} && ${scripts.start}`], cwd: root },
    )
    endings.push(async () => {
      service.signal('SIGKILL')
      await service.ended
    })
    await service.ready()
    return service
  }

  const first = await start()
  const database = await postmasterOf(dataDir)
  const made = await residentMb(first)
  await spendEvening(first)
  const afterEvening = await residentMb(first)
  assert.equal(await postmasterOf(dataDir), database, 'its database is the same')
  assert.equal(await first.stop(), 0, first.complained())

  const again = await start()
  const atRest = await residentMb(again)
  await readLists(again.url, 3_000)
  const afterLists = await residentMb(again)
  assert.equal(await again.stop(), 0, again.complained())

  test.diagnostic(
    `resident memory of the service: ${atRest} MB at rest and ${afterLists} after lists; ${made} once it had made the demo venue and ${afterEvening} after the evening; at most ${await group.most()} in all, page cache included`,
  )
  const said = first.said() + again.said()
  // A checkout that is new makes its packages meanwhile, and gives way where that takes too much.
  assert.ok((await group.killed()) === 0 || said.includes('the packages at /docs/tools cannot be made'), said)
  assert.doesNotMatch(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /terminated by signal/)
  assert.ok(atRest <= mostMb.atRest, `${atRest} MB at rest`)
  assert.ok(afterLists <= mostMb.afterLists, `${afterLists} MB after lists`)
})

/** A new folder for data, gone afterwards. What lies in memory instead, as a run's other databases may, would count. */
const folderOnDisk = async (endings: (() => Promise<void>)[]): Promise<string> => {
  const above = await access('/var/tmp').then(
    () => '/var/tmp',
    () => tmpdir(),
  )
  const folder = await mkdtemp(join(above, 'venue-small-machine-'))
  const dataDir = join(folder, 'data')
  endings.push(async () => {
    const left = await postmasterOf(dataDir)
    if (left !== undefined) await killAndWait(left, dataDir)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return dataDir
}

const residentMb = async ({ pid }: ServiceProcess): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
}

/** Does something so many times, some of them at once. */
const inParallel = async (
  times: number,
  atOnce: number,
  one: (n: number) => Promise<void>,
): Promise<void> => {
  let n = 0
  const work = async (): Promise<void> => {
    while (n < times) await one(n++)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Asks again where the service is too busy just then, as people and SDKs do. */
const answered = <Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await ask()
    return answer.status !== 503 && { answer }
  }).then(({ answer }) => answer)

const readLists = (url: string, times: number): Promise<void> =>
  inParallel(times, 16, async () => {
    const { status, body } = await answered(() =>
      callService(url, 'GET', '/api/v1/reservations?limit=25', { key }),
    )
    assert.deepEqual([status, body.length], [200, 25])
  })

/** Everybody at once: software that reads and books, an endpoint, screens and pages of staff, and guests. */
const spendEvening = async (service: ServiceProcess): Promise<void> => {
  const receiver = await startReceiver()
  try {
    const endpoint = { url: `${receiver.url}/bookings`, events: ['reservation.created'] }
    const { status } = await callService(service.url, 'POST', '/api/v1/webhooks', { key, body: endpoint })
    assert.equal(status, 201)
    const [booked] = await Promise.all([
      bookTables(service.url),
      readLists(service.url, 1_000),
      beStaff(service, 'manager'),
      beStaff(service, 'host'),
      beGuests(service.url),
    ])
    await service.until(() => {
      const heard = new Set(
        receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id as number),
      )
      return booked.every((id) => heard.has(id))
    })
  } finally {
    await receiver.stop()
  }
}

/** Books a table for two at each open time of some days; the ids of the bookings. */
const bookTables = async (url: string): Promise<number[]> => {
  const from = Temporal.Now.plainDateISO('America/New_York').add({ days: 8 })
  const path = `/api/v1/availability?date=${from.toString()}&days=5&partySize=2`
  const { status, body } = await callService(url, 'GET', path, { key })
  assert.equal(status, 200)
  type Slot = { readonly date: string; readonly time: string; readonly open: boolean }
  const open = (body.days as { readonly slots: readonly Slot[] }[])
    .flatMap(({ slots }) => slots)
    .filter((slot) => slot.open)
    .slice(0, 60)
  assert.ok(open.length >= 20, `${open.length} open times`)
  const booked: number[] = []
  await inParallel(open.length, 4, async (n) => {
    const { date, time } = open[n] as Slot
    const email = `maya.${n}@example.com`
    const asked = {
      key,
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { guestName: 'Maya Okafor', email, date, time, partySize: 2 },
    }
    const answer = await answered(() => callService(url, 'POST', '/api/v1/reservations', asked))
    // Two that are made at once may be one too many for their quarter hour.
    if (answer.status !== 409) assert.equal(answer.status, 201, answer.text)
    if (answer.status === 201) booked.push(answer.body.reservation.id)
  })
  assert.ok(booked.length >= 10, `${booked.length} bookings`)
  return booked
}

/** Signs in with what the first start said, opens pages, and has a screen that renews itself. */
const beStaff = async (service: ServiceProcess, role: string): Promise<void> => {
  const password = await service.until(
    () => new RegExp(`^ {2}${role} +\\S+@\\S+ +(\\S+)$`, 'm').exec(service.said())?.[1],
  )
  const visitor = visitOffice(service)
  const form = { email: `${role}@example.com`, password }
  const { status, to } = await answered(() => visitor.post('/office/sign-in', form))
  assert.deepEqual([status, to?.startsWith('/office/sign-in')], [303, false])
  const paths = [
    '/office/today',
    '/office/service',
    '/office/guests',
    '/office/waitlist',
    '/office/today?view=timeline',
  ]
  await inParallel(40, 2, async (n) => {
    const path = paths[n % paths.length] as string
    const seen = await answered(() => visitor.get(path))
    assert.equal(seen.status, 200, path)
    for (const [, address = ''] of seen.html.matchAll(/hx-get="([^"]*seen=[^"]*)"/g)) {
      const look = await answered(() =>
        visitor.get(address.replaceAll('&amp;', '&'), { 'hx-request': 'true' }),
      )
      assert.ok([200, 204].includes(look.status), `${address} was answered ${look.status}`)
    }
  })
}

const beGuests = async (url: string): Promise<void> => {
  const paths = ['', '/book', '/waitlist', '/news', '/enquire', '?lang=de'].map(
    (path) => `/v/blue-door${path}`,
  )
  await inParallel(60, 4, async (n) => {
    const path = paths[n % paths.length] as string
    const answer = await answered(() => fetch(url + path, { headers: { 'user-agent': 'Mozilla/5.0' } }))
    assert.equal(answer.status, 200, path)
    assert.match(await answer.text(), /The Blue Door/, path)
  })
}
