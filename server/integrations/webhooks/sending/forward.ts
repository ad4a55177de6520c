import { type IncomingMessage, request as http } from 'node:http'
import { request as https } from 'node:https'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import { bareHost, isLocalhostName } from '../../../platform/net/destination.ts'
import { isLoopbackAddress } from '../../../platform/net/public-address.ts'

/**
 * How long the integrator's program may take to answer, in milliseconds: as long as the service waits for a receiver.
 */
const answerWithinMs = 10_000

/** Where deliveries may be forwarded: a program on this machine. `localhost:3000/hook` implies `http://`. */
export const readForwardAddress = (text: string): URL | undefined => {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  const host = bareHost(url.hostname)
  return isLoopbackAddress(host) || isLocalhostName(host) ? url : undefined
}

/**
 * Forwards a delivery, with the same bytes and headers, so that the program's own signature check is exercised as well.
 * Returns the program's status, or 502 or 504 as a proxy would, and a line to print.
 */
export const forward = (
  { method, rawHeaders }: Pick<IncomingMessage, 'method' | 'rawHeaders'>,
  body: Buffer,
  to: URL,
): Promise<{ readonly status: number; readonly said: string }> =>
  new Promise((resolve) => {
    const send = to.protocol === 'https:' ? https : http
    const signal = AbortSignal.timeout(answerWithinMs)
    const passed = send(to, { method, headers: endToEnd(rawHeaders, to), agent: false, signal })
    passed.on('response', (answer) => {
      answer.resume()
      const status = answer.statusCode ?? 502
      resolve({ status, said: `-> ${to.href}: ${status}` })
    })
    passed.on('error', (error) => {
      const isLate = signal.aborted
      const why = isLate ? `no answer in ${answerWithinMs / 1000} s` : (codeOf(error) ?? error.message)
      resolve({ status: isLate ? 504 : 502, said: `-> ${to.href}: NOT DELIVERED (${why})` })
    })
    passed.end(body)
  })

/** Without hop-by-hop headers (RFC 9110, 7.6.1), and with the target's host. */
const endToEnd = (rawHeaders: readonly string[], to: URL): string[] => {
  const kept = ['Host', to.host]
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!ofConnection.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

const ofConnection: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
])
