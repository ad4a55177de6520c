import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changelog } from '../changelog.ts'
import { packedOnce } from '../compression.ts'
import { openApiDocument } from '../openapi.ts'
import { type Served, pageMethods, servedPages } from '../server.ts'
import { llmsText } from './llms-text.ts'
import { referencePage } from './page.ts'

/*
 * What an integrator reads without a key: the OpenAPI document, the reference page with its stylesheet and its
 * script, and a map of both for language models. All are made once, at the start.
 */

/** Serves the reference; returns the addresses it answers. */
export const serveReference = (app: FastifyInstance, publicUrl: string): Served[] => {
  const { style, script, page, openApi, news, map } = textsFor(publicUrl.replace(/\/$/, ''))
  const paths: string[] = []
  const get = (
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    app.route({ method: pageMethods('GET'), url: path, handler })
    paths.push(path)
  }

  get('/api/v1/openapi.json', (request, reply) =>
    // The one address that a page of any site may read: viewers of OpenAPI run in browsers, and there is no key to it.
    openApi(
      request,
      reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8'),
    ),
  )
  get('/api/v1/changelog', (request, reply) => news(request, reply.type('application/json; charset=utf-8')))
  get('/llms.txt', (request, reply) => sendKept(request, reply, map, 'no-cache'))
  // The types of problems lead to /docs/errors, and to their place there.
  for (const path of ['/docs', '/docs/', '/docs/errors']) {
    get(path, (request, reply) => sendKept(request, reply.headers(pageHeaders), page, 'no-cache'))
  }
  for (const { path, file } of [style, script]) {
    // The page names them with their hash, so a new file is a new address.
    get(path, (request, reply) => sendKept(request, reply, file, 'public, max-age=31536000, immutable'))
  }
  return servedPages(paths.map((path) => ({ method: 'GET', path })))
}

const makeTexts = (baseUrl: string) => {
  const style = asset('reference.css', 'text/css')
  const script = asset('reference.js', 'text/javascript')
  const page = referencePage({ baseUrl, stylesheet: style.address, script: script.address })
  return {
    style,
    script,
    page: kept('text/html', page),
    openApi: packedOnce(JSON.stringify(openApiDocument())),
    news: packedOnce(JSON.stringify(changelog())),
    map: kept('text/plain', llmsText(baseUrl)),
  }
}

const made = new Map<string, ReturnType<typeof makeTexts>>()

/** Made once in a process: they follow from the contract and the address alone, and take a third of a second. */
const textsFor = (baseUrl: string): ReturnType<typeof makeTexts> =>
  made.getOrInsertComputed(baseUrl, makeTexts)

/** Only what this service itself serves: no inline style or script, no frame around it, no form. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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

const asset = (name: string, type: string): { path: string; address: string; file: Kept } => {
  const file = kept(type, readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8'))
  const path = `/docs/${name}`
  return { path, address: `${path}?v=${file.tag}`, file }
}

/** Sends a text, or 304 to a reader that has it already. */
const sendKept = async (
  request: FastifyRequest,
  reply: FastifyReply,
  file: Kept,
  cache: string,
): Promise<FastifyReply> => {
  // Weak: the same for the text and what it is packed as.
  const tag = `W/"${file.tag}"`
  reply.headers({ 'cache-control': cache, etag: tag })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return file.send(request, reply.type(file.type))
}
