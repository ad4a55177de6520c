import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { publishedVector, sampleDelivery } from '@venue-data/contract/delivery.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { eventNames, events } from '@venue-data/contract/events.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { openApiDocument } from '../openapi.ts'
import { answerUnknown, httpServer } from '../server.ts'
import { codeOf, recipes, withRecipes } from './recipes.ts'
import { serveReference } from './serve-reference.ts'
import { anchorOf } from './words.ts'

describe('the published reference', () => {
  let app: FastifyInstance
  let url: string
  let page: string
  before(async () => {
    app = httpServer(pino({ level: 'silent' }))
    answerUnknown(app, serveReference(app, 'https://api.example.com/'))
    await app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    page = await (await fetch(`${url}/docs`)).text()
  })
  after(() => app.close())

  it('serves the OpenAPI document without a key, as JSON that is not stored', async () => {
    const answer = await fetch(`${url}/api/v1/openapi.json`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await answer.json(), JSON.parse(JSON.stringify(openApiDocument())))
  })

  const addresses = [
    '/api/v1/openapi.json',
    '/api/v1/changelog',
    '/docs',
    '/docs/',
    '/docs/errors',
    '/docs/reference.css',
    '/llms.txt',
  ]

  it('answers HEAD like GET without the body, and every other method with 405 and Allow', async () => {
    for (const path of addresses) {
      const whole = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
      const head = await fetch(url + path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
      assert.deepEqual([head.status, await head.text()], [200, ''], path)
      const told = ({ headers }: Response) =>
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name))
      assert.deepEqual(told(head), told(whole), path)
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(await whole.text())))
      for (const method of ['OPTIONS', 'POST', 'PUT', 'DELETE']) {
        const answer = await fetch(url + path, { method })
        assert.deepEqual(
          [answer.status, answer.headers.get('allow')],
          [405, 'GET, HEAD'],
          `${method} ${path}`,
        )
        assert.equal(
          ((await answer.json()) as { error: string }).error,
          'This address takes only GET and HEAD.',
        )
      }
    }
  })

  it('lets pages of any site read the OpenAPI document, and nothing else', async () => {
    const headers = { origin: 'https://viewer.example.com' }
    for (const method of ['GET', 'HEAD']) {
      for (const path of addresses) {
        const answer = await fetch(url + path, { method, headers })
        const isDocument = path === '/api/v1/openapi.json'
        assert.equal(answer.headers.get('access-control-allow-origin'), isDocument ? '*' : null, path)
        assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      }
    }
    const refused = await fetch(`${url}/api/v1/openapi.json`, { method: 'POST', headers })
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
  })

  it('is mapped for language models at /llms.txt: plain, short, and every link on it leads somewhere', async () => {
    const answer = await fetch(`${url}/llms.txt`)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    const map = await answer.text()
    assert.match(map, /^# Venue Data API\n\n> /)
    assert.ok(map.length < 10_000, String(map.length))
    const links = [...map.matchAll(/\]\(https:\/\/api\.example\.com(\/[^)]*)\)/g)].map(
      ([, link]) => link as string,
    )
    for (const { id, method, path, summary } of Object.values(endpoints)) {
      assert.ok(
        map.includes(`[${method} ${path}](https://api.example.com/docs#${anchorOf(id)}): ${summary}`),
        id,
      )
    }
    for (const link of ['/api/v1/openapi.json', '/docs', '/docs#errors', '/docs#reasons', '/docs#events'])
      assert.ok(links.includes(link), link)
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const link of links) {
      const [path, anchor] = link.split('#')
      assert.equal((await fetch(`${url}${path}`, { method: 'HEAD' })).status, 200, link)
      assert.ok(anchor === undefined || ids.has(anchor), link)
    }
  })

  it('is named at the root of the API, where there is nothing', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      for (const path of ['/api/v1', '/api/v1/']) {
        const answer = await fetch(url + path, { method })
        assert.equal(answer.status, 404)
        assert.deepEqual(await answer.json(), {
          error: 'There is nothing at this address itself; the documentation of the API is at /docs.',
        })
      }
    }
    assert.equal(
      ((await (await fetch(`${url}/api/v1/nothing`)).json()) as { error: string }).error,
      'There is nothing at this address.',
    )
  })

  it('knows no address that only looks like one of its own', async () => {
    for (const path of ['/api/v1/openapiXjson', '/docs/nothing', '/docs/..%2f..%2fpackage.json']) {
      const answer = await fetch(url + path, { method: 'POST' })
      assert.equal(answer.status, 404, path)
      assert.deepEqual(Object.keys((await answer.json()) as object), ['error'])
    }
  })

  it('is one page at /docs and /docs/, under a policy that lets nothing foreign in', async () => {
    for (const path of ['/docs', '/docs/']) {
      const answer = await fetch(url + path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = answer.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; /)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
      assert.equal(await answer.text(), page)
    }
    assert.doesNotMatch(page, /<style|<script>| style="| on[a-z]+="|(?:src|href)="(?:https?:)?\/\//)
  })

  it('sends a page or file once, and 304 to a reader that has it', async () => {
    const names = [...page.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, name]) => name as string)
    assert.equal(names.length, 2)
    for (const path of ['/docs', ...names]) {
      const first = await fetch(url + path)
      assert.equal(first.status, 200, path)
      assert.ok((await first.text()).length > 0)
      const again = await fetch(url + path, {
        headers: { 'if-none-match': first.headers.get('etag') as string },
      })
      assert.deepEqual([again.status, await again.text()], [304, ''])
    }
  })

  it('sends the page and the document packed to those who can unpack, and as they are to others', async () => {
    for (const path of ['/docs', '/api/v1/openapi.json']) {
      const whole = await fetch(url + path, { headers: { 'accept-encoding': 'identity, br;q=0' } })
      assert.equal(whole.headers.get('content-encoding'), null)
      const text = await whole.text()
      for (const way of ['br', 'gzip']) {
        const answer = await wireOf(`${url}${path}`, way)
        assert.equal(answer.headers['content-encoding'], way)
        assert.equal(answer.headers.vary, 'accept-encoding')
        assert.ok(answer.body.length < text.length / 4, `${path} ${way}: ${answer.body.length} bytes`)
        const unpacked = way === 'br' ? brotliDecompressSync(answer.body) : gunzipSync(answer.body)
        assert.equal(unpacked.toString(), text)
      }
    }
  })

  it('has a place for every endpoint, record, event and reason, and every link on it leads somewhere', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
    assert.equal(new Set(ids).size, ids.length, 'an anchor is there once')
    const wanted = [
      ...Object.values(endpoints).map(({ id }) => anchorOf(id)),
      ...records.map((record) => `record-${anchorOf((record as { $id?: string }).$id as string)}`),
      ...Object.keys(events).map((name) => `event-${name}`),
      ...Object.keys(reasons).map((reason) => `reason-${reason}`),
      ...[...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id as string),
    ]
    assert.deepEqual(
      wanted.filter((id) => !ids.includes(id)),
      [],
    )
  })

  it('tells how to verify a signature, with the programs that are tested and the vector to try them on', () => {
    const told = wordsOf(page, 'verifying')
    assert.deepEqual(
      recipes.map(({ language }) => language),
      ['JavaScript (Node)', 'Python', 'PHP'],
    )
    for (const recipe of recipes) assert.ok(told.includes(codeOf(recipe).trimEnd()), recipe.file)
    for (const value of Object.values(publishedVector)) assert.ok(told.includes(String(value)), String(value))
  })

  it('tells when a delivery is tried again and when it ends: the schedule, 48 hours, 20 failures, 410', () => {
    const told = wordsOf(page, 'retrying')
    assert.match(told, /after 1, 5, 15 and 60 minutes, then 3, 6, 12 and 24 hours: 9 attempts in all/)
    assert.match(told, /48 hours\. No attempt starts later than that/)
    assert.match(told, /20 failures in a row/)
    assert.match(told, /Answer 410 to get nothing more: the endpoint is switched off at once/)
    const rows = [...page.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell),
    )
    assert.deepEqual(rows.slice(1), [
      ['1', 'at once', ''],
      ['2', '1 min', '1 min'],
      ['3', '5 min', '6 min'],
      ['4', '15 min', '21 min'],
      ['5', '1 h', '1 h 21 min'],
      ['6', '3 h', '4 h 21 min'],
      ['7', '6 h', '10 h 21 min'],
      ['8', '12 h', '22 h 21 min'],
      ['9', '24 h', '46 h 21 min'],
    ])
  })

  it('tells what each status means that an endpoint may answer', () => {
    const told = wordsOf(page, 'errors')
    const statuses = Object.values(openApiDocument()['paths'] as Record<string, Paths>)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.keys(responses))
      .filter((status) => Number(status) >= 400)
    for (const status of new Set([...statuses, '405']))
      assert.match(told, new RegExp(`^\\s*${status}\\s+\\S[^]*?Try again\\?`, 'm'), status)
  })

  it('shows each event with a delivery as it is sent', () => {
    for (const event of eventNames) {
      const sample = JSON.stringify(JSON.parse(sampleDelivery(event)), null, 2)
      assert.ok(wordsOf(page, `event-${event}`).includes(sample), event)
    }
  })

  it('tells how to keep a copy in sync, and what version 1 leaves out', () => {
    const told = wordsOf(page, 'keeping-a-copy').replaceAll(/\s+/g, ' ')
    for (const words of [
      'Ask without after, then with next while more is true',
      'since a few minutes before the newest createdAt you have',
      'with limit=100 and follow Link to its end',
      'with the delivery’s occurredAt, unless your copy is from a later moment',
      'Treat what a list returns as of the moment you called, minus a minute',
      'and this time do not skip what you have',
      'ask the lists with updatedSince',
      'Merges and erasures send no event, and few deletions do',
    ]) {
      assert.ok(told.includes(words), words)
    }
  })

  it('keeps docs/webhooks.md from losing a recipe', () => {
    assert.throws(() => withRecipes('# Receiving webhooks\n'), /No place for verify\.js/)
  })

  it('shows how to call each endpoint at the address it is served at', () => {
    for (const { path } of Object.values(endpoints)) {
      assert.ok(page.includes(`https://api.example.com${path.replaceAll(/\{(\w+)\}/g, '$$$1')}`), path)
    }
  })
})

type Paths = Record<string, { readonly responses: Readonly<Record<string, unknown>> }>

/** What a reader sees of a part of the page. */
const wordsOf = (page: string, id: string): string => {
  const start = page.indexOf(`<section class="part" id="${id}"`)
  const from = start >= 0 ? start : page.indexOf(`<section class="part wide" id="${id}"`)
  assert.ok(from >= 0, id)
  return page
    .slice(from, page.indexOf('</section>', from))
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** An answer's bytes as they came over the wire. */
const wireOf = (address: string, way: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': way } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(pieces) }))
    }).on('error', reject)
  })
