import type { IncomingMessage } from 'node:http'

/* Checks that every request must pass before it is processed. */

export type HttpRefusal = {
  readonly status: number
  readonly sentence: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Allowed = { readonly hosts: readonly string[]; readonly origins: readonly string[] }

const methods = ['POST']

/** Whether a browser asks if a page may send what it is about to send. It comes without the key. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined

/** What lets the pages of an allowed origin call this server and read its answers; nothing for any other. */
export const headersForPages = (
  { headers: { origin } }: IncomingMessage,
  { origins }: Allowed,
): Readonly<Record<string, string>> =>
  origin === undefined || !origins.includes(origin)
    ? {}
    : {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers':
          'content-type, authorization, x-service-key, mcp-protocol-version, mcp-method, mcp-name',
        'access-control-expose-headers': 'www-authenticate',
        'access-control-max-age': '600',
        vary: 'origin',
      }

/** The longest body that is read, in bytes. */
const longestBody = 256 * 1024

export const refusalOf = (
  request: IncomingMessage,
  path: string,
  { hosts, origins }: Allowed,
): HttpRefusal | undefined => {
  const { url, method = '', headers } = request
  // A web page whose domain points at this machine (DNS rebinding) has its own name in Host, and its origin in Origin.
  if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
    return { status: 403, sentence: 'This server is not known under that Host.' }
  const { origin } = headers
  if (origin !== undefined && !origins.includes(origin))
    return { status: 403, sentence: 'Pages of that Origin may not call this server.' }
  if (url?.split('?')[0] !== path)
    return { status: 404, sentence: `There is nothing here; the server is at ${path}.` }
  if (isPreflight(request)) return undefined
  if (!methods.includes(method)) {
    // The server sends nothing unasked, so there is no stream to listen to, and no session to end.
    return { status: 405, sentence: 'Send POST.', headers: { allow: methods.join(', ') } }
  }
  return undefined
}

/** The body as JSON. */
export const readBody = async (request: IncomingMessage): Promise<{ value: unknown } | HttpRefusal> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // If reading stops early, the connection stays open for the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > longestBody) return { status: 413, sentence: 'The body is too large.' }
    chunks.push(chunk)
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown }
  } catch {
    return { status: 400, sentence: 'The body is not JSON.' }
  }
}
