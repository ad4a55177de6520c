import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { runPython, whyNoPython } from '../../../sdk-python/test/python.ts'
import { curl } from '../../platform/http/reference/curl.ts'
import { python } from '../../platform/http/reference/python.ts'
import { typescript } from '../../platform/http/reference/typescript.ts'
import { setGuestPages } from '../guest.ts'
import { setRules } from '../open-rules.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type TestService, type TestVenue, startService, withEveryScope } from '../service.ts'

/*
 * The calls that the reference shows for each endpoint, exactly as printed: a shell reads them, and what it would give
 * curl is sent to a real service.
 */

const rows: readonly Endpoint[] = Object.values(endpoints)

/** What a shell makes of each: the arguments of curl, in JSON so that each can be separated from the next. */
const read = async (snippets: readonly string[]): Promise<readonly (readonly string[])[]> => {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${snippets.join('\n')}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: { API_KEY: '$API_KEY', id: '$id', deliveryId: '$deliveryId' },
    maxBuffer: 1_000_000,
  })
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1))
}

/** A request as curl makes it of its arguments. */
const requestOf = (given: readonly string[]) => {
  const headers = new Map<string, string>()
  let method: string | undefined
  let path = ''
  let body: string | undefined
  for (let at = 0; at < given.length; at++) {
    const word = given[at] as string
    if (word === '-X') method = given[++at]
    else if (word === '--json') body = given[++at]
    else if (word === '-H') {
      const [name = '', value = ''] = (given[++at] as string).split(': ')
      headers.set(name.toLowerCase(), value)
    } else path = word
  }
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), path, headers, body }
}

describe('the calls of the reference', () => {
  let service: TestService
  let venue: TestVenue
  let receiver: Receiver
  let folder: string
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    receiver = await startReceiver()
    folder = await mkdtemp(join(tmpdir(), 'venue-data-snippets-'))
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
    await rm(folder, { recursive: true })
  })
  beforeEach(async () => {
    venue = await withEveryScope(await service.venue())
    await setRules(service, venue)
    await setGuestPages(service, venue, { frameSites: ['https://www.example.com'] })
  })

  it('in curl are read by a shell as the endpoint’s method and address, with the key and what else it needs', async () => {
    const requests = (await read(rows.map((row) => curl('', row)))).map(requestOf)
    assert.equal(requests.length, rows.length)
    for (const [at, row] of rows.entries()) {
      const { method, path, headers, body } = requests[at] as (typeof requests)[number]
      assert.equal(method, row.method, row.id)
      assert.equal(path.split('?')[0], row.path.replaceAll(/\{(\w+)\}/g, '$$$1'))
      assert.equal(headers.get('x-service-key'), '$API_KEY')
      assert.equal(headers.has('idempotency-key'), row.idempotency !== undefined, row.id)
      assert.equal(headers.has('if-match'), row.precondition === 'required', row.id)
      assert.equal(body === undefined, row.body === undefined, row.id)
      if (body !== undefined) JSON.parse(body)
    }
  })

  it('in curl are understood and done by the service, but for what an empty venue has not', async () => {
    const requests = (await read(rows.map((row) => curl('', row)))).map(requestOf)
    const answers: Record<string, number> = {}
    /** What was made last below an address. */
    const made = new Map<string, string>()
    const order = rows
      .map((row, at) => ({ row, at }))
      .toSorted((one, other) => rank(one.row) - rank(other.row))
    for (const { row, at } of order) {
      const { method, path, headers, body } = requests[at] as (typeof requests)[number]
      const collection = row.path.split('/')[3] as string
      const { status, body: reply } = await service.call(
        method,
        path.replace('$id', made.get(collection) ?? '1').replace('$deliveryId', '1'),
        {
          key: venue.key,
          headers: Object.fromEntries([...headers].filter(([name]) => name !== 'x-service-key')),
          ...(body !== undefined && {
            body: body.replace('https://hooks.example.com/bookings', receiver.url),
          }),
        },
      )
      answers[row.id] = status
      if (row.id === 'dryRun') assert.equal(reply.wouldAnswer.status, 201)
      const record = [reply, ...Object.values(reply as object)].find((one) => one?.id !== undefined)
      if (method === 'POST' && !row.path.includes('{') && status < 300 && record)
        made.set(collection, String(record.id))
    }
    assert.deepEqual(Object.fromEntries(Object.entries(answers).filter(([, status]) => status >= 300)), {
      // The owner has not allowed it.
      rotateKey: 403,
      // The cursor of the example is another venue's.
      digestChanges: 410,
      // Nothing is on sale, so nothing was ordered.
      createTicketOrder: 404,
      getTicketOrder: 404,
      cancelTicketOrder: 404,
      requestRefund: 404,
      createCheckout: 404,
      getCheckout: 404,
      expireCheckout: 404,
      // The bodies name a campaign by an id of the example.
      composeCampaign: 404,
      testCampaign: 404,
      sendCampaign: 404,
      cancelCampaign: 404,
      // Nothing of the kind happened yet.
      getReservationChange: 404,
      withdrawReservationChange: 404,
      confirmErasure: 404,
      getDelivery: 404,
      resendDelivery: 404,
    })
  })

  it('in Python are understood by the service, too', { skip: whyNoPython() ?? false }, async () => {
    const calls = Object.fromEntries(rows.map((row) => [row.id, python(service.url, row)]))
    await writeFile(join(folder, 'calls.json'), JSON.stringify(calls))
    await writeFile(join(folder, 'all.py'), makesAll)
    const stdout = await runPython([join(folder, 'all.py'), join(folder, 'calls.json')], {
      API_KEY: venue.key,
      // Each call has a client of its own, which would read all of the system's certificates first.
      SSL_CERT_DIR: folder,
    })
    // The owner has not allowed it, and the cursor of the example is another venue's.
    assert.deepEqual(undone(JSON.parse(stdout)), ['rotateKey', 'digestChanges'])
  })

  it('in TypeScript are all as the types of the SDK want them', async () => {
    await writeAll(folder)
    const tsc = fileURLToPath(new URL('node_modules/.bin/tsc', root))
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (failure: { stdout: string }) => failure,
    )
    assert.equal(stdout, '')
  })

  it('in TypeScript are understood by the service: only records that are not there are missed', async () => {
    // One program that makes them all, one after the other, and prints the result of each.
    const calls = rows.map((row) => {
      const body = typescript(service.url, row).replace(/^import .*$/m, '')
      return `try {${body}\ntold.${row.id} = 'done' } catch (error) { told.${row.id} = error.status ?? error }`
    })
    const program = [
      `import { VenueData } from ${JSON.stringify(sdk)}`,
      'const told = {}',
      'console.log = () => {}',
      ...calls,
      'process.stdout.write(JSON.stringify(told))',
    ]
    await writeFile(join(folder, 'all.mjs'), program.join('\n'))
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'all.mjs')], {
      env: { API_KEY: venue.key },
    })
    // The owner has not allowed it, and the cursor of the example is another venue's.
    assert.deepEqual(undone(JSON.parse(stdout)), ['rotateKey', 'digestChanges'])
  })
})

/** The calls that came to something else than success, or than a record that is not there. */
const undone = (told: Readonly<Record<string, unknown>>): string[] =>
  rows
    .filter(
      ({ id, path, namesRecord }) =>
        told[id] !== 'done' && !(told[id] === 404 && (path.includes('{') || namesRecord)),
    )
    .map(({ id }) => id)

/** A program in Python that makes every call of a file, one after the other, and prints the result of each. */
const makesAll = `
import contextlib, io, json, sys, venue_data

told = {}
for name, call in json.load(open(sys.argv[1])).items():
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(call, name, "exec"), {})
        told[name] = "done"
    except venue_data.ApiError as error:
        told[name] = error.status
print(json.dumps(told))
`

/** Each call in a file of its own, where the package of the SDK is the one of this repository. */
const writeAll = async (folder: string): Promise<void> => {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: fileURLToPath(new URL('tsconfig.json', root)),
      compilerOptions: {
        paths: { '@venue-data/sdk': [sdk] },
        typeRoots: [fileURLToPath(new URL('node_modules/@types', root))],
      },
      include: ['*.ts'],
    }),
  )
  for (const row of rows)
    await writeFile(join(folder, `${row.id}.ts`), typescript('https://api.example.com', row))
}

const root = new URL('../../../', import.meta.url)
const sdk = fileURLToPath(new URL('sdk/src/venue-data.ts', root))

/** A record is made before it is read, and goes last. */
const rank = ({ method, path }: Endpoint): number => {
  if (method === 'DELETE') return 1
  return method === 'POST' && !path.includes('{') ? -1 : 0
}
