import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A browser's requests without the browser: one connection, a cookie, and raw answers. */
export type Visitor = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Answer>
  /** JSON, as software sends it. */
  readonly send: (
    method: string,
    path: string,
    headers: Record<string, string>,
    json: string,
  ) => Promise<Answer>
  readonly stop: () => void
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Compressed where the headers say so. */
  readonly body: Buffer
  /** From the request to the last byte, in milliseconds. */
  readonly ms: number
}

export const visit = (port: number): Visitor => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let cookie = ''
  const ask = (method: string, path: string, headers: Record<string, string>, text = '') =>
    new Promise<Answer>((resolve, reject) => {
      const began = performance.now()
      const sent = request({ agent, port, method, path, host: '127.0.0.1', headers: { cookie, ...headers } })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const pieces: Buffer[] = []
        response.on('error', reject)
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => {
          const [set] = response.headers['set-cookie'] ?? []
          if (set !== undefined) cookie = set.split(';', 1)[0] as string
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces),
            ms: performance.now() - began,
          })
        })
      })
      sent.end(text)
    })
  return {
    get: (path, headers = {}) => ask('GET', path, headers),
    post: (path, fields, headers = {}) =>
      ask(
        'POST',
        path,
        {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        new URLSearchParams(fields).toString(),
      ),
    send: (method, path, headers, json) =>
      ask(method, path, { 'content-type': 'application/json', ...headers }, json),
    stop: () => agent.destroy(),
  }
}

/** A page, compressed as browsers request it; throws unless it was answered 200. */
export const opened = async (visitor: Visitor, path: string): Promise<Answer> => {
  const answer = await visitor.get(path, { 'accept-encoding': 'br' })
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  return answer
}

/** The bytes of a page with its styles and scripts, on a first visit. */
export const firstVisit = async (
  visitor: Visitor,
  path: string,
  weights = new Map<string, number>(),
): Promise<number> => {
  const text = (await visitor.get(path)).body.toString()
  let bytes = (await opened(visitor, path)).body.length
  for (const [, file = ''] of text.matchAll(/<(?:link|script)[^>]+(?:href|src)="(\/[^"]+)"/g)) {
    if (!weights.has(file)) weights.set(file, (await opened(visitor, file)).body.length)
    bytes += weights.get(file) as number
  }
  return bytes
}
