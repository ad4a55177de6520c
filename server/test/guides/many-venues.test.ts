import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { randomBytes } from 'node:crypto'
import { fieldsIn } from '../../doors/oauth/test/an-app.ts'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { type Child, startChild } from '../child.ts'
import { freshDatabase } from '../database.ts'
import { type OfficeVisitor, testPassword, visitOffice } from '../office.ts'
import { runOperator } from '../processes/operator.ts'
import { compiledSources } from '../patience.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { callService } from '../service.ts'

/* The program of examples/many-venues, unchanged, against a practice instance with two venues. */

const file = join(import.meta.dirname, '../../../examples/many-venues/many-venues.ts')

type Place = { readonly slug: string; readonly key: string; readonly owner: OfficeVisitor }

describe('the app for many venues', () => {
  let service: ServiceProcess
  let app: Child
  let startApp: () => Promise<void>
  let folder: string
  let url: string
  let drop: () => Promise<void>
  const places: Place[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-many-'))
    const database = await freshDatabase()
    drop = database.drop
    const settings = {
      DATABASE_URL: database.url,
      SECRETS: `test:${randomBytes(32).toString('base64')}`,
      PRACTICE: 'on',
      DATA_DIR: folder,
    }
    service = await startProcess(settings)
    await service.ready()
    const operator = async (...args: string[]) => {
      const ran = await runOperator([...args, '--json'], settings)
      assert.equal(ran.code, 0, ran.stderr)
      return JSON.parse(ran.stdout)
    }
    const password = join(folder, 'password')
    await writeFile(password, testPassword)
    for (const slug of ['harbour-light', 'old-mill']) {
      await operator(...['venue', 'create', '--slug', slug, '--name', slug, '--timezone', 'Europe/London'])
      const { key } = await operator(
        'key',
        'create',
        '--venue',
        slug,
        '--kind',
        'api',
        '--scope',
        'read_write',
      )
      const email = `owner@${slug}.example.com`
      await operator(
        ...[
          'staff',
          'add',
          '--venue',
          slug,
          '--email',
          email,
          '--role',
          'owner',
          '--password-file',
          password,
        ],
      )
      const owner = visitOffice(service)
      await owner.signIn(email)
      places.push({ slug, key, owner })
    }
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const made = await operator(
      ...['app', 'create', '--name', 'Many venues', '--home', 'https://app.example.com/'],
      ...['--privacy', 'https://app.example.com/privacy', '--redirect', `${url}/callback`],
      ...['--needs', 'guests:read,reservations:read'],
    )
    startApp = async () => {
      app = startChild(process.execPath, [file], {
        env: {
          ...compiledSources,
          ...{ BASE_URL: service.url, CLIENT_ID: made.clientId, CLIENT_SECRET: made.secret },
          ...{ PORT: String(port), STORE: join(folder, 'many.db') },
        },
      })
      await app.until(() => app.said() !== '')
    }
    await startApp()
  })
  after(async () => {
    await app?.stop()
    await service?.stop()
    await drop?.()
    await rm(folder, { recursive: true })
  })

  const connect = async ({ owner }: Place): Promise<string> => {
    const sent = await fetch(`${url}/connect`, { redirect: 'manual' })
    const asking = new URL(sent.headers.get('location') ?? '')
    const page = await owner.get(asking.pathname + asking.search)
    const pressed = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'allow' })
    const cookie = sent.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    return (await fetch(pressed.to ?? '', { headers: { cookie } })).text()
  }
  const add = async ({ key }: Place, name: string): Promise<void> => {
    const email = `${name.toLowerCase()}@example.com`
    const { status } = await callService(service.url, 'POST', '/api/v1/guests', {
      key,
      body: { name, email },
    })
    assert.equal(status, 201)
  }
  /** The names in the copy of a venue, straight from the file. */
  const copied = ({ slug }: Place): string => {
    const db = new DatabaseSync(join(folder, 'many.db'), { readOnly: true })
    try {
      return db
        .prepare(
          `select r.data ->> 'name' as name from record r join install i on i.install = r.install
            where i.slug = ? and r.kind = 'guest' order by r.id`,
        )
        .all(slug)
        .map(({ name }) => name)
        .join(' ')
    } finally {
      db.close()
    }
  }
  const copies = (): string[] => places.map(copied)

  it('is short enough to read', async () => {
    assert.ok((await readFile(file, 'utf8')).split('\n').length <= 151)
  })

  it('is connected by two owners, and keeps both copies true', async () => {
    const [one, other] = places as [Place, Place]
    await add(one, 'Maya')
    await add(other, 'Ada')
    assert.equal(await connect(one), 'harbour-light is connected.')
    assert.equal(await connect(other), 'old-mill is connected.')
    await app.until(() => copies().join() === 'Maya,Ada')
    await add(one, 'Ines')
    await add(other, 'Bo')
    await app.until(() => copies().join() === 'Maya Ines,Ada Bo')
  })

  it('goes on with the new key when a venue connects it again', async () => {
    const [one] = places as [Place]
    assert.equal(await connect(one), 'harbour-light is connected.')
    await add(one, 'Noor')
    await app.until(() => copies().join() === 'Maya Ines Noor,Ada Bo')
  })

  it('outlives a request that makes no sense', async () => {
    assert.ok((await (await fetch(`${url}//`)).text()).includes('harbour-light: connected'))
    assert.ok((await (await fetch(url)).text()).includes('harbour-light: connected'))
  })

  it('learns that one venue removed it, drops that copy, and keeps the other true', async () => {
    const [one, other] = places as [Place, Place]
    const office = await other.owner.get('/office/integrations')
    const [remove = ''] = /\/office\/integrations\/apps\/\d+\/remove/.exec(office.html) ?? []
    assert.equal((await other.owner.post(remove)).status, 303)
    await add(other, 'Gone')
    await app.until(async () => (await (await fetch(url)).text()).includes('old-mill: removed-by-venue'))
    assert.equal(copied(other), '')
    await add(one, 'Rosa')
    await app.until(() => copied(one) === 'Maya Ines Noor Rosa')
  })

  it('goes on when a venue connects it again after it lost its key', async () => {
    const [one] = places as [Place]
    await app.stop()
    const db = new DatabaseSync(join(folder, 'many.db'))
    db.exec("update install set key = 'service_sk_lost' where slug = 'harbour-light'")
    db.close()
    await startApp()
    await app.until(async () => (await (await fetch(url)).text()).includes('harbour-light: unknown'))
    assert.equal(await connect(one), 'harbour-light is connected.')
    await app.until(() => copied(one) === 'Maya Ines Noor Rosa')
  })

  it('outlives a service that does not answer', async () => {
    const sent = await fetch(`${url}/connect`, { redirect: 'manual' })
    const state = new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? ''
    await service.stop()
    const back = new URLSearchParams({ state, code: 'a code', iss: service.url })
    const headers = { cookie: `asked=${state}` }
    assert.equal((await fetch(`${url}/callback?${back.toString()}`, { headers })).status, 500)
    assert.ok((await (await fetch(url)).text()).includes('harbour-light: connected'))
  })
})
