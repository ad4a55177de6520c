/** A query; undefined values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>
export type HeaderValues = Readonly<Record<string, string>>

export type Ask = {
  readonly method: string
  /** Relative to `/api/v1`, unless it begins with it: `/guests`. */
  readonly path: string
  readonly query?: Query
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  readonly headers?: HeaderValues
}

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- statements look into answers whose shape was checked
  readonly body: any
  /** The request: `POST /api/v1/guests`. */
  readonly request: string
  readonly requestId: string | null
}

/** Calls the service with one key, or with none. Every answer is checked against the contract's shapes. */
export type Caller = {
  readonly send: (ask: Ask) => Promise<Reply>
  readonly get: (path: string, query?: Query, headers?: HeaderValues) => Promise<Reply>
  readonly post: (path: string, body?: unknown, headers?: HeaderValues) => Promise<Reply>
  readonly patch: (path: string, body: unknown, headers?: HeaderValues) => Promise<Reply>
  readonly delete: (path: string) => Promise<Reply>
}

/** Hooks around each call. */
export type Around = {
  /** Before the request leaves: waits if the key has no requests left in its minute. */
  readonly before?: () => Promise<void>
  /** Gets each answer; if it throws, the statement fails. */
  readonly after?: (reply: Reply, ask: Ask) => void | Promise<void>
}

/** @example makeCaller('http://127.0.0.1:8080', key).get('/me') */
export const makeCaller = (
  baseUrl: string,
  key: string | undefined,
  { before, after }: Around = {},
): Caller => {
  const send = async (ask: Ask): Promise<Reply> => {
    await before?.()
    const reply = await exchange(baseUrl, key, ask)
    await after?.(reply, ask)
    return reply
  }
  return {
    send,
    get: (path, query, headers) =>
      send({ method: 'GET', path, ...(query && { query }), ...(headers && { headers }) }),
    post: (path, body, headers) => send({ method: 'POST', path, body, ...(headers && { headers }) }),
    patch: (path, body, headers) => send({ method: 'PATCH', path, body, ...(headers && { headers }) }),
    delete: (path) => send({ method: 'DELETE', path }),
  }
}

/** A call's path from the service's root, without its query. */
export const pathOf = (path: string): string => (path.startsWith('/api') ? path : `/api/v1${path}`)

const exchange = async (baseUrl: string, key: string | undefined, ask: Ask): Promise<Reply> => {
  const { method, path, query = {}, body, headers } = ask
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = words.length > 0 ? `?${new URLSearchParams(words).toString()}` : ''
  const response = await fetch(`${baseUrl}${pathOf(path)}${search}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { 'x-service-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parsed(text),
    request: `${method} ${pathOf(path)}${search}`,
    requestId: response.headers.get('x-request-id'),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
