// The cast: a connection is one undici client, bound to one vetted address, that carries one request at a time. `take`
// hands it to an attempt for exclusive use, so nothing ever waits inside undici; `give` returns it for the next attempt
// to the same origin and address; `drop` ends it. Idle connections are bounded in number and time.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import { Client } from 'undici'

/**
 * Open connections kept for later deliveries, in total; the least recently used one makes room. A TLS connection takes
 * about 80 KB, so 200 MB at most; that keeps connections warm for 2,000 venues.
 */
export const MAX_IDLE_CONNECTIONS = 2_500

/** How long an unused connection is kept, in milliseconds, unless the receiver announces a shorter or longer time. */
export const IDLE_MS = 15_000
export const LONGEST_IDLE_MS = 60_000

/** TLS sessions kept for resumption, one per origin and address. */
export const MAX_TLS_SESSIONS = 5_000

/** Maximum size of a response's headers, in bytes. */
export const MAX_HEADER_BYTES = 16_384

export type Origin = {
  readonly secure: boolean
  /** Name or address, without brackets. */
  readonly host: string
  readonly port: number
  /** `https://name:port`, as undici wants it; it makes the Host header. */
  readonly text: string
}

export type Connection = {
  readonly key: string
  readonly client: Client
  /** Undefined until the first connect. */
  socket: Socket | undefined
  /** How far the current socket has come: not connected yet, connected but not secured, usable. */
  stage: 'connecting' | 'securing' | 'open'
  /** Responses received on the current socket: 0 on a new one. */
  answers: number
}

export type Connections = {
  /** An idle connection to this origin and address, or undefined. */
  readonly takeIdle: (origin: Origin, address: string) => Connection | undefined
  /**
   * A new connection. It connects on first use; with `reachLimitMs` it fails if the TCP connection is not accepted
   * within that many milliseconds.
   */
  readonly open: (origin: Origin, address: string, reachLimitMs?: number) => Connection
  readonly give: (connection: Connection) => void
  readonly drop: (connection: Connection) => void
  readonly idleCount: () => number
  /** Ends idle connections, and from now on every one that is returned. */
  readonly close: () => void
}

/**
 * @param options.ca certificate authorities to trust instead of the usual ones, PEM
 * @param options.maxIdle idle connections kept
 */
export const createConnections = (
  options: { readonly ca?: string; readonly maxIdle?: number } = {},
): Connections => {
  const maxIdle = options.maxIdle ?? MAX_IDLE_CONNECTIONS
  // Created once: loading the trusted authorities for each connection costs more than the handshake.
  const secureContext = createSecureContext(options.ca === undefined ? {} : { ca: options.ca })
  const sessions = new Map<string, Buffer>()
  const idleByKey = new Map<string, Connection[]>()
  /** The same connections, least recently used first. */
  const idle = new Set<Connection>()
  let closed = false

  const forgetIdle = (connection: Connection): boolean => {
    if (!idle.delete(connection)) return false
    const same = idleByKey.get(connection.key)
    const place = same?.indexOf(connection) ?? -1
    if (same && place >= 0) same.splice(place, 1)
    if (same?.length === 0) idleByKey.delete(connection.key)
    return true
  }

  const drop = (connection: Connection): void => {
    forgetIdle(connection)
    // The socket first: undici does not reach it while it is still connecting.
    connection.socket?.destroy()
    void connection.client.destroy()
  }

  const takeIdle = (origin: Origin, address: string): Connection | undefined => {
    const same = idleByKey.get(keyOf(origin, address))
    for (let connection = same?.at(-1); connection; connection = same?.at(-1)) {
      if (isUsable(connection)) {
        forgetIdle(connection)
        return connection
      }
      drop(connection)
    }
    return undefined
  }

  const give = (connection: Connection): void => {
    if (closed || maxIdle === 0) return drop(connection)
    const same = idleByKey.get(connection.key)
    if (same) same.push(connection)
    else idleByKey.set(connection.key, [connection])
    idle.add(connection)
    if (idle.size > maxIdle) {
      const [longestUnused] = idle
      if (longestUnused) drop(longestUnused)
    }
  }

  const rememberSession = (key: string, session: Buffer): void => {
    sessions.delete(key)
    if (sessions.size >= MAX_TLS_SESSIONS) {
      const [oldest] = sessions.keys()
      if (oldest !== undefined) sessions.delete(oldest)
    }
    sessions.set(key, session)
  }

  const open = (origin: Origin, address: string, reachLimitMs?: number): Connection => {
    const key = keyOf(origin, address)
    const client = new Client(origin.text, {
      // undici's own limits apply per gap and are coarse; the sender's single deadline replaces them all.
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      // undici calls this again when the receiver has closed the old socket, always with the same vetted address.
      connect: (_options, callback) => {
        const socket = origin.secure
          ? connectSecurely(origin, address, secureContext, sessions.get(key))
          : connectPlain({ host: address, port: origin.port })
        connection.socket = socket
        connection.stage = 'connecting'
        connection.answers = 0
        socket.setNoDelay(true)
        let waiting = true
        const reach =
          reachLimitMs === undefined
            ? undefined
            : setTimeout(() => socket.destroy(new Error('The address does not answer.')), reachLimitMs)
        const ready = () => {
          connection.stage = 'open'
          waiting = false
          callback(null, socket)
        }
        socket.once('connect', () => {
          clearTimeout(reach)
          if (origin.secure) connection.stage = 'securing'
          else ready()
        })
        if (origin.secure) socket.once('secureConnect', ready)
        // Node emits sessions only after it has checked the certificate and its name.
        if (origin.secure) socket.on('session', (session: Buffer) => rememberSession(key, session))
        socket.on('error', (error) => {
          clearTimeout(reach)
          if (waiting) {
            waiting = false
            callback(error, null)
          }
        })
        socket.once('close', () => {
          clearTimeout(reach)
          if (connection.socket === socket && idle.has(connection)) drop(connection)
        })
      },
    })
    const connection: Connection = { key, client, socket: undefined, stage: 'connecting', answers: 0 }
    return connection
  }

  const close = (): void => {
    closed = true
    for (const connection of idle) drop(connection)
  }

  return { takeIdle, open, give, drop, idleCount: () => idle.size, close }
}

const keyOf = (origin: Origin, address: string): string => `${origin.text} ${address}`

const isUsable = (connection: Connection): boolean =>
  connection.socket !== undefined && !connection.socket.destroyed && !connection.client.destroyed

const connectSecurely = (
  origin: Origin,
  address: string,
  secureContext: SecureContext,
  session: Buffer | undefined,
): Socket =>
  connectTls({
    host: address,
    port: origin.port,
    // An address cannot be a server name, so the certificate must name the address.
    servername: isIP(origin.host) === 0 ? origin.host : '',
    secureContext,
    // Set explicitly, because an environment variable can change the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(session && { session }),
  })
