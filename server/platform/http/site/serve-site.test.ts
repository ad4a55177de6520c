import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { posix } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { publishedVector, sampleDelivery } from '@venue-data/contract/webhooks/delivery.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { edgeReasons, problemTypes, reasons } from '@venue-data/contract/reasons.ts'
import type { FastifyInstance } from 'fastify'
import { DomUtils, parseDocument } from 'htmlparser2'
import { pino } from 'pino'
import { patience } from '../../../test/database.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { sliceOf } from '../openapi/openapi-slice.ts'
import { answerUnknown, httpServer } from '../server.ts'
import { pagePaths } from '../reference/places.ts'
import { codeOf, recipes, withRecipes } from '../reference/recipes.ts'
import { anchorOf } from '../reference/words.ts'
import { alsoCalled } from './also-called.ts'
import { guideFiles, takenAlong, takenPath } from './guides.ts'
import { serveSite } from './serve-site.ts'

describe('the documentation', () => {
  let app: FastifyInstance
  let url: string
  /** Every page by its path, from the contents of the first page. */
  let pages: ReadonlyMap<string, string>
  const textAt = async (path: string): Promise<string> => {
    const answer = await fetch(url + path)
    assert.equal(answer.status, 200, path)
    return answer.text()
  }
  const pageAt = (path: string): string => {
    const page = pages.get(path)
    assert.ok(page !== undefined, path)
    return page
  }
  before(async () => {
    app = httpServer(pino({ level: 'silent' }), { patience })
    answerUnknown(app, serveSite(app, 'https://api.example.com/'))
    await app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const [, contents = ''] = /<nav class="side"[^>]*>([^]*?)<\/nav>/.exec(await textAt('/docs')) ?? []
    const paths = new Set(hrefsIn(contents).map((href) => href.replace(/#.*/, '')))
    pages = new Map(await Promise.all([...paths].map(async (path) => [path, await textAt(path)] as const)))
  })
  after(() => app.close())

  it('serves the OpenAPI document without a key, as JSON that is not stored', async () => {
    const answer = await fetch(`${url}/api/v1/openapi.json`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await answer.json(), JSON.parse(JSON.stringify(openApiDocument())))
  })

  it('serves the part of the document of one tag, and refuses a tag that there is not', async () => {
    const answer = await fetch(`${url}/api/v1/openapi.json?tag=tasks`)
    assert.equal(answer.status, 200)
    assert.deepEqual(await answer.json(), JSON.parse(JSON.stringify(sliceOf(openApiDocument(), 'Tasks'))))
    for (const wrong of ['tag=', 'tag=tasks&tag=guests']) {
      assert.equal((await fetch(`${url}/api/v1/openapi.json?${wrong}`)).status, 400, wrong)
    }
    const refused = await fetch(`${url}/api/v1/openapi.json?tag=__proto__`)
    assert.equal(refused.status, 400)
    assert.match(((await refused.json()) as { error: string }).error, /^tag must be one of/)
  })

  const addresses = [
    '/api/v1/openapi.json',
    '/api/v1/changelog',
    '/docs',
    '/docs/',
    '/docs/errors',
    '/docs/reference/reservations',
    '/docs/guides/webhooks',
    '/docs/changelog.atom',
    '/docs/site.css',
    '/docs/search.json',
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
    assert.match(map, /practice instance .*\n.*: https:\/\/api\.example\.com\/docs\/guides\/practice\n/)
    const links = [...map.matchAll(/\]\(https:\/\/api\.example\.com(\/[^)]*)\)/g)].map(
      ([, link]) => link as string,
    )
    assert.match(map, /\nEach address begins with https:\/\/api\.example\.com\/api\/v1\.\n/)
    for (const { method, path, summary } of Object.values(endpoints)) {
      const [, below = ''] = path.split('/api/v1')
      assert.ok(map.includes(`\n  - ${method} ${below}: ${summary}\n`), path)
    }
    for (const link of ['/api/v1/openapi.json', ...pages.keys()]) assert.ok(links.includes(link), link)
    for (const link of links) {
      assert.equal((await fetch(url + link, { method: 'HEAD' })).status, 200, link)
    }
  })

  it('is Markdown for programs: each page at its address with .md, and for those that name the form', async () => {
    for (const [path, page] of pages) {
      const answer = await fetch(`${url}${path}.md`)
      assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8', path)
      const text = await answer.text()
      const [, title = ''] = /<h1[^>]*>([^]*?)<\/h1>/.exec(page) ?? []
      assert.ok(text.startsWith(`# ${title.replaceAll('&#39;', "'")}\n`), `${path}: ${text.slice(0, 80)}`)
      const asked = await fetch(url + path, { headers: { accept: 'text/markdown, text/html, */*' } })
      assert.equal(await asked.text(), text)
      assert.match(asked.headers.get('vary') ?? '', /^accept, accept-encoding$/)
      assert.ok(page.includes(`<link rel="alternate" type="text/markdown" href="${path}.md" />`), path)
    }
    for (const accept of ['text/html, text/markdown;q=0.5', 'text/*', 'text/markdown;q=0']) {
      const answer = await fetch(`${url}/docs`, { headers: { accept } })
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8', accept)
    }
  })

  it('says in Markdown what its pages say: every endpoint, field, refusal and sample, and every link leads somewhere', async () => {
    const whole = await textAt('/llms-full.txt')
    for (const path of pages.keys()) assert.ok(whole.includes(await textAt(`${path}.md`)), path)
    const words = (text: string) => new Set(text.match(/[\p{L}\p{N}]{2,}/gu))
    const all = words(whole)
    for (const [path, page] of pages) {
      const [, body = ''] = /<\/details>([^]*)<nav class="onward"/.exec(page) ?? []
      const document = parseDocument(
        body.replaceAll(/<fieldset>[^]*?<\/fieldset>/g, '').replaceAll('<', ' <'),
      )
      const lost = [...words(DomUtils.textContent(document))].filter((word) => !all.has(word))
      assert.deepEqual(lost, [], path)
    }
    const links = new Set(
      [...whole.matchAll(/\]\(https:\/\/api\.example\.com(\/[^)#]*)/g)].map(([, link]) => link as string),
    )
    assert.ok(links.size > pages.size)
    for (const link of links) assert.equal((await fetch(url + link, { method: 'HEAD' })).status, 200, link)
  })

  it('shows names and code as such: in Markdown letter by letter, also in tables, and on pages without their marks', async () => {
    for (const [path, page] of pages) {
      const [, body = ''] = /<\/details>([^]*)<nav class="onward"/.exec(page) ?? []
      const document = parseDocument(body)
      const named = (tag: string) => DomUtils.findAll(({ name }) => name === tag, document.children)
      for (const block of named('pre')) DomUtils.removeElement(block)
      const codes = named('code')
      const markdown = await textAt(`${path}.md`)
      const lost = codes
        .map((one) => DomUtils.textContent(one).trim())
        .filter((text) => !text.includes('`') && !text.includes('\n'))
        .filter(
          (text) => !markdown.includes(text.replaceAll('|', String.raw`\|`)) && !markdown.includes(text),
        )
      assert.deepEqual([...new Set(lost)], [], path)
      for (const one of codes) DomUtils.removeElement(one)
      const shown = DomUtils.textContent(document)
      assert.deepEqual(shown.match(/.{0,40}`[^`\n]{1,60}`/g), null, path)
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

  it('does not answer a URL that only looks like one of its own', async () => {
    for (const path of ['/api/v1/openapiXjson', '/docs/nothing', '/docs/..%2f..%2fpackage.json']) {
      const answer = await fetch(url + path, { method: 'POST' })
      assert.equal(answer.status, 404, path)
      assert.deepEqual(Object.keys((await answer.json()) as object), ['error'])
    }
  })

  it('is HTML under a policy that allows nothing from other origins', async () => {
    assert.ok(pages.size > 30, String(pages.size))
    for (const path of [...pages.keys(), '/docs/']) {
      const answer = await fetch(url + path)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = answer.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; /)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
      assert.equal(await answer.text(), pageAt(path.replace(/\/$/, '')))
    }
    for (const [path, page] of pages) {
      assert.doesNotMatch(
        page,
        /<style|<script>| style="| on[a-z]+="|(?:src|href)="(?:https?:)?\/\/api/,
        path,
      )
      assert.equal([...page.matchAll(/<h1/g)].length, 1, path)
    }
  })

  it('answers 304 to a reader that already has a page or file', async () => {
    for (const path of [...pages.keys(), ...filesOf(pageAt('/docs'))]) {
      const first = await fetch(url + path)
      assert.equal(first.status, 200, path)
      assert.ok((await first.text()).length > 0)
      const again = await fetch(url + path, {
        headers: { 'if-none-match': first.headers.get('etag') as string },
      })
      assert.deepEqual([again.status, await again.text()], [304, ''])
    }
  })

  it('names its assets by a content hash, to be cached forever', async () => {
    const files = filesOf(pageAt('/docs'))
    assert.deepEqual(files.map((file) => file.replace(/=.*/, '')).toSorted(), [
      '/docs/find.js?v',
      '/docs/search.json?v',
      '/docs/site.css?v',
      '/docs/site.js?v',
    ])
    for (const file of files) {
      const answer = await fetch(url + file)
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable', file)
      assert.ok(answer.headers.get('etag')?.includes(file.replace(/.*=/, '')), file)
    }
  })

  it('is light: no page with its assets comes near the 60 KB of the former single page', async () => {
    const sizeOf = async (path: string) => (await wireOf(url + path, 'br')).body.length
    const loaded = await Promise.all(['/docs/site.css', '/docs/site.js'].map(sizeOf))
    for (const path of pages.keys()) {
      const bytes = loaded.reduce((sum, size) => sum + size, await sizeOf(path))
      assert.ok(bytes < 40_000, `${path}: ${bytes} bytes`)
    }
  })

  it('compresses the page and the document for clients that accept it, and only for them', async () => {
    for (const path of ['/docs', '/api/v1/openapi.json']) {
      const whole = await fetch(url + path, { headers: { 'accept-encoding': 'identity, br;q=0' } })
      assert.equal(whole.headers.get('content-encoding'), null)
      const text = await whole.text()
      for (const way of ['br', 'gzip']) {
        const answer = await wireOf(`${url}${path}`, way)
        assert.equal(answer.headers['content-encoding'], way)
        assert.equal(answer.headers.vary, path === '/docs' ? 'accept, accept-encoding' : 'accept-encoding')
        assert.ok(answer.body.length < text.length / 4, `${path} ${way}: ${answer.body.length} bytes`)
        const unpacked = way === 'br' ? brotliDecompressSync(answer.body) : gunzipSync(answer.body)
        assert.equal(unpacked.toString(), text)
      }
    }
  })

  it('has no link that leads nowhere, and no anchor twice on a page', async () => {
    const broken: string[] = []
    for (const [path, page] of pages) {
      const ids = idsIn(page)
      assert.equal(new Set(ids).size, ids.length, `${path}: an anchor is there once`)
      for (const href of hrefsIn(page)) {
        const { pathname, hash, origin } = new URL(href, `${url}${path}`)
        if (origin !== url) continue
        const there = pages.get(pathname)
        if (there === undefined) assert.equal((await fetch(url + pathname)).status, 200, `${path}: ${href}`)
        const id = decodeURIComponent(hash.slice(1))
        if (id !== '' && there !== undefined && !idsIn(there).includes(id)) broken.push(`${path}: ${href}`)
      }
    }
    assert.deepEqual(broken, [])
  })

  it('still has every anchor of the former single page, and each leads to what it named', () => {
    const front = pageAt('/docs')
    const chapters =
      'introduction authentication requests lists idempotency rate-limit versioning errors problem-form receiving verifying retrying keeping-a-copy events event-samples records segment reasons'
    const anchors = [
      ...chapters.split(' '),
      ...Object.keys(groups).map((group) => `group-${anchorOf(group)}`),
      ...Object.values(endpoints).map(({ id }) => anchorOf(id)),
      ...records.map((record) => `record-${anchorOf((record as { $id?: string }).$id as string)}`),
      ...Object.keys(events).map((name) => `event-${name}`),
      ...Object.keys(reasons).map((reason) => `reason-${reason}`),
      ...Object.keys(problemTypes),
    ]
    for (const anchor of anchors) {
      const [, href = ''] = new RegExp(`<a id="${RegExp.escape(anchor)}" href="([^"]+)"`).exec(front) ?? []
      const [path = '', place] = href.split('#')
      assert.ok(pages.has(path) && path !== '/docs', anchor)
      assert.ok(place === undefined || idsIn(pageAt(path)).includes(place), `${anchor} leads to ${href}`)
    }
  })

  it('explains every problem type and reason where the problem types point', () => {
    const ids = idsIn(pageAt(pagePaths.errors))
    for (const anchor of [
      ...Object.keys(problemTypes),
      ...Object.keys(reasons).map((reason) => `reason-${reason}`),
    ]) {
      assert.ok(ids.includes(anchor), anchor)
    }
  })

  it('explains how to verify a signature, with the tested programs and a test vector', () => {
    const told = seen(pageAt('/docs/guides/webhooks'))
    for (const recipe of recipes) assert.ok(told.includes(codeOf(recipe).trimEnd()), recipe.file)
    for (const value of Object.values(publishedVector)) assert.ok(told.includes(String(value)), String(value))
  })

  it('explains when a delivery is retried and when it ends: the schedule, 48 hours, 20 failures, 410', () => {
    const page = pageAt(pagePaths.events)
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

  it('explains each status that an endpoint may return', () => {
    const told = wordsOf(pageAt(pagePaths.errors), 'errors')
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
      assert.ok(wordsOf(pageAt(pagePaths.events), `event-${event}`).includes(sample), event)
    }
  })

  it('explains how to keep a copy in sync, and what lists and webhooks leave out', () => {
    const told = seen(pageAt('/docs/guides/keep-a-copy')).replaceAll(/\s+/g, ' ')
    for (const words of [
      'Ask without after, then with next while more is true',
      'since a few minutes before the newest createdAt you have',
      'with limit=100 and follow Link to its end',
      'unless yours has a higher revision',
      'load the lists again as in the second step',
      'updatedSince leaves out',
      'a record that is deleted, merged or erased just stops appearing in lists and finds',
    ]) {
      assert.ok(told.includes(words), words)
    }
  })

  it('keeps docs/webhooks.md from losing a recipe', () => {
    assert.throws(() => withRecipes('# Receiving webhooks\n'), /No place for verify\.js/)
  })

  it('shows how to call each endpoint at the service’s own URL', () => {
    for (const { path, group } of Object.values(endpoints)) {
      const page = pageAt(`/docs/reference/${anchorOf(group)}`)
      assert.ok(page.includes(`https://api.example.com${path.replaceAll(/\{(\w+)\}/g, '$$$1')}`), path)
    }
    assert.ok(seen(pageAt('/docs')).includes('$ API=https://api.example.com/api/v1\n'))
  })

  it('finds every endpoint, event and reason by its name, and by what a person would type', async () => {
    const index = JSON.parse(await textAt('/docs/search.json')) as unknown
    const { find } = (await import(new URL('../assets/find.js', import.meta.url).href)) as {
      find: (index: unknown, asked: string) => readonly { title: string; address: string }[]
    }
    const addressesFor = (asked: string) => find(index, asked).map(({ address }) => address)
    for (const { id, group, method, path } of Object.values(endpoints)) {
      const address = `/docs/reference/${anchorOf(group)}#${anchorOf(id)}`
      assert.equal(addressesFor(`${method} ${path.replace('/api/v1', '')}`)[0], address)
    }
    for (const event of eventNames) assert.equal(addressesFor(event)[0], `/docs/events#event-${event}`)
    for (const reason of Object.keys(reasons)) {
      assert.equal(addressesFor(reason)[0], `/docs/errors#reason-${reason}`)
    }
    for (const reason of Object.keys(edgeReasons)) {
      assert.match(addressesFor(reason)[0] ?? '', /^\/docs\/errors#/, reason)
    }
    for (const [asked, address] of [
      ['cancel a reservation', '/docs/reference/reservations#cancel-reservation'],
      ['verify signature', '/docs/guides/webhooks#verifying'],
      ['go live', '/docs/guides/go-live'],
      ['rate limit', '/docs/reference/conventions#rate-limit'],
      ['ids of your own', '/docs/guides/api#ids-of-your-own'],
      ['idempotency', '/docs/reference/conventions#idempotency'],
      ['pagination', '/docs/reference/conventions#lists'],
      ['cancel booking', '/docs/reference/reservations#cancel-reservation'],
      ['webhook signature', '/docs/guides/webhooks#verifying'],
      ['delete a guest', '/docs/reference/erasures'],
      ['python', '/docs/tools/sdk-python'],
      ['externalid', '/docs/reference/reservations#create-reservation'],
    ] as const) {
      assert.ok(
        addressesFor(asked).slice(0, 4).includes(address),
        `${asked}: ${addressesFor(asked).join(' ')}`,
      )
    }
    assert.deepEqual(addressesFor('zzz'), [])
    assert.deepEqual(addressesFor(' '), [])
    for (const [, , address] of index as readonly (readonly string[])[]) {
      const [path = '', id] = (address as string).split('#')
      assert.ok(id === undefined ? pages.has(path) : idsIn(pageAt(path)).includes(id), String(address))
    }
    const known = new Set((index as readonly (readonly string[])[]).map(([, , address]) => address))
    for (const address of Object.keys(alsoCalled)) assert.ok(known.has(address), address)
  })

  it('ships every file it shows in the service’s image', () => {
    const image = readFileSync(new URL('../../../../Dockerfile', import.meta.url), 'utf8')
    const copied = [...image.matchAll(/^COPY (\S+) /gm)].map(([, path]) => path as string)
    for (const file of [
      ...Object.values(guideFiles).flatMap((files) => files.map(({ file }) => file)),
      ...takenAlong,
    ])
      assert.ok(
        copied.some((path) => file === path || file.startsWith(`${path}/`)),
        file,
      )
  })

  it('serves the files that guides link to and no package has, as they are in the repository', async () => {
    const linked = new Set([...pages.values()].flatMap(hrefsIn))
    for (const file of takenAlong) {
      assert.ok(linked.has(takenPath(file)), file)
      assert.equal(
        await textAt(takenPath(file)),
        readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8'),
      )
    }
  })

  it('serves every program that a page links to', () => {
    for (const { file } of Object.values(guideFiles).flat()) {
      const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')
      for (const [, href = ''] of text.matchAll(/\]\(([^)\s]+\.(?:ts|py|sql|gs))\)/g)) {
        const to = posix.join(posix.dirname(file), href)
        assert.ok(takenAlong.includes(to), `${file} links to ${to}, which is not served`)
      }
    }
  })

  it('shows packages with the reader’s own address everywhere', () => {
    for (const [path, page] of pages)
      if (path.startsWith('/docs/tools/') || path === '/docs/guides/packages')
        assert.doesNotMatch(page, /127\.0\.0\.1:8080/, path)
  })

  it('leads from where programs look for the OpenAPI document to where it is', async () => {
    const answer = await fetch(`${url}/openapi.json`, { redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, '/api/v1/openapi.json'])
  })

  it('publishes its changelog as an Atom feed, with an entry for each day and the same additions', async () => {
    const answer = await fetch(`${url}/docs/changelog.atom`)
    assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const growths = (await (await fetch(`${url}/api/v1/changelog`)).json()) as {
      date: string
      name: string
    }[]
    const days = [...new Set(growths.map(({ date }) => date))]
    const feed = parseDocument(await answer.text(), { xmlMode: true })
    const all = (name: string) => DomUtils.getElementsByTagName(name, feed)
    const textIn = (name: string) => all(name).map((one) => DomUtils.textContent(one))
    assert.equal(all('feed')[0]?.attribs['xmlns'], 'http://www.w3.org/2005/Atom')
    const page = 'https://api.example.com/docs/changelog'
    assert.deepEqual(textIn('id'), [page, ...days.map((day) => `${page}#${day}`)])
    assert.deepEqual(
      textIn('updated'),
      [days[0], ...days].map((day) => `${day}T00:00:00Z`),
    )
    assert.equal(textIn('title').length, days.length + 1)
    assert.equal(
      all('link').find(({ attribs }) => attribs['rel'] === 'self')?.attribs['href'],
      `${page}.atom`,
    )
    const said = textIn('content').join('')
    for (const { name } of growths) assert.ok(said.includes(`<code>${name}</code>`), name)
    assert.deepEqual(
      [...pageAt('/docs/changelog').matchAll(/<h2 id="([^"]+)"/g)].map(([, day]) => day),
      days,
    )
  })
})

type Paths = Record<string, { readonly responses: Readonly<Record<string, unknown>> }>

const hrefsIn = (page: string): string[] =>
  [...page.matchAll(/<(?:a|link)\b[^>]*? href="([^"]+)"/g)]
    .map(([, href]) => (href as string).replaceAll('&amp;', '&'))
    .filter((href) => !href.startsWith('data:'))

const idsIn = (page: string): string[] => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)

/** What a page loads, or may load. */
const filesOf = (page: string): string[] =>
  [...page.matchAll(/(?:href|src|data-finder|data-index)="(\/docs\/[^"]+\?v=[^"]+)"/g)].map(
    ([, name]) => name as string,
  )

/** The text a reader sees in part of a page. */
const wordsOf = (page: string, id: string): string => {
  const start = page.indexOf(`<section class="part" id="${id}"`)
  assert.ok(start >= 0, id)
  return seen(page.slice(start, page.indexOf('</section>', start)))
}

/** The words in markup. */
const seen = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** An answer's bytes as sent over the wire. */
const wireOf = (address: string, way: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': way } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(pieces) }))
    }).on('error', reject)
  })
