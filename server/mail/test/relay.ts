import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** One message as the relay took it. */
export type Received = {
  readonly from: string
  readonly to: string
  readonly bytes: Buffer
  readonly messageId: string
  readonly session: string
}

/** `550 5.1.1 No such user`: refuse or put off by these words. The other two do something to the connection. */
export type Verdict = 'take' | 'drop' | 'hang' | `${number} ${string}`

export type Judge = {
  readonly connect?: () => Verdict
  readonly from?: (address: string) => Verdict
  readonly to?: (address: string) => Verdict
  /** After the first bytes of the message, before its end. */
  readonly body?: (to: string) => Verdict
  /** After the final dot; a message that is dropped or hung here was taken. */
  readonly end?: (to: string) => Verdict
}

export type TestRelay = {
  readonly port: number
  readonly url: string
  readonly received: Received[]
  readonly mails: () => Promise<Email[]>
  readonly connections: () => number
  judge: Judge
  /** Drops every connection and takes no new one until `start`; both may be asked for twice. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** A mail relay that keeps what it got and misbehaves as asked. */
export const startTestRelay = async (options: SMTPServerOptions = {}): Promise<TestRelay> => {
  const received: Received[] = []
  const sockets = new Map<string, Socket>()
  let made = 0
  let server: SMTPServer
  let port = 0

  const act = (verdict: Verdict, session: string, callback: (error?: Error | null) => void): void => {
    if (verdict === 'take') return callback()
    if (verdict === 'drop') return void sockets.get(session)?.destroy()
    if (verdict === 'hang') return
    callback(Object.assign(new Error(verdict.slice(4)), { responseCode: Number(verdict.slice(0, 3)) }))
  }

  let isUp = false
  const start = async (): Promise<void> => {
    if (isUp) return
    isUp = true
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 10,
      ...options,
      onConnect: (session, callback) => {
        made++
        const connection = [
          ...(server as unknown as { connections: Set<{ id: string; _socket: Socket }> }).connections,
        ].find(({ id }) => id === session.id)
        if (connection) sockets.set(session.id, connection._socket)
        act(relay.judge.connect?.() ?? 'take', session.id, callback)
      },
      onMailFrom: ({ address }, session, callback) =>
        act(relay.judge.from?.(address) ?? 'take', session.id, callback),
      onRcptTo: ({ address }, session, callback) =>
        act(relay.judge.to?.(address) ?? 'take', session.id, callback),
      onData: (stream, session, callback) => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => {
          const verdict = pieces.length === 0 ? (relay.judge.body?.(to) ?? 'take') : 'take'
          pieces.push(piece)
          if (verdict !== 'take') act(verdict, session.id, () => undefined)
        })
        stream.on('end', () => {
          const bytes = Buffer.concat(pieces)
          const verdict = relay.judge.end?.(to) ?? 'take'
          if (!/^\d/.test(verdict)) {
            const messageId = /^message-id:\s*(\S+)/im.exec(bytes.toString('latin1'))?.[1] ?? ''
            received.push({ from, to, bytes, messageId, session: session.id })
          }
          act(verdict, session.id, callback)
        })
      },
    })
    server.on('error', () => undefined)
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    port = (server.server.address() as AddressInfo).port
  }

  const relay: TestRelay = {
    get port() {
      return port
    },
    get url() {
      return `smtp://127.0.0.1:${port}`
    },
    received,
    mails: () => Promise.all(received.map(({ bytes }) => PostalMime.parse(bytes))),
    connections: () => made,
    judge: {},
    start,
    stop: async () => {
      if (!isUp) return
      isUp = false
      for (const socket of sockets.values()) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  await start()
  return relay
}
