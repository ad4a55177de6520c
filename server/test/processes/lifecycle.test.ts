import assert from 'node:assert/strict'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createKey } from '../../integrations/access/keys.ts'
import { readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { killAndWait, postmasterOf } from '../../platform/db/embedded/test/harness.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openPatientProgram } from '../program.ts'
import { insertVenue } from '../../core/venue/venues.ts'
import { freshDatabase, withDatabase, openPatiently } from '../database.ts'
import { eventually } from '../eventually.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { callPatiently, callService } from '../service.ts'

/* Start and stop as an operator sees them: processes, signals, exit codes and sentences. */

const someSecrets = `first:${Buffer.alloc(32, 7).toString('base64')}`

describe('start and stop', () => {
  const endings: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const end of endings.toReversed()) await end()
  })

  const freshFolder = async (): Promise<string> => {
    const above = await mkdtemp(join(tmpdir(), 'venue-lifecycle-'))
    const dataDir = join(above, 'data')
    endings.push(async () => {
      const left = await postmasterOf(dataDir)
      if (left !== undefined) await killAndWait(left, dataDir)
      await rm(above, { recursive: true, force: true, maxRetries: 5 })
    })
    return dataDir
  }
  const run = async (settings: Record<string, string>): Promise<ServiceProcess> => {
    const started = await startProcess(settings)
    endings.push(() => {
      started.signal('SIGKILL')
      return started.ended
    })
    return started
  }
  /** A process that must end by itself with exit code 1 and one sentence; gives the sentence. */
  const refusedStart = async (settings: Record<string, string>): Promise<string> => {
    const started = await run(settings)
    assert.equal(await started.ended, 1, started.said())
    const lines = started.complained().trim().split('\n')
    assert.equal(lines.length, 1, started.complained())
    return lines[0] as string
  }
  /** Works on the service's embedded database while it runs, as an operator's command does. */
  const beside = async <T>(dataDir: string, work: (context: Context) => Promise<T>): Promise<T> => {
    const config = readConfig({ DATA_DIR: dataDir })
    const { context, close } = await openPatientProgram(config, 'command')
    try {
      return await work(context)
    } finally {
      await close()
    }
  }
  const makeKey = (dataDir: string): Promise<{ key: string; venue: number }> =>
    beside(dataDir, async (context) => {
      const { db, clock } = context
      const venue = await insertVenue(
        db,
        { slug: 'blue', name: 'The Blue Door', timezone: 'UTC', plan: 'pro', country: 'US', phone: null },
        clock(),
      )
      if (!venue) throw new Error('there is a venue already')
      await db.session((client) => client.query(`update venue set access = 'approved'`))
      const made = await createKey(context, db, venue.id, {
        kind: 'api',
        scope: 'read_write',
        name: 'test',
        createdBy: 'test',
      })
      return { key: made.key, venue: venue.id }
    })
  const addTask = (url: string, key: string) =>
    callPatiently(url, 'POST', '/api/v1/tasks', { key, body: { title: 'Call Maya' } })

  it('starts on an empty folder, stops on SIGTERM with its database, and starts again on what is there', async () => {
    const dataDir = await freshFolder()
    const first = await run({ DATA_DIR: dataDir })
    await first.ready()
    assert.match(
      first.said(),
      new RegExp(
        `^Venue Data .* · web and worker · listening on ${new URL(first.url).host} · PostgreSQL `,
        'm',
      ),
    )
    const { key } = await makeKey(dataDir)
    assert.equal((await addTask(first.url, key)).status, 201)
    assert.equal(await first.stop(), 0, first.complained())
    assert.equal(await postmasterOf(dataDir), undefined)

    const again = await run({ DATA_DIR: dataDir })
    await again.ready()
    assert.equal((await addTask(again.url, key)).status, 201)
    assert.equal(await again.stop(), 0, again.complained())
  })

  it('kill -9 of the service and a new start just work; after kill -9 of its database it recovers by itself', async () => {
    const dataDir = await freshFolder()
    const first = await run({ DATA_DIR: dataDir })
    await first.ready()
    const { key } = await makeKey(dataDir)
    first.signal('SIGKILL')
    assert.equal(await first.ended, 'SIGKILL')
    assert.notEqual(await postmasterOf(dataDir), undefined)

    const second = await run({ DATA_DIR: dataDir })
    await second.ready()
    assert.equal((await addTask(second.url, key)).status, 201)
    await killAndWait((await postmasterOf(dataDir)) as number, dataDir)
    await eventually(async () => {
      const { status, text } = await addTask(second.url, key)
      assert.ok(status === 201 || status === 503, text)
      return status === 201
    })
    assert.equal((await fetch(`${second.url}/readyz`)).status, 200)
    assert.equal(await second.stop(), 0, second.complained())
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  it('a signal lets requests under way end, refuses new ones and does not wait for idle and half-sent connections', async () => {
    const dataDir = await freshFolder()
    const service = await run({ DATA_DIR: dataDir })
    await service.ready()
    const { key, venue } = await makeKey(dataDir)
    const post = (email: string) =>
      callService(service.url, 'POST', '/api/v1/guests', { key, body: { email } })
    assert.equal((await post('first@example.com')).status, 201)

    const sockets = await Promise.all(
      ['', 'GET /api/v1/me HTTP/1.1\r\nx-ser', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'].map(
        async (bytes) => {
          const socket: Socket = connect(service.port, '127.0.0.1').on('error', () => undefined)
          await once(socket, 'connect')
          socket.write(bytes)
          return socket
        },
      ),
    )
    await once(sockets[2] as Socket, 'data')

    await beside(dataDir, async ({ db }) => {
      await db.session(async (holder) => {
        await holder.query('begin')
        await holder.query('select from guest_book where venue_id = $1 for update', [venue])
        const underWay = post('under-way@example.com')
        const isWaiting = async (): Promise<boolean> =>
          (await holder.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount === 1
        await eventually(isWaiting)

        service.signal('SIGINT')
        await eventually(
          () =>
            new Promise((resolve) => {
              const socket = connect(service.port, '127.0.0.1')
              socket.on('connect', () => resolve(false))
              socket.on('error', () => resolve(true))
            }),
        )
        // Impatience changes nothing.
        service.signal('SIGINT')
        service.signal('SIGTERM')
        await holder.query('commit')
        const answer = await underWay
        assert.equal(answer.status, 201, answer.text)
        assert.equal(answer.headers.get('connection'), 'close')
        assert.equal(await service.ended, 0, service.complained())
      })
    })
    for (const socket of sockets) socket.destroy()
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  it('a signal during the first start ends it, and nothing keeps running', async () => {
    const dataDir = await freshFolder()
    const service = await run({ DATA_DIR: dataDir })
    // From here on a database is being made.
    await eventually(() => access(join(dataDir, 'postgres.locks')).then(() => true))
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0, service.complained())
    assert.equal(service.complained(), '')
    assert.equal(await postmasterOf(dataDir), undefined)
    const again = await run({ DATA_DIR: dataDir })
    await again.ready()
    assert.equal(await again.stop(), 0)
  })

  it('refuses with one sentence and exit code 1: the same data folder, a taken port, and stops its database then', async () => {
    const dataDir = await freshFolder()
    const service = await run({ DATA_DIR: dataDir })
    await service.ready()
    assert.match(
      await refusedStart({ DATA_DIR: dataDir }),
      /^Another service is already running on the data folder/,
    )
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    await service.stop()

    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const PORT = String((taken.address() as { port: number }).port)
    assert.equal(
      await refusedStart({ DATA_DIR: dataDir, PORT }),
      `Port ${PORT} on 127.0.0.1 is in use by another program: stop that program, or set PORT to another port.`,
    )
    assert.match(
      await refusedStart({ DATA_DIR: dataDir, METRICS_PORT: PORT }),
      /set METRICS_PORT to another port\.$/,
    )
    assert.match(
      await refusedStart({ DATA_DIR: dataDir, HOST: '192.0.2.1' }),
      /^192\.0\.2\.1 is not an address of this machine/,
    )
    taken.close()
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  it('refuses with one sentence a DATABASE_URL where nobody answers or that lets nobody in, without its password', async () => {
    const gone = `postgres://someone:a-secret@localhost:${await freePort()}/venues`
    const unreachable = await refusedStart({ DATABASE_URL: gone, SECRETS: someSecrets })
    assert.match(
      unreachable,
      /^No PostgreSQL can be reached at localhost:\d+ \(ECONNREFUSED\): check DATABASE_URL/,
    )
    const wrong = new URL(process.env['TEST_DATABASE_URL'] as string)
    wrong.pathname = '/not-there'
    const noDatabase = await refusedStart({ DATABASE_URL: wrong.href, SECRETS: someSecrets })
    assert.match(noDatabase, /not-there; 3D000/)
    for (const sentence of [unreachable, noDatabase]) {
      assert.doesNotMatch(sentence, /a-secret/)
      if (wrong.password !== '') assert.ok(!sentence.includes(wrong.password))
    }
  })

  it('refuses wrong settings with one sentence that names every mistake', async () => {
    assert.equal(
      await refusedStart({
        PORT: '99999',
        ROLE: 'waiter',
        RATE_LIMIT_PER_MINUTE: '0',
        PRACTICE_CLOCK: '2026-10-06T15:00:00Z',
      }),
      'The settings are wrong: PORT must be a whole number from 1 to 65535; ROLE must be all or web or worker; ' +
        'RATE_LIMIT_PER_MINUTE must be a whole number from 1 to 1000000; PRACTICE_CLOCK needs PRACTICE=on.',
    )
  })

  it('a practice instance says so loudly; its clock starts at the given moment and runs on', async () => {
    const dataDir = await freshFolder()
    const service = await run({ DATA_DIR: dataDir, PRACTICE: 'on', PRACTICE_CLOCK: '2031-02-03T04:05:00Z' })
    await service.ready()
    assert.match(service.said(), /THIS IS A PRACTICE INSTANCE/)
    assert.match(
      service.said(),
      /^\*\*\* Webhooks .*, and its clock says 2031-02-03 04:0[5-9] UTC\. \*\*\*$/m,
    )
    const { key } = await makeKey(dataDir)
    const made = async (): Promise<string> => {
      const email = `${crypto.randomUUID()}@example.com`
      const { body } = await callPatiently(service.url, 'POST', '/api/v1/guests', { key, body: { email } })
      return body.guest.createdAt as string
    }
    const first = await made()
    assert.match(first, /^2031-02-03T04:0[5-9]:/)
    await eventually(async () => (await made()) > first)
    await service.stop()
  })

  it('ROLE=worker serves only its health, ROLE=web everything', async () => {
    const database = await freshDatabase()
    endings.push(database.drop)
    const settings = { DATABASE_URL: database.url, SECRETS: someSecrets }
    for (const [ROLE, statuses] of [
      ['worker', [200, 200, 404, 404, 404]],
      ['web', [200, 200, 401, 200, 200]],
    ] as const) {
      const service = await run({ ...settings, ROLE })
      await service.ready()
      assert.match(service.said(), new RegExp(`^Venue Data .* · ${ROLE} only · listening on `, 'm'))
      const paths = ['/healthz', '/readyz', '/api/v1/me', '/api/v1/openapi.json', '/docs']
      const answers = await Promise.all(paths.map((path) => fetch(service.url + path)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
        ROLE,
      )
      assert.equal(await service.stop(), 0)
    }
  })

  it('of two processes that migrate one database at once one does it all, the other waits and finds it done', async () => {
    const server = process.env['TEST_DATABASE_URL'] as string
    const name = `migrated_${process.pid}`
    await withDatabase(server, (admin) => admin.query(`create database ${name}`))
    const url = new URL(server)
    url.pathname = `/${name}`
    const databases = [1, 2, 3].map(() => openPatiently({ url: url.href }))
    const ran = await Promise.all(databases.map((database) => migrate(database)))
    assert.equal(ran.filter((names) => names.length > 0).length, 1)
    await Promise.all(databases.map((database) => database.close()))

    const settings = { DATABASE_URL: url.href, SECRETS: someSecrets }
    const services = await Promise.all([run(settings), run(settings)])
    await Promise.all(services.map((service) => service.ready()))
    await Promise.all(services.map((service) => service.stop()))
    await withDatabase(server, (admin) => admin.query(`drop database ${name} with (force)`))
  })
})
