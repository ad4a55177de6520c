import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { weightOf } from '../accept.ts'
import { changelog } from '../changelog.ts'
import { packedOnce } from '../compression.ts'
import { changelogPath } from '../openapi/openapi-changelog.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { sliceOf } from '../openapi/openapi-slice.ts'
import { type QueryValue, onlyValue } from '../query-words.ts'
import { type Served, pageMethods, servedPages } from '../server.ts'
import { changelogFeed } from './feed.ts'
import { type Assets, framed } from './frame.ts'
import { readText, takenAlong, takenPath } from './guides.ts'
import { llmsText } from './llms-text.ts'
import { markdownPages, markdownPath } from './markdown-pages.ts'
import { type Packages, packageFiles, packagePath, packages } from './packages.ts'
import { searchIndex } from './search-index.ts'
import { shelvesOf } from './shelves.ts'

/*
 * What an integrator reads without a key: the OpenAPI document, the documentation pages, also as Markdown, and their
 * assets, the changelog, a map for language models, and the packages as files. Each text is built on first request, once per process: it depends only on
 * the contract, docs/ and the service's URL.
 */

/** Serves the site; returns the URLs it answers. `packed`: the packages, of another copy of the repository in tests. */
export const serveSite = (app: FastifyInstance, publicUrl: string, packed: Packages = packages): Served[] => {
  const site = siteFor(publicUrl.replace(/\/$/, ''))
  const paths: string[] = []
  const get = (
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    config: { readonly answerWithinSeconds?: number } = {},
  ): void => {
    app.route({ method: pageMethods('GET'), url: path, handler, config })
    paths.push(path)
  }

  get('/api/v1/openapi.json', (request, reply) => {
    const { tag } = request.query as { readonly tag?: QueryValue }
    // The one URL open to pages of any origin: OpenAPI viewers run in browsers, and it needs no key.
    const send = site.openApi(onlyValue('tag', tag))
    return send(
      request,
      reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8'),
    )
  })
  get('/openapi.json', async (_, reply) => reply.redirect('/api/v1/openapi.json', 308))
  get(changelogPath, (request, reply) =>
    site.news().send(request, reply.type('application/json; charset=utf-8')),
  )
  for (const [path, file] of site.texts) {
    get(path, (request, reply) => sendKept(request, reply, file(), 'no-cache'))
  }
  for (const [path, page] of site.pages) {
    get(
      path,
      async (request, reply) => {
        reply.header('vary', 'accept')
        return asksForMarkdown(request.headers.accept)
          ? sendKept(request, reply, await site.markdown(markdownPath(path)), 'no-cache')
          : sendKept(request, reply.headers(pageHeaders), page(), 'no-cache')
      },
      makingMarkdown,
    )
  }
  for (const path of site.markdownPaths) {
    get(
      path,
      async (request, reply) => sendKept(request, reply, await site.markdown(path), 'no-cache'),
      makingMarkdown,
    )
  }
  for (const [path, file] of site.assets) {
    // Pages reference them by hash, so a new file has a new URL.
    get(path, (request, reply) => sendKept(request, reply, file(), 'public, max-age=31536000, immutable'))
  }
  for (const file of Object.values(packageFiles)) {
    get(packagePath(file), async (request, reply) => {
      const { bytes, tag } = await packed.read(file)
      reply.headers({ 'cache-control': 'no-cache', etag: tag })
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return reply.type(packageTypes[extname(file)] as string).send(bytes)
    })
  }
  return servedPages(paths.map((path) => ({ method: 'GET', path })))
}

/** The first reader waits until every page is made. */
const makingMarkdown = { answerWithinSeconds: 30 }

/** By the end of its name, what a packed file is. */
const packageTypes: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
  '.json': 'application/json; charset=utf-8',
}

const makeSite = (baseUrl: string) => {
  const shelves = shelvesOf(baseUrl)
  const assets = new Map([
    ['/docs/site.css', once(() => kept('text/css', asset('site.css')))],
    ['/docs/site.js', once(() => kept('text/javascript', asset('site.js')))],
    ['/docs/find.js', once(() => kept('text/javascript', asset('find.js')))],
    ['/docs/search.json', once(() => kept('application/json', JSON.stringify(searchIndex(baseUrl))))],
  ])
  const addressOf = (path: string): string => `${path}?v=${assets.get(path)?.().tag}`
  const addresses = once((): Assets => ({
    stylesheet: addressOf('/docs/site.css'),
    script: addressOf('/docs/site.js'),
    finder: addressOf('/docs/find.js'),
    index: addressOf('/docs/search.json'),
  }))
  const pages = new Map(
    shelves
      .flatMap(({ pages }) => pages)
      .map((page) => [page.path, once(() => kept('text/html', framed(shelves, page, addresses())))]),
  )
  const front = pages.get('/docs')
  const markdownPaths = [...pages.keys()].map(markdownPath)
  if (front) pages.set('/docs/', front)
  return {
    assets,
    pages,
    markdownPaths: [...markdownPaths, wholePath],
    markdown: markdownOf(baseUrl),
    texts: new Map([
      ['/docs/changelog.atom', once(() => kept('application/atom+xml', changelogFeed(baseUrl)))],
      ['/llms.txt', once(() => kept('text/plain', llmsText(baseUrl)))],
      ...takenAlong.map((file) => [takenPath(file), once(() => kept('text/plain', readText(file)))] as const),
    ]),
    openApi: openApiTexts(),
    news: once(() => ({ send: packedOnce(JSON.stringify(changelog())) })),
  }
}

/** Everything there is to read, in one text. */
const wholePath = '/llms-full.txt'

/** How long it is not tried again to make what failed, in milliseconds. */
const restMs = 60_000

/** The pages as Markdown, by the path each is sent from. What could not be made is tried again, but not at every request. */
const markdownOf = (baseUrl: string): ((path: string) => Promise<Kept>) => {
  let made: Promise<ReadonlyMap<string, Kept>> | undefined
  const make = async (): Promise<ReadonlyMap<string, Kept>> => {
    const pages = await markdownPages(baseUrl)
    return new Map([
      ...[...pages].map(([path, text]) => [markdownPath(path), kept('text/markdown', text)] as const),
      [wholePath, kept('text/plain', [...pages.values()].join('\n---\n\n'))],
    ])
  }
  return async (path) => {
    if (made === undefined) {
      made = make()
      made.catch(() => setTimeout(() => (made = undefined), restMs).unref())
    }
    const page = (await made).get(path)
    // The files changed under a running process.
    if (page === undefined) throw new Error(`there is no page in Markdown for ${path}`)
    return page
  }
}

/** Whether a program would rather have Markdown; a browser never names it. */
const asksForMarkdown = (accept: string | undefined): boolean => {
  const weight = weightOf(accept, 'text/markdown')
  return weight > 0 && weight >= weightOf(accept, 'text/html')
}

/** The document, whole or the part of a tag; each is made when it is first asked for. */
const openApiTexts = () => {
  const document = once(openApiDocument)
  const texts = new Map<string | undefined, ReturnType<typeof packedOnce>>()
  return (tag: string | undefined) =>
    // An unknown tag throws, so that only the document's own are kept.
    texts.getOrInsertComputed(tag?.toLowerCase(), () =>
      packedOnce(JSON.stringify(tag === undefined ? document() : sliceOf(document(), tag))),
    )
}

const made = new Map<string, ReturnType<typeof makeSite>>()

const siteFor = (baseUrl: string): ReturnType<typeof makeSite> => made.getOrInsertComputed(baseUrl, makeSite)

/** Builds a value when it is first needed. */
const once = <T extends object>(make: () => T): (() => T) => {
  let thing: T | undefined
  return () => (thing ??= make())
}

/** Only what this service serves itself: no inline style or script, no framing, no forms. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

type Kept = {
  readonly type: string
  readonly send: ReturnType<typeof packedOnce>
  readonly tag: string
}

const kept = (type: string, text: string): Kept => ({
  type: `${type}; charset=utf-8`,
  send: packedOnce(text),
  tag: createHash('sha256').update(text).digest('base64url').slice(0, 16),
})

const asset = (name: string): string => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')

/** Sends a text, or 304 to a reader that already has it. */
const sendKept = async (
  request: FastifyRequest,
  reply: FastifyReply,
  file: Kept,
  cache: string,
): Promise<FastifyReply> => {
  // Weak: the same for the text and its compressed forms.
  const tag = `W/"${file.tag}"`
  reply.headers({ 'cache-control': cache, etag: tag })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return file.send(request, reply.type(file.type))
}
