import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../server/test/eventually.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { verifyWebhook } from '@venue-data/sdk/webhooks'
import { installPacked } from '../../packing/install.ts'
import { virtualRuntime } from '../../sdk/test/virtual-runtime.ts'
import { type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { findCommand } from '../src/find-command.ts'
import { readLine } from '../src/read-line.ts'
import { type Running, beginHere, runHere } from './run-here.ts'

const execute = promisify(execFile)

describe('the command line', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  /** An address where nothing answers. */
  let closed: string
  before(async () => {
    service = await startService()
    const nobody = await startReceiver()
    closed = nobody.url
    await nobody.stop()
    folder = await mkdtemp(join(tmpdir(), 'venue-data-cli-'))
  })
  after(async () => {
    for (const one of running) await one.end()
    await service.stop()
    await rm(folder, { recursive: true })
  })
  const running: Running[] = []
  /** Commands that run until they are stopped, after the tests at the latest. */
  const goOn = (line: string, more: Parameters<typeof runHere>[1] = {}) => {
    const one = beginHere(words(line), { settings: settings(), ...more })
    running.push(one)
    return one
  }
  const begin = async (): Promise<void> => {
    venue = await service.venue()
  }
  const settings = () => ({ url: service.url, key: venue.key, folder: join(folder, venue.slug) })
  const here = (line: string, more: Parameters<typeof runHere>[1] = {}) =>
    runHere(words(line), { settings: settings(), ...more })
  const json = async (line: string) => {
    const { code, out, err } = await here(`${line} --json`)
    assert.equal(code, 0, err)
    return JSON.parse(out)
  }

  describe('login', () => {
    before(begin)

    it('checks the key, keeps it in a file of mode 600, and never shows it', async () => {
      const mine = { ...settings(), url: undefined, key: undefined }
      const { code, out, err } = await runHere(['login', '--url', `${service.url}/`], {
        settings: mine,
        piped: `${venue.key}\n`,
      })
      assert.deepEqual([code, err], [0, ''])
      assert.match(out, /^Signed in to The Blue Door with the key "test", which may read and write\./)
      const file = join(mine.folder, 'credentials.json')
      assert.equal((await stat(file)).mode & 0o777, 0o600)
      assert.equal((await stat(mine.folder)).mode & 0o777, 0o700)
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { url: service.url, key: venue.key })
      const who = await runHere(['whoami'], { settings: mine })
      assert.match(who.out, /venue +The Blue Door \(venue-\d+\)\n/)
      assert.match(who.out, /key +test, saved in a file\n/)
      for (const said of [out, who.out, who.err]) assert.ok(!said.includes(venue.key))
      const elsewhere = await runHere(['whoami', '--url', 'http://127.0.0.2:1'], { settings: mine })
      assert.deepEqual([elsewhere.code, elsewhere.err.includes('The saved key is for')], [4, true])
      assert.equal((await runHere(['logout'], { settings: mine })).code, 0)
      const gone = await runHere(['whoami'], { settings: mine })
      assert.deepEqual([gone.code, /Run `venue-data login`/.test(gone.err)], [4, true])
    })

    it('keeps nothing of a key that is not valid', async () => {
      const mine = { ...settings(), folder: join(folder, 'none'), url: undefined, key: undefined }
      const { code, err } = await runHere(['login', '--url', service.url], {
        settings: mine,
        piped: `service_sk_${'x'.repeat(40)}`,
      })
      assert.equal(code, 4)
      assert.match(err, /^Error: .+ \(401, unknown-key, request [\w-]+\)\n$/)
      await assert.rejects(stat(mine.folder), { code: 'ENOENT' })
    })
  })

  describe('records', () => {
    before(begin)

    it('are created from fields, JSON or standard input, read, changed and moved', async () => {
      const { task } = await json('create tasks title=Call_Maya priority=High due=2026-11-27')
      assert.deepEqual([task.title, task.priority, task.due], ['Call_Maya', 'High', '2026-11-27'])
      assert.deepEqual(await json(`get task ${task.id}`), task)
      const { task: changed } = await json(`update tasks ${task.id} title=Call_Sam due=`)
      assert.deepEqual([changed.title, changed.due, changed.revision], ['Call_Sam', null, 2])
      const { task: done } = await json(`complete tasks ${task.id}`)
      assert.equal(done.done, true)
      const old = await here(`update tasks ${task.id} title=No --if-match 1 --json`)
      assert.equal(old.code, 1)
      const { error, reason } = JSON.parse(old.err)
      assert.deepEqual([reason, /[^)]$/.test(error)], ['changed-meanwhile', true])
      const piped = await here('create guests --json', { piped: '{"name":"Ada","email":"ada@example.com"}' })
      assert.equal(JSON.parse(piped.out).guest.name, 'Ada')
      const data = join(folder, 'lead.json')
      await writeFile(data, '{"name":"Sam","notes":"Garden"}')
      const lead = await json(`create leads --data @${data} guestCount=40`)
      assert.deepEqual([lead.lead.contactName, lead.lead.guestCount], ['Sam', '40'])
      const subscriber = await json(
        'create subscribers email=eve@example.com consent.source=Checkout consent.at=2026-10-06T15:00:00Z',
      )
      assert.equal(subscriber.subscriber.consentAt, '2026-10-06T15:00:00.000Z')
      assert.deepEqual(
        (await json(`change-tags subscribers ${subscriber.subscriber.id} add=Wine,Jazz`)).subscriber.tags,
        ['Jazz', 'Wine'],
      )
    })

    it('are listed with every filter as a flag, page by page or all at once', async () => {
      for (const name of ['Ann', 'Bob', 'Cleo']) await json(`create tasks title=${name} category=Menu`)
      const titles = (records: { title: string }[]) => records.map(({ title }) => title)
      assert.deepEqual(titles(await json('list tasks --category menu --sort createdAt')), [
        'Ann',
        'Bob',
        'Cleo',
      ])
      const { out, err } = await here('list tasks --category Menu --limit 2 --sort -createdAt --count')
      assert.match(out, /^id +title.*\n\d+ +Cleo.*\n\d+ +Bob.*\n$/)
      assert.match(err, /^3 in all\.\nThere are more: add --all, or --after l1_\S+\n$/)
      assert.equal((await json('list tasks --category Menu --limit 2 --all')).length, 3)
      assert.deepEqual(await json('list tasks --external-id nothing'), [])
      assert.deepEqual(
        await json('find guests --email ADA@example.com').then((found) => found[0].name),
        'Ada',
      )
      const done = await json('list tasks --done true')
      assert.deepEqual(titles(done), ['Call_Sam'])
    })

    it('are read with --all in as few calls as can be, unless --limit says otherwise', async () => {
      const make = (_: unknown, at: number) =>
        service.call('POST', '/api/v1/tasks', {
          ...{ key: venue.key, body: { title: `Count ${at}`, category: 'Finance' } },
        })
      await Promise.all(Array.from({ length: 30 }, make))
      const list = async (flags: string) => (await here(`list tasks --category Finance ${flags}`)).out
      // Each page is a table of its own.
      const pages = (out: string) => out.match(/^id +title/gm)?.length
      assert.deepEqual([pages(await list('--all')), pages(await list('--all --limit 10'))], [1, 3])
      assert.equal((await list('--all')).match(/Count/g)?.length, 30)
    })

    it('are tried first with --dry-run', async () => {
      const { code, out } = await here('create leads name=Maya --dry-run')
      assert.equal(code, 0)
      assert.match(out, /^This would be done \(201\)\.\nevent {3}lead\.created\n/)
      const refused = await here(
        'create reservations guestName=M partySize=99 date=2026-10-08 time=19:00 --dry-run',
      )
      assert.equal(refused.code, 1)
      assert.match(refused.out, /^This would be refused \(409\)\. \w/)
      assert.deepEqual(await json('list leads --email maya@example.com'), [])
    })

    it('are shown to people as wide as their terminal, without what a terminal would obey', async () => {
      await here('create tasks --data -', {
        piped: JSON.stringify({ title: `Red \u001b[31m and a ${'long '.repeat(20)}name 陳`, category: 'HR' }),
      })
      const { out } = await here('list tasks --category HR', { columns: 60 })
      // oxlint-disable-next-line no-control-regex
      const plain = out.replaceAll(/\u001b\[(?:2|0)m/g, '')
      assert.ok(!plain.includes('\u001b'), plain)
      for (const line of plain.split('\n')) assert.ok(line.length <= 60, line)
      assert.match(plain, /\d+ +Red �\[31m and a .*…/)
    })
  })

  it('a call of no kind of records is one word', async () => {
    await begin()
    const figures = 'figures --from 2026-10-01 --to 2026-10-02 --names no_shows --json'
    const { out } = await here(figures)
    assert.equal(JSON.parse(out).figures[0].name, 'no_shows')
    assert.deepEqual(JSON.parse((await here('search --q nobody --json')).out), { results: [] })
    assert.deepEqual(JSON.parse((await here('search search --q nobody --json')).out), { results: [] })
  })

  describe('what goes wrong', () => {
    before(begin)

    it('is a sentence and an exit code', async () => {
      const cases: [line: string, code: number, said: RegExp][] = [
        ['lits tasks', 2, /There is no command "lits"\. Did you mean "list"\?/],
        ['list task-lists', 2, /"list" takes one of reservations, /],
        ['list', 2, /"list" needs to know which records\./],
        ['get tasks 5 6', 2, /"6" is one word too many/],
        ['whoami now', 2, /"now" is one word too many/],
        ['create tasks', 2, /Which fields\? Give them as name=value/],
        ['create tasks title', 2, /Fields are given as name=value, and "title" is not\./],
        ['list tasks --limt 3', 2, /There is no flag --limt here\. Did you mean "--limit"\?/],
        ['list tasks --limit three', 2, /--limit must be a whole number\./],
        ['list tasks --sort name', 2, /--sort must be one of -createdAt, /],
        ['create tasks titel=x', 2, /There is no field "titel" here\. Did you mean "title"\?/],
        ['create reservations partySize=two', 2, /partySize must be a whole number\./],
        ['get tasks', 2, /needs an id/],
        [
          'get tasks 999999',
          1,
          /There is no such task at this venue\. \(404, no-such-record, request [\w-]+\)/,
        ],
        ['get availability --date 2026-10-08', 2, /--party-size is missing\./],
        ['rotate key overlapHours=1', 1, /\(403, rotation-off, /],
        ['create tasks --data {} ', 1, /\(400, /],
        [`whoami --url ${closed}`, 3, /The service could not be reached: .*ECONNREFUSED/],
        ['create tasks --data @/nowhere/x.json', 5, /ENOENT/],
        [`get tasks service_sk_${'k'.repeat(40)}=1`, 2, /Which one\?/],
        [`service_sk_${'k'.repeat(40)}`, 2, /There is no command "\[key\]"/],
      ]
      for (const [line, code, said] of cases) {
        const ran = await here(line)
        assert.deepEqual([line, ran.code], [line, code], ran.err)
        assert.match(ran.err, said)
        assert.ok(!/service_sk_/.test(ran.err + ran.out))
      }
    })

    it('tries a call as often as it is told to', async () => {
      const tries = async (words: string) => {
        const { code, err } = await here(`list tasks --url ${closed} ${words}`)
        return [code, err.match(/Trying again/g)?.length ?? 0]
      }
      assert.deepEqual(await tries('--retries 0'), [3, 0])
      assert.deepEqual(await tries('--retries 1'), [3, 1])
      assert.deepEqual(await tries('--retries many'), [2, 0])
    })

    it('says what a lost answer may have done, and how to send it again', async () => {
      const { code, err } = await here(`create tasks title=x --url ${closed}`)
      assert.equal(code, 3)
      assert.match(err, /It may have been done anyway\.\n .*--idempotency-key [\w-]+\n$/)
    })

    /** A first attempt under the key that began so long ago and did not end. */
    const underWay = async (key: string, path: string, body: object, began: string) => {
      const made = await service.call('POST', `/api/v1${path}`, {
        ...{ key: venue.key, body, headers: { 'idempotency-key': key } },
      })
      assert.ok(made.status < 300, made.text)
      await rowsOf(
        service,
        `update idempotency set answered_at = null, status = null, body = null, record_id = null, claimed_at = $2
          where venue_id = $3 and key = $1 returning 1`,
        [key, began, venue.id],
      )
    }
    const ago = (seconds: number): string => service.context.clock().subtract({ seconds }).toString()

    it('says to look for what nobody knows the outcome of, and where', async () => {
      await underWay('one', '/tasks', { title: 'x' }, ago(120))
      const { code, err } = await here('create tasks title=x --idempotency-key one')
      assert.equal(code, 1)
      assert.match(
        err,
        /outcome-unknown.*\n  Look whether it is there: venue-data list tasks\n  If not, send it/,
      )
      const { id } = (await json('create leads name=Ada')).lead
      await underWay('two', `/leads/${id}/notes`, { text: 'x' }, ago(120))
      const note = await here(`add-note leads ${id} text=x --idempotency-key two`)
      assert.match(note.err, /outcome-unknown.*\n  No list shows whether it was done: ask the venue\.\n/)
    })

    it('says the key to send again what the service still works on', async () => {
      await underWay('three', '/tasks', { title: 'x' }, ago(0))
      const { code, err } = await here('create tasks title=x --idempotency-key three', {
        runtime: virtualRuntime(),
      })
      assert.equal(code, 1)
      assert.match(err, /still-processing.*\n  To try again .* add: --idempotency-key three\n$/)
    })
  })

  describe('help', () => {
    before(begin)

    it('lists every command, and what each takes', async () => {
      const { out } = await here('--help')
      for (const word of ['list', 'create', 'tail', 'listen', 'trigger'])
        assert.match(out, new RegExp(`^  ${word} `, 'm'))
      const list = await here('list reservations --help')
      assert.match(list.out, /--date-from DATE +Only with this date or a later one/)
      assert.match(
        (await here('help create subscribers')).out,
        /consent\.source=… \(required\) +Where they agreed\./,
      )
      assert.match((await here('cancel -h')).out, /cancel reservations/)
    })

    it('fits the terminal', async () => {
      for (const line of ['--help', 'list reservations --help', 'create webhooks --help', 'list --help']) {
        const { out } = await here(line, { columns: 80 })
        for (const text of out.split('\n')) assert.ok(text.length <= 80, text)
      }
    })

    it('has in its README what it takes', async () => {
      const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
      const lines = [...readme.matchAll(/^venue-data (.+)$/gm)].map(([, line = '']) => line)
      assert.ok(lines.length > 10)
      for (const line of lines) {
        const args = line.replace(/ < .*/, '').match(/(?:"[^"]*"|\S)+/g) ?? []
        const found = findCommand(args)
        assert.equal(found.is, 'command', line)
        if (found.is === 'command') readLine(found.rest, found.command.options)
      }
    })
  })

  describe('tail', () => {
    before(begin)

    it('shows what changes, and what happens, as it comes', async () => {
      const changes = goOn('tail --stop-after 2 --json')
      const events = goOn('tail --events --names task.*', { columns: 100 })
      await eventually(() => changes.noted().includes('Waiting') && events.noted().includes('Waiting'))
      const { task } = await json('create tasks title=Anything')
      await eventually(() => changes.said() !== '')
      await json('create guests name=Sam email=sam@example.com')
      const { code, out } = await changes.ended
      assert.equal(code, 0)
      const [first, second] = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      assert.deepEqual(
        [first.kind, first.id, first.data.title, second.kind],
        ['task', task.id, 'Anything', 'guest'],
      )
      await eventually(() => events.said().includes('task.created'))
      const ended = await events.end()
      assert.equal(ended.code, 0)
      const shown = ended.out.replaceAll('\u001b', '^')
      assert.match(
        shown,
        /^\^\[2m2026-10-06T19:00:00Z\^\[0m\^\[32m  task\.created +task \d+ +\^\[0m  Anything.*\n$/,
      )
      const past = await here('tail --kinds guest --from-start --stop-after 1')
      assert.match(past.out, /created +guest \d+ +Sam/)
      assert.equal((await here('tail --names task.created')).code, 2)
    })
  })

  describe('listen', () => {
    let receiver: Receiver
    before(async () => {
      await begin()
      receiver = await startReceiver()
    })
    after(() => receiver.stop())
    /** What arrived, verified by each of the two forms. */
    const verified = async (at: number, secret: string) => {
      const { headers, body } = receiver.received[at] ?? assert.fail('nothing arrived')
      const { 'x-service-signature': header, ...others } = headers
      const own = await verifyWebhook({ body, header: String(header), secret })
      const standard = await verifyWebhook({ body, headers: others, secret })
      assert.deepEqual(own, standard)
      assert.equal(headers['x-service-event'], own.event)
      return { delivery: own, headers }
    }

    it('forwards what was asked for, signed as the service does, and shows each exchange', async () => {
      const listening = goOn(`listen --forward-to ${receiver.url}/hook --events task.updated,guest.* --json`)
      await eventually(() => listening.noted().includes('Ctrl-C'))
      const [secret = ''] = /whsec_[0-9A-Za-z]{44}/.exec(listening.noted()) ?? []
      const { task } = await json('create tasks title=Anything')
      await json(`complete tasks ${task.id}`)
      await eventually(() => listening.said().includes('\n'))
      receiver.answer(500)
      await json('create guests name=Sam email=sam@example.com')
      await eventually(() => listening.said().trim().split('\n').length === 2)
      const { code, out } = await listening.end()
      assert.equal(code, 0)
      const [first, second] = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      assert.deepEqual([first.event, first.status], ['task.updated', 204])
      assert.deepEqual([second.event, second.status], ['guest.created', 500])
      const { delivery } = await verified(0, secret)
      assert.partialDeepStrictEqual(delivery, {
        id: first.id,
        event: 'task.updated',
        venue: { slug: venue.slug },
        data: { id: task.id, done: true },
        record: { kind: 'task', id: task.id, revision: 2 },
        names: ['task.completed', 'task.updated'],
      })
      assert.equal((await verified(1, secret)).delivery.event, 'guest.created')
    })

    it('is where samples go while it runs', async () => {
      receiver.answer(204)
      assert.match(
        (await here('trigger task.created')).err,
        /Start `venue-data listen --forward-to URL` first/,
      )
      const listening = goOn(`listen --forward-to ${receiver.url}/hook --secret whsec_${'a'.repeat(44)}`)
      await eventually(() => listening.noted().includes('Ctrl-C'))
      const at = receiver.received.length
      assert.equal((await here('trigger task.created')).code, 0)
      assert.equal((await verified(at, `whsec_${'a'.repeat(44)}`)).delivery.sample, true)
      receiver.answer(500)
      assert.match((await here('trigger task.created')).out, /task\.created +sample +→ 500/)
      await listening.end()
      assert.equal((await here('trigger task.created')).code, 2)
    })

    it('has the secret that trigger signs samples with', async () => {
      receiver.answer(204)
      const at = receiver.received.length
      const { code, out } = await here(`trigger reservation.seated --forward-to ${receiver.url}/hook`)
      assert.equal(code, 0)
      assert.match(out, /reservation\.seated +sample +→ 204 +\d+ ms\n$/)
      const secret = (await readFile(join(settings().folder, 'listen-secret'), 'utf8')).trim()
      assert.equal((await stat(join(settings().folder, 'listen-secret'))).mode & 0o777, 0o600)
      const { delivery, headers } = await verified(at, secret)
      assert.equal(headers['x-service-sample'], 'true')
      assert.partialDeepStrictEqual(delivery, {
        sample: true,
        data: { id: 0, status: 'Seated' },
        record: { kind: 'reservation', id: 0 },
        names: ['reservation.seated', 'reservation.updated'],
      })
    })

    it('says when nobody is there, and stays on this machine', async () => {
      const gone = await here(`trigger lead.created --forward-to ${closed}`)
      assert.deepEqual([gone.code, /not delivered: ECONNREFUSED/.test(gone.out)], [1, true])
      for (const address of ['https://hooks.example.com/', 'http://localhost.example.com/', 'file:///x']) {
        const { code, err } = await here(`listen --forward-to ${address}`)
        assert.deepEqual([code, /must be on this machine/.test(err)], [2, true], address)
      }
    })

    it('leaves samples to endpoints to the service, which refuses what there is not', async () => {
      const nobody = '00000000-0000-0000-0000-000000000000'
      const { code, err } = await here(`trigger lead.created --endpoint ${nobody}`)
      assert.deepEqual([code, /\(404, /.test(err)], [1, true], err)
    })
  })

  describe('doctor', () => {
    before(begin)
    const findings = async (key: string, more: Parameters<typeof runHere>[1] = {}) => {
      const { code, out } = await here(`doctor --json --key ${key}`, more)
      const found: { is: string; about: string; sentence: string; advice?: string }[] = JSON.parse(out)
      return { code, found, of: (about: string) => found.find((one) => one.about === about) }
    }

    it('finds nothing where all is well', async () => {
      const { code, found } = await findings(venue.key)
      assert.deepEqual(
        [code, found.map(({ is, about }) => `${about} ${is}`)],
        [0, ['service fine', 'clock fine', 'key fine', 'access fine', 'webhooks fine']],
      )
      const { out } = await here('doctor', { columns: 100 })
      // oxlint-disable-next-line no-control-regex
      assert.match(out, /^\u001b\[32m✓\u001b\[0m service {3}http:\S+ answers\.\n/)
    })

    it('finds a wrong clock, a key that ends and an endpoint that failed, and says what to do', async () => {
      const expiresAt = Temporal.Instant.from('2026-10-09T19:00:00Z')
      const { key } = await venue.makeKey('read_write', 'api', { expiresAt })
      await json('create webhooks url=https://hooks.example.com/x events=*')
      await service.db.session((client) =>
        client.query(
          `update webhook_endpoint set status = 'disabled', disabled_reason = 'too-many-failures' where venue_id = ${venue.id}`,
        ),
      )
      const { code, of } = await findings(key, { now: () => Date.parse('2026-10-06T19:00:00Z') })
      assert.equal(code, 1)
      // The service answers with the date of this machine.
      assert.match(
        of('clock')?.sentence ?? '',
        /^This machine is \d+ days (?:behind|ahead of) the service\.$/,
      )
      assert.match(of('key')?.advice ?? '', /^Ask the owner for a new one/)
      assert.match(of('webhooks')?.advice ?? '', /`venue-data update webhooks \S+ status=active`/)
    })

    it('distinguishes a service that is down from a key that is not valid', async () => {
      const { code, of } = await findings(`service_sk_${'x'.repeat(40)}`)
      assert.deepEqual([code, of('key')?.is, /new key/.test(of('key')?.advice ?? '')], [4, 'problem', true])
      const away = await here(`doctor --url ${closed}`)
      assert.deepEqual(
        [away.code, /does not answer: ECONNREFUSED\.\n +Check the address/.test(away.out)],
        [3, true],
      )
    })
  })

  describe('export', () => {
    before(begin)

    it('writes every record, and when run again what changed', async () => {
      const to = join(folder, 'export')
      const read = async (name: string) => readFile(join(to, name), 'utf8')
      const records = async (kind: string) =>
        (await read(`${kind}.ndjson`))
          .split('\n')
          .filter(Boolean)
          .map((text) => JSON.parse(text))
      const { task } = await json('create tasks title==1+1')
      const { task: other } = await json('create tasks title=Second')
      await json('create guests name=Sam email=sam@example.com')
      const { code, out } = await here(`export --to ${to}`)
      assert.deepEqual(
        [code, /^kind +records\nguest +1\ntask +2\nEach kind is in /.test(out)],
        [0, true],
        out,
      )
      assert.deepEqual(await records('task'), [task, other])
      const [names = '', first = ''] = (await read('task.csv')).split('\r\n')
      assert.equal(names, `\ufeff${Object.keys(task).join(',')}`)
      assert.ok(first.startsWith(`${task.id},'=1+1,`), first)
      assert.equal((await stat(join(to, 'guest.ndjson'))).mode & 0o777, 0o600)
      const { task: changed } = await json(`complete tasks ${task.id}`)
      const again = await json(`export --to ${to}`)
      assert.deepEqual(again, { folder: to, records: { guest: 1, task: 2 } })
      assert.deepEqual(await records('task'), [other, changed])
    })

    it('is proven and repaired by verify, after a bad disk or a careless hand', async () => {
      const to = join(folder, 'proven')
      const lost = (await json('create tasks title=Lost')).task
      const stale = (await json('create tasks title=Stale')).task
      await json(`export --to ${to}`)
      const file = join(to, 'task.ndjson')
      const whole = await readFile(file, 'utf8')
      assert.match(
        (await here(`verify --folder ${to}`)).out,
        /^\d+ records compared: the folder has every one /,
      )
      const without = whole
        .split('\n')
        .filter((text) => text !== '' && JSON.parse(text).id !== lost.id)
        .map((text) => JSON.parse(text))
      const outdated = without.map((one) => (one.id === stale.id ? { ...one, revision: 9 } : one))
      const planted = [...outdated, { ...stale, id: 900_001 }]
      await writeFile(file, `${planted.map((one) => `${JSON.stringify(one)}\n`).join('')}{"id":7,"ti\u0000\n`)
      // The changes of the venue meanwhile are no faults.
      await json(`complete tasks ${(await json('create tasks title=Later')).task.id}`)
      const { code, out } = await here(`verify --folder ${to} --json`)
      assert.equal(code, 1)
      assert.deepEqual(
        JSON.parse(out).differences.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id),
        [
          { kind: 'task', id: lost.id, was: 'missing' },
          { kind: 'task', id: stale.id, was: 'outdated' },
          { kind: 'task', id: 900_001, was: 'extra' },
        ],
      )
      assert.equal((await here(`verify --folder ${to}`)).code, 0)
      const fresh = join(folder, 'fresh')
      await json(`export --to ${fresh}`)
      const sortedLines = async (path: string) =>
        (await readFile(join(path, 'task.ndjson'), 'utf8')).split('\n').toSorted((a, b) => (a < b ? -1 : 1))
      assert.deepEqual(await sortedLines(to), await sortedLines(fresh))
      const { code: none, err } = await here(`verify --folder ${join(folder, 'nothing')}`)
      assert.deepEqual([none, /no finished export/.test(err)], [5, true])
      await assert.rejects(stat(join(folder, 'nothing')), 'it makes no folder')
    })

    it('touches no folder that is not its own', async () => {
      const { key } = await venue.makeKey('read', 'api', { scopes: ['tasks:read'] })
      const cases: [line: string, said: RegExp][] = [
        [`export --to ${folder}`, /is not empty and holds no earlier export/],
        [`export --to ${join(folder, 'export')} --key ${key}`, /a key that may read other records/],
      ]
      for (const [line, said] of cases) {
        const { code, err } = await here(line)
        assert.deepEqual([line, code], [line, 5], err)
        assert.match(err, said)
      }
    })
  })

  describe('packed, installed and run by Node', () => {
    before(begin)

    it('says its help, reads, writes and completes', async () => {
      const home = join(folder, 'installed')
      await installPacked(join(import.meta.dirname, '../..'), ['cli'], home)
      const program = join(home, 'node_modules/.bin/venue-data')
      const { url, key } = settings()
      const env = { XDG_CONFIG_HOME: home, VENUE_DATA_URL: url, VENUE_DATA_KEY: key }
      const start = (line: string) => execute(process.execPath, [program, ...words(line)], { env })
      assert.match((await start('--help')).stdout, /^The Venue Data API on the command line\.\n/)
      const { stdout } = await start('create tasks title=Anything --json')
      const { task } = JSON.parse(stdout)
      assert.deepEqual(JSON.parse((await start('list tasks --json')).stdout), [task])
      await assert.rejects(start(`get tasks ${task.id + 1}`), { code: 1, stdout: '' })
      const command = `venue-data() { '${process.execPath}' '${program}' "$@"; }`
      const press = 'COMP_WORDS=(venue-data list ta); COMP_CWORD=2; _venue_data; echo "$COMPREPLY"'
      const script = `${command}\n${(await start('completion bash')).stdout}\n${press}`
      assert.equal((await execute('bash', ['-c', script])).stdout, 'tasks\n')
    })
  })
})

/** A command line as a shell splits it, without quotes. */
const words = (line: string): string[] => line.trim().split(/ +/)
