import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openPatientProgram } from '../../test/program.ts'
import { startChild } from '../../test/child.ts'
import { freshDatabase, withDatabase, openPatiently } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { runOperator } from '../../test/processes/operator.ts'
import { compiledSources } from '../../test/patience.ts'
import { type ServiceProcess, startProcess } from '../../test/process.ts'
import { type Receiver, startReceiver } from '../../test/receiver.ts'
import { callPatiently, callService } from '../../test/service.ts'
import { contentsButTheMark } from '../../test/statements/table-contents.ts'

/* A restore as the operator does it: the programs, their files, exit codes and messages. */
describe('the operator backs up and restores', () => {
  let folder: string
  const endings: (() => Promise<unknown>)[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-night-'))
    endings.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  })
  after(async () => {
    for (const end of endings.toReversed()) await end()
  })

  type Settings = Record<string, string>
  const start = async (settings: Settings): Promise<ServiceProcess> => {
    const service = await startProcess({ PRACTICE: 'on', ...settings })
    endings.push(() => service.stop())
    await service.ready()
    return service
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- the test looks into answers it knows
  const operate = async (settings: Settings, ...args: string[]): Promise<{ answer: any; notes: string }> => {
    const ran = await runOperator([...args, '--json'], settings)
    assert.equal(ran.code, 0, ran.stderr)
    return { answer: JSON.parse(ran.stdout), notes: ran.stderr }
  }
  /** As a command alongside anything that is running, without migrating. */
  const beside = async <T>(settings: Settings, work: (context: Context) => Promise<T>): Promise<T> => {
    const { context, close } = await openPatientProgram(readConfig(settings), 'bare command')
    try {
      return await work(context)
    } finally {
      await close()
    }
  }
  const contents = (settings: Settings) => beside(settings, ({ db }) => contentsButTheMark(db))
  const emptyDatabase = async (): Promise<string> => {
    const { url, drop } = await freshDatabase('empty')
    endings.push(drop)
    return url
  }

  describe('a whole venue, from the embedded database to an external one and back', () => {
    const receivers: Receiver[] = []
    let key: string
    let endpoint: string
    let first: Settings
    let external: Settings
    let second: Settings
    const file = (name: string): string => join(folder, name)

    before(async () => {
      const receiver = await startReceiver()
      receivers.push(receiver)
      endings.push(() => receiver.stop())
      first = { DATA_DIR: file('first') }
      // Only pages and the API: what happens waits to be sent, as it does in the second before a machine is lost.
      const service = await start({ ...first, DEMO: 'on', ROLE: 'web' })
      key = await eventually(() => /read and write +(\S+)/.exec(service.said())?.[1])
      const made = await callPatiently(service.url, 'POST', '/api/v1/webhooks', {
        key,
        body: { url: `${receiver.url}/`, events: ['guest.created'] },
      })
      endpoint = made.body.id
      const guest = { name: 'Sam Rivera', email: 'sam.rivera@example.org' }
      assert.equal(
        (await callPatiently(service.url, 'POST', '/api/v1/guests', { key, body: guest })).status,
        201,
      )
      await beside(first, ({ db }) =>
        db.session((client) =>
          client.query(
            `insert into campaign (venue_id, name, subject, status, scheduled_at, row_count, created_at, updated_at)
             select id, 'Oyster week', 'Oysters', 'scheduled', now() + interval '1 day', 0, now(), now() from venue`,
          ),
        ),
      )
      external = {
        DATABASE_URL: await emptyDatabase(),
        SECRETS: (await readFile(join(first['DATA_DIR'] as string, 'secrets'), 'utf8')).trim(),
      }
      second = { DATA_DIR: file('second') }
    })

    it('while the service runs, into an empty external database: every row and every counter is there', async () => {
      const { answer, notes } = await operate(first, 'backup', '--to', file('night.backup'))
      assert.deepEqual(
        [answer.file, answer.format, answer.tables > 40, answer.rows > 20_000],
        [file('night.backup'), 'copy', true, true],
      )
      assert.match(
        notes,
        /^The file contains everything but the secrets: keep the file .*\/first\/secrets too/,
      )
      const restored = await operate(external, 'restore', '--from', file('night.backup'))
      assert.deepEqual(
        [restored.answer.rows, restored.answer.tables, restored.answer.secretsFit],
        [answer.rows, answer.tables, true],
      )
      assert.match(restored.notes, /SECRETS match those the backup was made under\.\nSending is on hold\./)
      assert.deepEqual(await contents(external), await contents(first))
    })

    it('from there into a new embedded database; other SECRETS are noticed', async () => {
      await operate(external, 'backup', '--to', file('external.backup'))
      const { answer, notes } = await operate(second, 'restore', '--from', file('external.backup'))
      assert.equal(answer.secretsFit, false)
      assert.match(
        notes,
        /^The backup was made under other SECRETS \(entry first\), which the file .*\/second\/secrets does not contain: add them before/,
      )
      assert.deepEqual(await contents(second), await contents(first))
    })

    it('the service starts on it, is on hold, says so and answers; `resume sending` lets it go', async () => {
      const [receiver] = receivers
      assert.ok(receiver)
      await cp(join(first['DATA_DIR'] as string, 'secrets'), join(second['DATA_DIR'] as string, 'secrets'))
      const service = await start(second)
      await eventually(() => /Sending is on hold/.test(service.said()))
      assert.match(service.said(), /^\*\*\* Sending is on hold: this database was restored or moved here\./m)
      assert.match(service.said(), /"msg":"sending is on hold: this database was restored or moved here"/)

      assert.equal((await callPatiently(service.url, 'GET', '/api/v1/me', { key })).status, 200)
      const test = await callService(service.url, 'POST', `/api/v1/webhooks/${endpoint}/test`, { key })
      assert.deepEqual([test.status, test.body.ok], [200, true], 'a test is asked for by a person now')

      const { answer: waiting } = await operate(second, 'resume', 'sending', '--dry-run')
      assert.deepEqual([waiting.resumed, waiting.deliveries], [false, 1])
      assert.notEqual(waiting.heldSince, null)
      assert.deepEqual(
        waiting.campaigns.map(({ venue, name, status, tooLate }: Record<string, unknown>) => [
          venue,
          name,
          status,
          tooLate,
        ]),
        [['blue-door', 'Oyster week', 'scheduled', false]],
      )
      const events = (): unknown[] => receiver.received.map(({ headers }) => headers['x-service-event'])
      assert.deepEqual(events(), ['ping'])

      const { answer: resumed } = await operate(second, 'resume', 'sending')
      assert.deepEqual([resumed.resumed, resumed.heldSince], [true, waiting.heldSince])
      await eventually(() => receiver.received.length === 2)
      assert.deepEqual(events(), ['ping', 'guest.created'])
      assert.equal((await operate(second, 'resume', 'sending')).answer.heldSince, null, 'safe to repeat')
      await service.stop()

      const again = await start(second)
      assert.doesNotMatch(again.said(), /on hold/)
      await again.stop()
    })

    it('a copy of the data folder, or the folder put back from one, is on hold, too', async () => {
      const copied = file('copied')
      await cp(second['DATA_DIR'] as string, copied, { recursive: true })
      // PostgreSQL wants its folder closed to others, and the copy under root has its owner to be found.
      const service = await start({ DATA_DIR: copied })
      await eventually(() => /Sending is on hold/.test(service.said()))
      await service.stop()
    })
  })

  describe('is refused, with nothing changed', () => {
    const refused = async (settings: Settings, ...args: string[]): Promise<string> => {
      const ran = await runOperator([...args, '--json'], settings)
      assert.deepEqual([ran.code, ran.stdout], [1, ''], ran.stderr)
      return ran.stderr
    }
    const someSecrets = `first:${Buffer.alloc(32, 7).toString('base64')}`
    let migrated: Settings
    let backup: string
    before(async () => {
      const { url, drop } = await freshDatabase()
      endings.push(drop)
      migrated = { DATABASE_URL: url, SECRETS: someSecrets }
      backup = join(folder, 'small.backup')
      await operate(migrated, 'backup', '--to', backup)
    })

    it('a target that is not empty, a file that is no backup, one that is not there', async () => {
      assert.match(await refused(migrated, 'restore', '--from', backup), /^The database is not empty /)
      const empty = { DATABASE_URL: await emptyDatabase(), SECRETS: someSecrets }
      const other = join(folder, 'other')
      await writeFile(other, 'create table x ();')
      assert.equal(
        await refused(empty, 'restore', '--from', other),
        `The file ${other} is not a backup. Nothing was changed.\n`,
      )
      assert.match(
        await refused(empty, 'restore', '--from', join(folder, 'none')),
        /cannot be read \(ENOENT\)\.\n$/,
      )
      await writeFile(other, (await readFile(backup)).subarray(0, 3_000))
      assert.match(await refused(empty, 'restore', '--from', other), /cannot be used \(it was cut off/)
      assert.deepEqual((await contents(empty)).tables, {})
      assert.match(await refused(empty, 'backup', '--to', other), /^There is nothing to back up/)
    })

    it('a disk that takes no more: no file is left', async () => {
      const there = join(folder, 'full')
      await mkdir(there)
      const child = startChild(
        'sh',
        [
          '-c',
          'ulimit -f 1; exec "$@"',
          'sh',
          process.execPath,
          join(import.meta.dirname, 'main.ts'),
          'backup',
          '--to',
          join(there, 'x'),
        ],
        { env: migrated },
      )
      assert.equal(await child.ended, 1, child.complained())
      assert.match(child.complained(), /EFBIG/)
      assert.deepEqual(await readdir(there), [])
    })

    it('PostgreSQL’s own tools if they are missing or older than the server', async () => {
      const asked = ['backup', '--format', 'pg_dump', '--to', join(folder, 'dump')]
      assert.equal(
        await refused({ ...migrated, PATH: folder }, ...asked),
        'There is no pg_dump on this machine. Nothing was changed.\n',
      )
      await writeFile(join(folder, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.24"\n', {
        mode: 0o755,
      })
      assert.match(
        await refused({ ...migrated, PATH: `${folder}:/bin:/usr/bin` }, ...asked),
        /^The pg_dump of this machine is of version 9, older than the server's \d+\./,
      )
      assert.match(
        await refused({ DATA_DIR: join(folder, 'third') }, ...asked),
        /^PostgreSQL's own tools are only for a database in DATABASE_URL/,
      )
    })

    it('a start on a database whose restore was killed; the same restore again makes it whole', async () => {
      const target = { DATABASE_URL: await emptyDatabase(), SECRETS: someSecrets }
      // Migrating alone takes far longer than it takes to see that the restore has begun.
      await withDatabase(target.DATABASE_URL, async (client) => {
        const ended = killedWhen(
          ['restore', '--from', backup],
          target,
          async () =>
            (await client.query("select where to_regclass('public.unfinished_restore') is not null"))
              .rowCount === 1,
        )
        assert.equal(await ended, 'SIGKILL')
      })
      const db = openPatiently({ url: target.DATABASE_URL })
      endings.push(() => db.close())
      await assert.rejects(migrate(db), /has not finished/)
      const started = await startProcess(target)
      assert.equal(await started.ended, 1)
      assert.match(started.complained(), /^A restore into this database has not finished: .*\n$/)
      assert.match(await refused(target, 'venue', 'list'), /^A restore into this database has not finished/)

      await eventually(async () => (await runOperator(['restore', '--from', backup], target)).code === 0)
      assert.deepEqual(await contentsButTheMark(db), await contents(migrated))
    })
  })
})

/** Runs the operator's program and kills it, as `kill -9` does, at the moment the check says so. */
const killedWhen = async (
  args: readonly string[],
  settings: Record<string, string>,
  isThen: () => Promise<boolean>,
): Promise<number | NodeJS.Signals> => {
  const child = startChild(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...compiledSources, ...settings },
  })
  await child.until(isThen)
  child.signal('SIGKILL')
  return child.ended
}
