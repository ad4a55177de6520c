import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { walkChanges } from '../../integrations/changes/test/follow.ts'
import type { Work } from '../../context.ts'
import { type Demo, makeDemo } from '../../demo/make-demo.ts'
import { type Random, randomFrom } from '../../demo/random.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { mergeGuests } from '../../crm/guests/merge.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { type Child, startChild } from '../child.ts'
import { freshDatabase } from '../database.ts'
import { unlessMissing } from './installed.ts'
import { runOperator, settingsOf } from '../processes/operator.ts'
import { rowsOf } from '../rows.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { type TestService, callService, startService } from '../service.ts'

/*
 * The programs of examples/keep-a-copy, unchanged, side by side with the demo: a random day of changes, six
 * hours without them, a merge, an erasure, and the night in which the service is restored from a backup.
 */

const programs = [
  { language: 'TypeScript', command: process.execPath, file: 'keep-a-copy.ts', debian: 'nodejs' },
  { language: 'Python', command: 'python3', file: 'keep_a_copy.py', debian: 'python3' },
].map((program) => ({ ...program, unless: unlessMissing([program.command, program.debian]) }))
/** Those that this machine can run. */
const present = programs.filter(({ unless }) => unless.skip === undefined)

const seed = 1123

type Records = Record<string, unknown>

describe('the programs that keep a copy', () => {
  const random = randomFrom(seed)
  let service: TestService
  let demo: Demo
  let folder: string
  let running: Child[] = []

  const begin = (url = service.url, key = demo.keys.readOnly): void => {
    running = present.map(({ command, file }) =>
      startChild(command, [join(import.meta.dirname, '../../../examples/keep-a-copy', file)], {
        env: {
          PATH: process.env['PATH'],
          API: `${url}/api/v1`,
          KEY: key,
          COPY: join(folder, `${file}.db`),
        },
      }),
    )
  }
  /** Kills them all, at any step. */
  const end = async (): Promise<void> => {
    for (const program of running) program.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
  }

  const read = <T>(file: string, work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(join(folder, `${file}.db`), { readOnly: true })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const copyOf = (file: string): Records =>
    read(file, (db) =>
      Object.fromEntries(
        db
          .prepare("select kind || ' ' || id as name, data from record")
          .all()
          .map(({ name, data }) => [String(name), JSON.parse(String(data))]),
      ),
    )
  /** What the service itself has now, and the cursor of now. */
  const truth = async (url = service.url): Promise<{ records: Records; head: string }> => {
    const ask = (query: string) =>
      callService(url, 'GET', `/api/v1/changes?${query}`, { key: demo.keys.readOnly })
    const { items, next } = await walkChanges(ask, undefined, 'limit=1000')
    const living = items.filter(({ data }) => data !== null)
    return {
      records: Object.fromEntries(living.map(({ kind, id, data }) => [`${kind} ${id}`, data])),
      head: next,
    }
  }
  /** Waits until both have read as far. */
  const bothAreAt = async (head: string): Promise<void> => {
    for (const [n, { file }] of present.entries())
      await running[n]?.until(() =>
        read(file, (db) => db.prepare('select next from place').get()?.['next'] === head),
      )
  }
  /** Compares record by record, then. */
  const bothAre = async ({ records, head }: { records: Records; head: string }): Promise<void> => {
    await bothAreAt(head)
    for (const { language, file } of present) {
      assert.deepEqual(copyOf(file), records, `the one in ${language}, seed ${seed}`)
    }
  }

  before(async () => {
    service = await startService()
    demo = await makeDemo(service.context, { scale: 0.05 })
    folder = await mkdtemp(join(tmpdir(), 'venue-data-copies-'))
  })
  after(async () => {
    await end()
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('are short enough to read', async () => {
    for (const { file } of programs) {
      const text = await readFile(new URL(`../../../examples/keep-a-copy/${file}`, import.meta.url), 'utf8')
      assert.ok(text.split('\n').length <= 120, file)
    }
  })

  for (const { language, file, unless } of programs) {
    it(`are run: ${language}`, unless, () => assert.ok(present.some((program) => program.file === file)))
  }

  it('have everything from the beginning', async () => {
    begin()
    await bothAre(await truth())
  })

  it('follow a random day', async () => {
    await changeAtRandom({ service, demo, random }, 120)
    await bothAre(await truth())
  })

  it('stop with a sentence and keep every record when their key is another venue’s', async () => {
    await end()
    const { records } = await truth()
    const { key } = await service.venue()
    begin(service.url, key)
    for (const [n, { file, language }] of present.entries()) {
      assert.equal(await running[n]?.ended, 1, language)
      assert.match(running[n]?.complained() ?? '', /belongs to another venue/)
      assert.deepEqual(copyOf(file), records, language)
    }
    begin()
    await bothAre(await truth())
  })

  it('have the older records of a kind that their key may read only now', async () => {
    const itsKey = `api_key where venue_id = $1 and name = 'Demo, read only'`
    const [had] = await rowsOf<{ scopes: string[] }>(service, `select scopes from ${itsKey}`, [demo.venue.id])
    const mayRead = (scopes: string[] | undefined) =>
      rowsOf(service, `update ${itsKey.replace('where', 'set scopes = $2 where')}`, [demo.venue.id, scopes])
    const write = async (path: string, body: object) => {
      const answer = await service.call('POST', `/api/v1/${path}`, { key: demo.keys.readWrite, body })
      assert.equal(answer.status, 201, answer.text)
    }
    await end()
    await mayRead(had?.scopes.filter((scope) => scope !== 'tasks:read'))
    await write('tasks', { title: 'Call the florist' })
    await write('guests', { name: 'Nora', email: 'nora@example.com' })
    begin()
    await bothAreAt((await truth()).head)
    // An answer they wait for was asked with what the key could read then.
    await end()
    await mayRead(had?.scopes)
    await write('guests', { name: 'Ines', email: 'ines@example.com' })
    begin()
    await bothAre(await truth())
  })

  it('go on after six hours away, with a merge and an erasure in them', async () => {
    await end()
    const known = await truth()
    service.setClock('2026-10-07T01:00:00Z')
    const merged = await mergeTwo({ service, demo, random })
    const erased = await eraseOne({ service, demo, random })
    await changeAtRandom({ service, demo, random }, 60)
    const now = await truth()
    assert.ok(`guest ${merged}` in known.records && !(`guest ${merged}` in now.records))
    begin()
    await bothAre(now)
    const rest = JSON.stringify(present.map(({ file }) => copyOf(file)))
    assert.ok(!rest.includes(erased), 'nobody can be found who was erased')
  })

  it('throw away what a restored backup does not know', async () => {
    const file = join(folder, 'night.backup')
    const saved = await truth()
    const written = await runOperator(['backup', '--to', file], settingsOf(service))
    assert.equal(written.code, 0, written.stderr)
    await changeAtRandom({ service, demo, random }, 60)
    await bothAre(await truth())
    await end()

    const place = await freshDatabase('empty')
    const settings = { ...settingsOf(service), DATABASE_URL: place.url }
    let restored: ServiceProcess | undefined
    try {
      const back = await runOperator(['restore', '--from', file], settings)
      assert.equal(back.code, 0, back.stderr)
      restored = await startProcess({ ...settings, ROLE: 'web' })
      await restored.ready()
      begin(restored.url)
      const now = await truth(restored.url)
      assert.deepEqual(now.records, saved.records)
      await bothAre(now)
    } finally {
      await end()
      await restored?.stop()
      await place.drop()
    }
  })
})

type Place = { readonly service: TestService; readonly demo: Demo; readonly random: Random }

const workOf = <T>({ service, demo: { venue } }: Place, act: (work: Work) => Promise<T>): Promise<T> =>
  service.db.transaction((db) =>
    act({ db: db.within(venue.id), venue: { ...venue, plan: 'pro' }, now: service.context.clock }),
  )

/** One of the newest records of a list, as the API shows it. */
const someOf = async ({ service, demo, random }: Place, path: string): Promise<Found> => {
  const { body } = await service.call('GET', `/api/v1/${path}?limit=100`, { key: demo.keys.readWrite })
  return random.pick(body as Found[])
}
type Found = { readonly id: number; readonly name: string; readonly email: string | null }

/** What clients and staff do in a day; what the rules refuse changes nothing, which is right, too. */
const changeAtRandom = async (place: Place, times: number): Promise<void> => {
  const { service, demo, random } = place
  const send = async (method: string, path: string, body?: object) => {
    const headers = { ...(method === 'PATCH' && { 'if-match': '*' }) }
    const answer = await service.call(method, `/api/v1/${path}`, {
      key: demo.keys.readWrite,
      headers,
      ...(body && { body }),
    })
    assert.ok([200, 201, 202, 409].includes(answer.status), `${method} ${path}: ${answer.text}`)
  }
  const name = () => `${random.pick(['Ada', 'Otto', 'Ines', 'Zoë', '陳'])} ${random.integer(1, 10_000)}`
  const email = () => `guest.${random.integer(1, 10_000)}@example.com`
  const day = () => `2026-10-${random.integer(10, 30)}`
  const time = () => `${random.integer(17, 21)}:00`
  const doings: (() => Promise<unknown>)[] = [
    () => send('POST', 'guests', { name: name(), email: email() }),
    () => send('POST', 'subscribers', { email: email(), firstName: name(), consent: { source: 'Form' } }),
    () => send('POST', 'leads', { name: name(), email: email(), eventName: 'A birthday' }),
    () => send('POST', 'tasks', { title: `Call ${name()}` }),
    () => send('POST', 'waitlist', { guestName: name(), partySize: random.integer(1, 6), email: email() }),
    () =>
      send('POST', 'reservations', {
        ...{ guestName: name(), email: email(), partySize: random.integer(1, 6) },
        ...{ date: day(), time: time() },
      }),
    async () => send('PATCH', `guests/${(await someOf(place, 'guests')).id}`, { name: name() }),
    async () => send('PATCH', `leads/${(await someOf(place, 'leads')).id}`, { notes: name() }),
    async () => send('PATCH', `reservations/${(await someOf(place, 'reservations')).id}`, { notes: name() }),
    async () => send('PATCH', `reservations/${(await someOf(place, 'reservations')).id}`, { time: time() }),
    async () => send('POST', `reservations/${(await someOf(place, 'reservations')).id}/cancel`),
    async () => send('POST', `waitlist/${(await someOf(place, 'waitlist')).id}/leave`),
    async () => send('POST', `tasks/${(await someOf(place, 'tasks')).id}/complete`),
    async () => send('POST', `subscribers/${(await someOf(place, 'subscribers')).id}/unsubscribe`),
    async () => {
      const { id } = await someOf(place, 'reservations')
      await workOf(place, (work) => deleteReservation(work, staff('manager'), id))
    },
    () => mergeTwo(place),
  ]
  for (let done = 0; done < times; done++) await random.pick(doings)()
}

/** Makes one of two guests; answers with who is gone. */
const mergeTwo = async (place: Place): Promise<number> => {
  const { service, demo } = place
  const [one, other] = [await someOf(place, 'guests'), await someOf(place, 'guests')]
  if (one.id === other.id) return mergeTwo(place)
  const seen = async ({ id }: Found) => {
    const row = await staffGuest(service.db, demo.venue.id, id)
    assert.ok(row)
    return { id, seenVersion: row.version }
  }
  const { guest } = await workOf(place, async (work) =>
    mergeGuests(work, staff('manager'), await seen(one), await seen(other)),
  )
  return guest.id === one.id ? other.id : one.id
}

/** Erases somebody who has an address; answers with it. */
const eraseOne = async (place: Place): Promise<string> => {
  const { id, email, name } = await someOf(place, 'guests')
  if (email === null) return eraseOne(place)
  await workOf(place, (work) => erasePerson(work, staff('owner'), { guestId: id, email, phone: null, name }))
  return email
}
