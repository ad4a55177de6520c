import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/*
 * Pages are compressed on each response; static files and constant text are compressed once, on first request. Response
 * size leaks nothing (as in BREACH): a page never puts a secret next to a stranger's text, and the session cookie is
 * not sent with cross-site requests. API answers about a venue's records are not compressed: the contract does not
 * mention it, and most are small.
 */

/** Below this many characters compression does not help. */
const worthIt = 1_000

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Sends text, compressed if the browser accepts it. */
export const packed = async (
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> => {
  const way = text.length < worthIt ? undefined : wayFor(request)
  if (way === undefined) return reply.send(text)
  // Headers go out only with the body; if the request times out in between, its answer has none of them.
  const body = await quickly[way](text)
  return reply.headers(headersOf(way, reply)).send(body)
}

/** The same for constant text: compressed at the highest level on first request. */
export const packedOnce = (text: string) => {
  const bodies: { [W in Way]?: Promise<Buffer> } = {}
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const way = wayFor(request)
    const body = way === undefined ? text : await (bodies[way] ??= closely[way](text))
    return reply.headers(headersOf(way, reply)).send(body)
  }
}

type Way = 'br' | 'gzip'

/** At level 5 Brotli takes half as long again as at 4, a millisecond for the longest page, and saves an eighth. */
const quickly = {
  br: (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => zip(text, { level: 5 }),
} as const

/** Brotli's last two levels save another tenth but cost thirty times as much. */
const closely = {
  br: (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => zip(text, { level: 9 }),
} as const

/** An answer that also follows another header of the request says so itself. */
const headersOf = (way: Way | undefined, reply: FastifyReply) => ({
  ...(way && { 'content-encoding': way }),
  vary: [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '),
})

/** What the reader accepts, leaving out encodings refused with a weight of 0. */
const wayFor = ({ headers }: FastifyRequest): Way | undefined => {
  const accepted = headers['accept-encoding'] ?? ''
  return (['br', 'gzip'] as const).find((way) =>
    accepted
      .split(',')
      .some((one) => new RegExp(`^\\s*${way}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$)|$)`, 'i').test(one)),
  )
}
