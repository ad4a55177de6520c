import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { python, whyNoPython, withPackage } from '../../../sdk-python/test/python.ts'
import receiver, { type Env } from '../../../examples/receiver-on-workers/receiver.ts'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { type Scene, startScene } from '../../integrations/webhooks/test/scene.ts'
import { type Child, startChild } from '../child.ts'
import { compiledSources } from '../patience.ts'
import type { TestVenue } from '../service.ts'

/* The programs of examples/ that use the SDK, unchanged, against the service. */

const examples = join(import.meta.dirname, '../../../examples')

describe('the examples with the SDK', () => {
  let scene: Scene
  let venue: TestVenue
  let book: TestBook
  let folder: string
  const programs: Child[] = []
  const endings: (() => unknown)[] = []

  const begin = (file: string, settings: Record<string, string>): Child => {
    const isPython = file.endsWith('.py')
    const program = startChild(isPython ? python : process.execPath, [join(examples, file)], {
      env: {
        ...(isPython ? withPackage : compiledSources),
        ...{ KEY: venue.key, BASE_URL: scene.service.url, ...settings },
      },
    })
    programs.push(program)
    return program
  }
  const serving = async (file: string, settings: Record<string, string> = {}): Promise<string> => {
    const port = await freePort()
    const program = begin(file, { PORT: String(port), ...settings })
    await program.until(() => program.said() !== '')
    return `http://127.0.0.1:${port}`
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into answers they know
  const jsonOf = async (answer: Response): Promise<any> => answer.json()
  const send = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, ...(await jsonOf(answer)) }
  }
  const api = async (method: string, path: string, body?: object) => {
    const headers = { 'if-match': '*' }
    const answer = await scene.service.call(method, `/api/v1${path}`, { key: venue.key, headers, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const today = Temporal.Now.zonedDateTimeISO('America/New_York').subtract({ hours: 5 }).toPlainDate()
  const soon = today.add({ days: 3 }).toString()

  before(async () => {
    scene = await startScene()
    scene.service.setClock(toMoment(Temporal.Now.instant()))
    book = await openBook(scene.service)
    ;({ venue } = book)
    folder = await mkdtemp(join(tmpdir(), 'venue-data-examples-'))
  })
  after(async () => {
    for (const program of programs) program.signal('SIGKILL')
    for (const end of endings) await end()
    await scene.stop()
    await rm(folder, { recursive: true })
  })

  it('are short enough to read', async () => {
    for (const name of [
      'crm-sync/crm-sync.ts',
      'crm-sync/crm_sync.py',
      'check-in/check-in.ts',
      'booking-page/booking-page.ts',
      'voice-agent/voice-agent.ts',
      'receiver-on-workers/receiver.ts',
    ])
      assert.ok((await readFile(join(examples, name), 'utf8')).trimEnd().split('\n').length <= 150, name)
  })

  it('the voice agent looks up, books once, offers what is open, and cancels', async () => {
    const url = await serving('voice-agent/voice-agent.ts', { TOKEN: 'spoken' })
    const headers = { authorization: 'Bearer spoken', 'x-call-id': 'call-1' }
    const use = (tool: string, given: object) => send(`${url}/tools/${tool}`, given, headers)
    const definitions = await jsonOf(await fetch(`${url}/tools`, { headers }))
    assert.deepEqual(
      definitions.map(({ name }: { name: string }) => name),
      ['look_up_time', 'book', 'cancel'],
    )
    assert.equal((await send(`${url}/tools/book`, {})).status, 401)

    const asked = { date: soon, time: '19:00', partySize: 2 }
    assert.match((await use('look_up_time', asked)).say, /^Yes, .* at 7:00 PM is open\.$/)
    const early = await use('look_up_time', { ...asked, time: '12:00' })
    assert.equal(early.done, false)
    assert.match(early.say, /\. I could offer you .* at 5:00 PM/)

    const party = { ...asked, name: 'Maya Okafor', phone: '+12125550123', notes: 'A high chair' }
    const booked = await use('book', party)
    assert.deepEqual([booked.status, booked.done], [200, true])
    assert.match(booked.say, /^Your table for 2 on .* at 7:00 PM is requested; we will confirm it\.$/)
    assert.deepEqual(await use('book', party), booked)
    const found = await api('GET', '/reservations/find?phone=%2B12125550123')
    assert.deepEqual(
      found.map(({ guestName, notes }: Record<string, string>) => [guestName, notes]),
      [['Maya Okafor', 'A high chair']],
    )
    const wrong = await use('book', { ...party, date: 'Friday' })
    assert.deepEqual([wrong.done, /date/.test(wrong.say)], [false, true])
    assert.match(
      (await use('cancel', { date: soon, phone: '+12125550123' })).say,
      /^Your table on .* is canceled\.$/,
    )
    assert.equal((await api('GET', `/reservations/${found[0].id}`)).status, 'Cancelled')
    const again = { ...headers, 'x-call-id': 'call-2' }
    const repeated = await send(`${url}/tools/cancel`, { date: soon, phone: '+12125550123' }, again)
    assert.equal(repeated.done, true, 'no matter who asks')
    const nobody = await use('cancel', { date: soon, phone: '+12125550124' })
    assert.equal(nobody.say, 'I find no booking under that number on that day.')
  })

  it('the booking page shows times, books a form once, and offers what is open', async () => {
    const url = await serving('booking-page/booking-page.ts')
    const ask = async (path: string, form?: Record<string, string>) => {
      const answer = await fetch(`${url}${path}`, form && { method: 'POST', body: new URLSearchParams(form) })
      return { status: answer.status, text: await answer.text() }
    }
    const page = await ask(`/?date=${soon}&partySize=2`)
    assert.equal(page.status, 200)
    assert.match(page.text, /at 7:00 PM/)
    const typed = {
      once: /name="once" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
      partySize: '2',
      startsAt: new RegExp(`${soon}T19:00:00[^"]*`).exec(page.text)?.[0] ?? '',
      guestName: 'Zoë <b>Bright</b>',
      phone: '',
      email: 'zoe@example.com',
    }
    const booked = await ask('/book', typed)
    assert.equal(booked.status, 200, booked.text)
    assert.match(booked.text, /Your table for 2 on .* at 7:00 PM is requested; we will write to confirm it\./)
    assert.deepEqual(await ask('/book', typed), booked)
    const found = await api('GET', '/reservations/find?email=zoe%40example.com')
    assert.equal(found.length, 1)

    const early = await ask('/book', { ...typed, startsAt: typed.startsAt.replace('T19', 'T12') })
    assert.equal(early.status, 409)
    assert.match(early.text, /Nothing was booked\. .* at 5:00 PM/s)
    assert.match(early.text, /value="Zoë &#60;b&#62;Bright&#60;\/b&#62;"/)
    const nameless = await ask('/book', { ...typed, guestName: '' })
    assert.equal(nameless.status, 400)
    assert.match(nameless.text, /role="alert".*[Nn]ame/)
  })

  it('the till finds the party tonight and writes its check to the reservation', async () => {
    const date = today.toString()
    const party = { date, time: '19:00', guestName: 'José Núñez', phone: '+12125550177' }
    const jose = await book.booking('Confirmed', party)
    await book.booking('Confirmed', { date, time: '19:30', guestName: 'Ada Marsh' })
    const url = await serving('check-in/check-in.ts')
    const named = await send(`${url}/checks`, { check: 'A-1', name: 'jose' })
    assert.deepEqual([named.reservation.id, named.reservation.externalId], [jose, 'A-1'])
    assert.match(named.card, /^José Núñez, party of 2 at 19:00: first visit/)
    const again = await send(`${url}/checks`, { check: 'A-1', name: 'jose' })
    assert.equal(again.reservation.id, jose)
    const second = await send(`${url}/checks`, { check: 'A-2', phone: '+12125550177' })
    assert.deepEqual([second.reservation, second.card], [null, 'No reservation: a walk-in.'])
    assert.equal((await send(`${url}/checks`, { check: 'A-3' })).status, 400)
  })

  const syncs = (file: string) => async (): Promise<void> => {
    book = await openBook(scene.service)
    ;({ venue } = book)
    const crm = await startCrm()
    endings.push(crm.stop)
    const run = async (): Promise<void> => {
      const program = begin(`crm-sync/${file}`, { CRM_URL: crm.url, STORE: join(folder, `${file}.db`) })
      assert.equal(await program.ended, 0, program.complained())
    }
    const { guest: ada } = await api('POST', '/guests', { name: 'Ada Marsh', email: 'ada@example.com' })
    crm.write({ id: 'c-ben', name: 'Ben Iyer', email: null, phone: '+12125550188' })
    await run()
    const ofAda = () => [...crm.contacts.values()].find(({ email }) => email === 'ada@example.com')
    assert.equal(ofAda()?.name, 'Ada Marsh')
    const [ben] = await api('GET', '/guests/find?phone=%2B12125550188')
    assert.equal(ben.name, 'Ben Iyer')

    const writes = crm.writes()
    await run()
    assert.equal(crm.writes(), writes, 'what was agreed on is left alone')

    // Each side changes something, and both the same name: the venue's stays.
    await api('PATCH', `/guests/${ada.id}`, { name: 'Ada Marsh-Lowe' })
    crm.write({ ...(ofAda() as Contact), name: 'A. Marsh', phone: '+12125550199' })
    crm.write({ id: 'c-ben', name: 'Benjamin Iyer', email: null, phone: '+12125550188' })
    await run()
    const known = await api('GET', `/guests/${ada.id}`)
    assert.deepEqual([known.name, known.phone], ['Ada Marsh-Lowe', '+12125550199'])
    assert.deepEqual([ofAda()?.name, ofAda()?.phone], ['Ada Marsh-Lowe', '+12125550199'])
    assert.equal((await api('GET', `/guests/${ben.id}`)).name, 'Benjamin Iyer')

    const { email, phone, name } = known
    await book.act((work) => erasePerson(work, staff('owner'), { guestId: null, email, phone, name }))
    const lost = { id: 'c-lost', name: 'Otto Lang', email: 'otto@example.com', phone: null }
    crm.write(lost)
    crm.write({ ...(ofAda() as Contact), name: 'Ada again' })
    await run()
    assert.equal(ofAda(), undefined)
    const erased = await api('GET', `/guests/${ada.id}`)
    assert.deepEqual([erased.name, erased.email, erased.phone], [null, null, null])
    const { erasures } = await api('GET', '/erasures')
    assert.equal(erasures.length, 1)
    // One that was refused, and one whose contact is gone, hold nobody up.
    crm.write({ ...lost, id: 'c-same', name: 'Somebody Else' })
    crm.write({ ...lost, email: 'no address' })
    crm.contacts.delete('c-ben')
    await api('PATCH', `/guests/${ben.id}`, { name: 'Ben I.' })
    crm.write({ id: 'c-new', name: 'Ines Duarte', email: 'ines@example.com', phone: null })
    await run()
    assert.equal((await api('GET', '/guests/find?email=ines%40example.com')).length, 1)
    assert.equal((await api('GET', '/guests/find?email=otto%40example.com'))[0].name, 'Otto Lang')
    assert.ok(!crm.contacts.has('c-ben'), 'not made again')

    // As if the program had been stopped between making the guest and remembering the pair.
    await api('POST', '/guests', { name: 'Uma Castro', email: 'uma@example.com' })
    crm.write({ id: 'c-uma', name: 'Uma Castro', email: 'uma@example.com', phone: null })
    await run()
    const umas = [...crm.contacts.values()].filter(({ email: one }) => one === 'uma@example.com')
    assert.deepEqual(
      umas.map(({ id }) => id),
      ['c-uma'],
    )
  }

  it('the CRM and the venue agree after each run, no matter who changed what', syncs('crm-sync.ts'))

  it(
    'the CRM and the venue say the same with the program in Python',
    { skip: whyNoPython() ?? false },
    syncs('crm_sync.py'),
  )

  it('the receiver on Workers keeps tonight’s book with deliveries in any order', async () => {
    const board = new DatabaseSync(':memory:')
    board.exec(await readFile(join(examples, 'receiver-on-workers/schema.sql'), 'utf8'))
    const incoming = createServer((request, response) => {
      void (async () => {
        const answer = await receiver.fetch(await asRequest(request), env)
        response.writeHead(answer.status).end(await answer.text())
      })()
    }).listen(0, '127.0.0.1')
    await once(incoming, 'listening')
    endings.push(() => incoming.close())
    const url = `http://127.0.0.1:${(incoming.address() as AddressInfo).port}/`
    scene.worker()
    const endpoint = await api('POST', '/webhooks', { url, events: ['reservation.*', 'person.erased'] })
    const env: Env = { DB: d1(board), WEBHOOK_SECRET: endpoint.secret, SCREEN_TOKEN: 'kitchen' }
    const day = today.add({ days: 4 }).toString()
    const party = (guestName: string, time: string) =>
      api('POST', '/reservations', { guestName, partySize: 2, date: day, time })
    const { reservation } = await party('Ines Duarte', '20:00')
    await party('Otto Lang', '18:00')
    await scene.quiet()
    await api('PATCH', `/reservations/${reservation.id}`, { guestName: 'Ines Duarte-Reis' })
    await scene.quiet()
    const headers = { authorization: 'Bearer kitchen' }
    const shown = await jsonOf(await fetch(url + day, { headers }))
    assert.deepEqual(
      shown.map(({ guestName }: { guestName: string }) => guestName),
      ['Otto Lang', 'Ines Duarte-Reis'],
    )
    assert.equal((await fetch(url + day)).status, 401)
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 400)
    const seen = board.prepare('select done from delivery').all()
    assert.deepEqual(
      seen.map(({ done }) => done),
      [1, 1, 1],
    )

    const otto = { guestId: null, email: null, phone: null, name: 'Otto Lang' }
    await book.act((work) => erasePerson(work, staff('owner'), otto))
    await scene.quiet()
    const left = board.prepare('select data from reservation').all()
    assert.ok(!JSON.stringify(left).includes('Otto'))
  })
})

type Contact = { id: string; name: string | null; email: string | null; phone: string | null }

/** A CRM as examples/crm-sync/crm-sync.ts speaks to one. */
const startCrm = async () => {
  const contacts = new Map<string, Contact>()
  const changes: string[] = []
  const made = new Map<string, string>()
  let writes = 0
  const write = (contact: Contact): Contact => {
    contacts.set(contact.id, contact)
    changes.push(contact.id)
    return contact
  }
  const answer = (method: string, url: URL, body: Record<string, string | null>): [number, unknown?] => {
    const id = url.pathname.split('/')[2]
    if (method === 'GET' && !id) {
      const after = Number(url.searchParams.get('after') || 0)
      const changed = new Set(changes.slice(after))
      return [
        200,
        { contacts: [...changed].flatMap((one) => contacts.get(one) ?? []), next: String(changes.length) },
      ]
    }
    const there = id ? contacts.get(id) : undefined
    if (method === 'GET') return there ? [200, there] : [404]
    writes += 1
    if (method === 'DELETE') return contacts.delete(id as string) ? [204] : [404]
    if (method === 'PATCH') return there ? [200, write({ ...there, ...body })] : [404]
    const { key, ...fields } = body
    const known = made.get(key as string) ?? `c-${made.size + 1}`
    made.set(key as string, known)
    return [201, contacts.get(known) ?? write({ id: known, ...fields } as Contact)]
  }
  const server = createServer((request, response) => {
    void (async () => {
      const text = await textOf(request)
      const [status, body] = answer(
        request.method as string,
        new URL(request.url as string, 'http://crm'),
        text ? JSON.parse(text) : {},
      )
      response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ contacts, write, writes: () => writes },
    stop: () => void server.close(),
  }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const asRequest = async (request: IncomingMessage): Promise<Request> => {
  const text = await textOf(request)
  return new Request(`http://worker${request.url}`, {
    method: request.method as string,
    headers: request.headers as Record<string, string>,
    ...(request.method === 'POST' && { body: text }),
  })
}

/** D1 is SQLite: its calls, over Node's. */
const d1 = (db: DatabaseSync): Env['DB'] => ({
  prepare: (sql) => {
    const statement = db.prepare(sql)
    const bound = (values: (string | number | null)[]): ReturnType<Env['DB']['prepare']> => ({
      bind: (...more) => bound(more),
      run: async () => ({ meta: { changes: Number(statement.run(...values).changes) } }),
      first: async <T>() => (statement.get(...values) ?? null) as T | null,
      all: async () => ({ results: statement.all(...values) }),
    })
    return bound([])
  },
})
