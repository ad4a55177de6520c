import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/*
 * Pages are packed as they are sent, files beside them and texts that never change once, when somebody first asks. A
 * page never puts a secret beside words of a stranger, and the session's cookie does not travel with other sites'
 * requests, so that the size of an answer tells nobody anything. Answers of the API about a venue's records are sent as
 * they are: the contract says nothing of packing, and most are small.
 */

/** Below this many characters packing gains nothing. */
const worthIt = 1_000

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Sends text, packed as the browser can unpack it. */
export const packed = async (
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> => {
  const way = text.length < worthIt ? undefined : wayFor(request)
  if (way === undefined) return reply.send(text)
  // The headers only with the body: a request that is answered as late in between has none of it.
  const body = await quickly[way](text)
  return reply.headers(headersOf(way)).send(body)
}

/** The same for a text that never changes: packed as small as it gets, at the first request. */
export const packedOnce = (text: string) => {
  const bodies: { [W in Way]?: Promise<Buffer> } = {}
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const way = wayFor(request)
    if (way === undefined) return reply.header('vary', 'accept-encoding').send(text)
    const body = await (bodies[way] ??= closely[way](text))
    return reply.headers(headersOf(way)).send(body)
  }
}

type Way = 'br' | 'gzip'

const quickly = {
  br: (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => zip(text, { level: 5 }),
} as const

/** Brotli's last two steps gain a tenth and cost thirty times as much. */
const closely = {
  br: (text: string) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => zip(text, { level: 9 }),
} as const

const headersOf = (way: Way) => ({ 'content-encoding': way, vary: 'accept-encoding' })

/** What the reader takes, and does not refuse by a weight of 0. */
const wayFor = ({ headers }: FastifyRequest): Way | undefined => {
  const accepted = headers['accept-encoding'] ?? ''
  return (['br', 'gzip'] as const).find((way) =>
    accepted
      .split(',')
      .some((one) => new RegExp(`^\\s*${way}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$)|$)`, 'i').test(one)),
  )
}
