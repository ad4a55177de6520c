import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packedOnce } from '../compression.ts'
import { openApiDocument } from '../openapi.ts'
import type { Served } from '../server.ts'
import { referencePage } from './page.ts'

/*
 * What an integrator reads without a key: the OpenAPI document, and the reference page with its stylesheet
 * and its script. All are made once, at the start.
 */

/** Serves the reference; returns the addresses it answers. */
export const serveReference = (app: FastifyInstance, baseUrl: string): Served[] => {
  const style = asset('reference.css', 'text/css')
  const script = asset('reference.js', 'text/javascript')
  const page = kept(
    'text/html',
    referencePage({ baseUrl: baseUrl.replace(/\/$/, ''), stylesheet: style.address, script: script.address }),
  )
  const openApi = packedOnce(JSON.stringify(openApiDocument()))
  const served: Served[] = []
  const get = (
    path: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    app.get(path, answer)
    served.push({ method: 'GET', path })
  }

  get('/api/v1/openapi.json', (request, reply) =>
    openApi(request, reply.type('application/json; charset=utf-8')),
  )
  for (const path of ['/docs', '/docs/']) {
    get(path, (request, reply) => sendKept(request, reply.headers(pageHeaders), page, 'no-cache'))
  }
  for (const { path, file } of [style, script]) {
    // The page names them with their hash, so a new file is a new address.
    get(path, (request, reply) => sendKept(request, reply, file, 'public, max-age=31536000, immutable'))
  }
  return served
}

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
