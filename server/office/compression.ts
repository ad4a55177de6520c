import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/*
 * Pages are packed as they are sent, the files beside them once, at the start. A page never puts a secret beside
 * words of a stranger, and the session's cookie does not travel with other sites' requests, so that the size of an
 * answer tells nobody anything.
 */

/** Below this many characters packing gains nothing. */
const worthIt = 1_000

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Sends text, packed as the browser can unpack it. */
export const packed = async (
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> => {
  const way = text.length < worthIt ? undefined : wayFor(request)
  if (way === undefined) return reply.send(text)
  reply.headers({ 'content-encoding': way, vary: 'accept-encoding' })
  return reply.send(await (way === 'br' ? brotli(text, quick) : zip(text, { level: 5 })))
}

/** The same for a text that never changes. */
export const packedOnce = (text: string) => {
  const bodies = { br: brotliCompressSync(text), gzip: gzipSync(text, { level: 9 }) }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const way = wayFor(request)
    if (way === undefined) return reply.send(text)
    return reply.headers({ 'content-encoding': way, vary: 'accept-encoding' }).send(bodies[way])
  }
}

const wayFor = ({ headers }: FastifyRequest): 'br' | 'gzip' | undefined => {
  const accepted = headers['accept-encoding'] ?? ''
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}
