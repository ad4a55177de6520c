import assert from 'node:assert/strict'
import { appendFile, chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getuid, kill, pid as ownPid, platform } from 'node:process'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { migrate } from '../migrate.ts'
import { superuserAddress } from './service-role.ts'
import { freshFolder, killAndWait, postmasterOf, query } from './test/harness.ts'
import { openPatiently } from '../../../test/database.ts'

// Each test has a data folder and PostgreSQL of its own, so they can wait side by side.
describe('the embedded database', { concurrency: 4 }, () => {
  it('is created from nothing, answers, and stops with its last user', async (test) => {
    const { dataDir, start } = await freshFolder(test)
    const database = await start()
    assert.equal(database.origin, 'made')
    // Asked as the superuser: nobody else may see where the sockets are.
    const kept = await readFile(join(dataDir, 'postgres.password'), 'utf8')
    const [facts] = await query(
      superuserAddress(kept, Number(new URL(database.url).port)),
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
         current_setting('timezone') as timezone, current_setting('password_encryption') as passwords,
         current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets
       from pg_database where datname = current_database()`,
    )
    assert.deepEqual(facts, {
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      timezone: 'UTC',
      passwords: 'scram-sha-256',
      addresses: '127.0.0.1',
      sockets: '',
    })
    await Promise.all([database.stop(), database.stop()])
    assert.equal(await postmasterOf(dataDir), undefined)
    await assert.rejects(query(database.url, 'select 1'), { code: 'ECONNREFUSED' })
  })

  it('requires the password, which is in a private file and in no process list', async (test) => {
    const { dataDir, start } = await freshFolder(test)
    const { url } = await start()
    const { password } = new URL(url)
    assert.ok(password.length >= 32)
    assert.equal((await stat(join(dataDir, 'postgres.password'))).mode & 0o777, 0o600)
    await assert.rejects(query(url.replace(password, 'wrong'), 'select 1'), { code: '28P01' })
    if (platform === 'linux')
      assert.ok(!(await readFile(`/proc/${await postmasterOf(dataDir)}/cmdline`, 'utf8')).includes(password))
  })

  it('lets the service in as the owner of the database, who is not a superuser', async (test) => {
    const { dataDir, start } = await freshFolder(test)
    const { url } = await start()
    assert.deepEqual(await query(url, whoIAm), [ordinaryOwner])
    // The one kept password is the superuser's; the service's follows from it and opens no other door.
    const kept = await readFile(join(dataDir, 'postgres.password'), 'utf8')
    const asSuperuser = url.replace('//venue_data:', '//postgres:')
    await assert.rejects(query(asSuperuser, 'select 1'), { code: '28P01' })
    await assert.rejects(query(url.replace(new URL(url).password, kept), 'select 1'), { code: '28P01' })
    await assert.rejects(query(url, "copy (select 1) to program 'true'"), { code: '42501' })
    await assert.rejects(query(url, "select pg_read_file('postmaster.pid')"), { code: '42501' })
    // A limit for waiting is any role's own affair.
    await query(url, "set lock_timeout = '700ms'")
  })

  for (const found of ['at rest', 'running'] as const) {
    it(`takes over a folder of earlier versions, found ${found}: what was the superuser's is the service's own`, async (test) => {
      const { dataDir, start, makeOldWay } = await freshFolder(test)
      const old = await makeOldWay()
      const database = openPatiently({ url: old.url })
      await migrate(database)
      await database.close()
      await query(
        old.url,
        "insert into venue (slug, name, timezone, plan, created_at) values ('kept', 'Kept', 'UTC', 'free', now())",
      )
      await query(
        old.url,
        'create table kept (id bigint generated always as identity primary key, seven int)',
      )
      await query(old.url, 'insert into kept (seven) values (7)')
      if (found === 'at rest') await old.shutDown()
      const first = await start()
      assert.equal(first.origin, found === 'running' ? 'adopted' : 'started')
      assert.deepEqual(await query(first.url, whoIAm), [ordinaryOwner])
      assert.deepEqual(await query(first.url, notMine), [])
      assert.deepEqual(await query(first.url, 'select slug from venue'), [{ slug: 'kept' }])
      assert.deepEqual(
        await query(first.url, 'insert into kept (seven) values (8) returning id::int, seven'),
        [{ id: 2, seven: 8 }],
      )
      // What migrations do to tables takes their owner.
      await query(first.url, 'alter table venue add column planted int')
      await query(first.url, 'create index concurrently planted on venue (planted)')
      await first.stop()
      assert.equal(await postmasterOf(dataDir), undefined)
      const second = await start()
      assert.equal(second.url.split('@')[0], first.url.split('@')[0])
      assert.deepEqual(await query(second.url, 'select count(*)::int as n from kept'), [{ n: 2 }])
    })
  }

  it('keeps its data and its password across a restart', async (test) => {
    const { start } = await freshFolder(test)
    const first = await start()
    await query(first.url, 'create table kept as select 7 as seven')
    await first.stop()
    const second = await start()
    assert.equal(second.origin, 'started')
    assert.deepEqual(await query(second.url, 'select seven from kept'), [{ seven: 7 }])
    assert.equal(new URL(second.url).password, new URL(first.url).password)
  })

  it('is adopted while running after kill -9 of the service that started it', async (test) => {
    const { dataDir, start, startNeighbour } = await freshFolder(test)
    const killed = startNeighbour('service')
    const { url } = JSON.parse(await killed.line)
    await query(url, 'create table kept as select 7 as seven')
    const pid = await postmasterOf(dataDir)
    await killed.kill()
    assert.equal(await postmasterOf(dataDir), pid)
    const next = await start()
    assert.equal(next.origin, 'adopted')
    assert.equal(next.url, url)
    assert.deepEqual(await query(next.url, 'select seven from kept'), [{ seven: 7 }])
    await next.stop()
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  it('is stopped by the next command that ends, where kill -9 of the service left it running', async (test) => {
    const { dataDir, startNeighbour } = await freshFolder(test)
    const killed = startNeighbour('service')
    await killed.line
    await killed.kill()
    const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
    assert.equal(Number(pid), await postmasterOf(dataDir), 'which the file names, for somebody to see')
    const command = startNeighbour('command')
    assert.equal(JSON.parse(await command.line).origin, 'adopted')
    await command.leave()
    assert.equal(await postmasterOf(dataDir), undefined)
    await assert.rejects(readFile(join(dataDir, 'postgres', 'postmaster.pid')), { code: 'ENOENT' })
  })

  it('does not keep a process alive that ends without stopping it', async (test) => {
    const { start, startNeighbour } = await freshFolder(test)
    const forgetful = startNeighbour('command', 'forgets')
    await forgetful.line
    assert.deepEqual(await forgetful.ended, [0, null])
    assert.equal((await start()).origin, 'adopted')
  })

  it('refuses a second service on the folder with one sentence, until the first is gone, even by kill -9', async (test) => {
    const { dataDir, start, startNeighbour } = await freshFolder(test)
    const first = startNeighbour('service')
    await first.line
    const sentence = `Another service is already running on the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`
    await assert.rejects(start(), { message: sentence })
    const second = startNeighbour('service')
    assert.equal(await second.line, sentence)
    assert.deepEqual(await second.ended, [1, null])
    await first.kill()
    assert.equal((await start()).origin, 'adopted')
    await assert.rejects(start(), { message: sentence })
  })

  it('lets a command join a running service and leave it running', async (test) => {
    const { start, startNeighbour } = await freshFolder(test)
    const service = await start()
    const command = startNeighbour('command')
    assert.deepEqual(JSON.parse(await command.line), { url: service.url, origin: 'adopted' })
    await command.leave()
    assert.deepEqual(await query(service.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('is started by a command alone, survives its leaving once a service has come, and the reverse', async (test) => {
    const { dataDir, start, startNeighbour } = await freshFolder(test)
    const command = startNeighbour('command')
    const { url, origin } = JSON.parse(await command.line)
    assert.equal(origin, 'made')
    const service = await start()
    assert.equal(service.origin, 'adopted')
    await command.leave()
    assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
    const late = startNeighbour('command')
    await late.line
    await service.stop()
    assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
    await late.leave()
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  it('is created once when several start at the same moment', async (test) => {
    const { dataDir, startNeighbour } = await freshFolder(test)
    const roles = ['service', 'command', 'command'] as const
    const users = roles.map((role) => startNeighbour(role))
    const lines = (await Promise.all(users.map((user) => user.line))).map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map((line) => String(line.origin)).toSorted((a, b) => a.localeCompare(b)),
      ['adopted', 'adopted', 'made'],
    )
    assert.equal(new Set(lines.map((line) => line.url)).size, 1)
    await Promise.all(users.map((user) => user.leave()))
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    it(`comes back on the same port after ${signal} to PostgreSQL, with a session open`, async (test) => {
      const { dataDir, start } = await freshFolder(test)
      const database = await start()
      await query(database.url, 'create table kept as select 7 as seven')
      const open = query(database.url, 'select pg_sleep(30)')
      open.catch(() => undefined)
      const pid = await postmasterOf(dataDir)
      assert.ok(pid)
      kill(pid, signal)
      await eventually(async () => (await postmasterOf(dataDir)) !== pid)
      const rows = await eventually(() => query(database.url, 'select seven from kept'))
      assert.deepEqual(rows, [{ seven: 7 }])
      assert.match(database.said.join('\n'), /ended unexpectedly; starting it again in 0\.2 s/)
      await assert.rejects(open)
      await database.stop()
      assert.equal(await postmasterOf(dataDir), undefined)
    })
  }

  it('is supervised by the process that adopted it, and launched once although two users notice', async (test) => {
    const { dataDir, start, startNeighbour } = await freshFolder(test)
    const command = startNeighbour('command')
    await command.line
    const service = await start()
    const pid = await postmasterOf(dataDir)
    assert.ok(pid)
    await killAndWait(pid, dataDir)
    await eventually(() => query(service.url, 'select 1'))
    await eventually(() => service.said.some((sentence) => sentence.includes('running again')))
    await command.leave()
    assert.deepEqual(await query(service.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('keeps trying while it cannot come back, and stops trying on request', async (test) => {
    const { dataDir, start } = await freshFolder(test)
    const database = await start()
    const pid = await postmasterOf(dataDir)
    assert.ok(pid)
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'))
    await killAndWait(pid, dataDir)
    await eventually(() => database.said.some((sentence) => sentence.includes('Trying again in 0.8 s')))
    await assert.rejects(start('command'), /A service is running on .*, but its database is not/)
    await database.stop()
    assert.equal(await postmasterOf(dataDir), undefined)
  })

  it('starts over after its creation was killed halfway', async (test) => {
    const { dataDir, start, startNeighbour } = await freshFolder(test)
    const killed = startNeighbour('service')
    await eventually(async () => {
      const unfinished = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'))
      return unfinished !== undefined && (await stat(join(dataDir, unfinished, 'data', 'base')))
    })
    await killed.kill()
    assert.ok(!(await readdir(dataDir)).includes('postgres'))
    const database = await start()
    assert.equal(database.origin, 'made')
    assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }])
    await database.stop()
    await (await start()).stop()
    const names = await readdir(dataDir)
    assert.deepEqual(
      names.filter((name) => name.startsWith('postgres.new')),
      [],
    )
  })

  it('starts despite a postmaster.pid whose process is gone, or is now another program', async (test) => {
    const { dataDir, start, startNeighbour } = await freshFolder(test)
    const cluster = join(dataDir, 'postgres')
    const first = startNeighbour('service')
    await first.line
    const pid = await postmasterOf(dataDir)
    assert.ok(pid)
    const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
    await first.kill()
    await killAndWait(pid, dataDir)
    const second = await start()
    assert.equal(second.origin, 'started')
    await second.stop()
    await writeFile(join(cluster, 'postmaster.pid'), file.replace(String(pid), String(ownPid)))
    assert.equal((await start()).origin, 'started')
  })

  it('refuses a folder that holds something else, and says so', async (test) => {
    const { dataDir, start } = await freshFolder(test)
    await mkdir(join(dataDir, 'postgres', 'holiday-pictures'), { recursive: true })
    await assert.rejects(start(), /postgres is not a PostgreSQL cluster, yet not empty/)
    await rm(join(dataDir, 'postgres'), { recursive: true })
    const database = await start()
    await database.stop()
    await rm(join(dataDir, 'postgres.password'))
    await assert.rejects(start(), /postgres\.password is missing/)
    await writeFile(join(dataDir, 'postgres.password'), 'x'.repeat(32))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n')
    await assert.rejects(start(), /did not start .*: database files are incompatible with server/)
  })

  it("keeps what guests typed out of its log, and the log's size within bounds", async (test) => {
    const { dataDir, start } = await freshFolder(test)
    const log = join(dataDir, 'postgres.log')
    const database = await start()
    await query(database.url, 'create table guests (email text primary key)')
    await query(database.url, "insert into guests values ('ann@example.com')")
    for (const text of [
      "insert into guests values ('ann@example.com')",
      "select 'ann@example.com'::date",
      "do $$ begin raise exception 'ann@example.com'; end $$",
      "do $$ begin raise warning 'ann@example.com'; end $$",
      "select pg_terminate_backend(pg_backend_pid()), 'ann@example.com'",
    ])
      await query(database.url, text).catch(() => undefined)
    const text = await readFile(log, 'utf8')
    assert.match(text, /ready to accept connections/)
    assert.ok(!text.includes('ann@'))
    await appendFile(log, '.'.repeat(9 * 1024 * 1024))
    await eventually(async () => (await stat(log)).size < 2 * 1024 * 1024)
    assert.ok((await stat(`${log}.1`)).size > 8 * 1024 * 1024)
  })

  const asRoot =
    getuid?.() === 0 && platform === 'linux' ? false : 'only root on Linux has to become somebody else'

  it(
    'runs for root below a folder closed to others, with read access only',
    { skip: asRoot },
    async (test) => {
      const { dataDir, start } = await freshFolder(test)
      assert.equal((await stat(dirname(dataDir))).mode & 0o777, 0o700)
      const database = await start()
      assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }])
      const { uid, capabilities } = await powersOf(await postmasterOf(dataDir))
      assert.notEqual(uid, 0)
      assert.ok([CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE].includes(capabilities))
    },
  )

  it(
    'runs for root below open folders as an ordinary user without any capability',
    { skip: asRoot },
    async (test) => {
      const { dataDir, start } = await freshFolder(test)
      await chmod(dirname(dataDir), 0o711)
      await start()
      const { uid, capabilities } = await powersOf(await postmasterOf(dataDir))
      assert.notEqual(uid, 0)
      assert.equal(capabilities, 0)
    },
  )
})

const whoIAm = `
  select r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolbypassrls, pg_get_userbyid(d.datdba) = r.rolname as owns
    from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`

const ordinaryOwner = {
  rolsuper: false,
  rolcreaterole: false,
  rolcreatedb: false,
  rolbypassrls: false,
  owns: true,
}

const notMine = `
  select relname from pg_class
   where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> current_user`

const CAP_DAC_OVERRIDE = 1 << 1
const CAP_DAC_READ_SEARCH = 1 << 2

async function powersOf(pid: number | undefined): Promise<{ uid: number; capabilities: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return {
    uid: Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]),
    capabilities: Number.parseInt(/^CapEff:\s+(\w+)/m.exec(status)?.[1] ?? '', 16),
  }
}
