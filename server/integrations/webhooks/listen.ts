import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { Context } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { open } from '../../platform/kernel/secrets.ts'
import { momentNow } from '../practice/instance.ts'
import { forward } from './sending/forward.ts'
import { type Verdict, verify } from './sending/signature.ts'

/*
 * A small receiver for a practice instance: it verifies and prints what arrives, so that an integrator sees events on
 * their own machine in a minute. It uses the service's own database and finds the secrets of the endpoints that point
 * here itself. It answers 204, or 400 if it cannot verify a delivery, as a real receiver should. With a forward
 * address, verified deliveries go on to the integrator's own program, and the service gets that program's answer.
 */

export type Listener = { readonly port: number; readonly stop: () => Promise<void> }

/** Largest delivery accepted, in bytes: far above any record. */
const mostBytes = 1_048_576

export const listen = async (
  context: Pick<Context, 'db' | 'secrets' | 'clock'>,
  port: number,
  print: (line: string) => void,
  forwardTo?: URL,
): Promise<Listener> => {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request)
      .then(async (body) => {
        const verdict = await judge(context, request.socket.localPort ?? port, request, body)
        print(shown(request, body, verdict))
        const fits = verdict === 'ok' || verdict === 'unsigned'
        if (!fits || !forwardTo) return response.writeHead(fits ? 204 : 400).end()
        const { status, said } = await forward(request, body, forwardTo)
        print(`  ${said}\n`)
        return response.writeHead(status).end()
      })
      .catch((error: unknown) => {
        print(`REFUSED, a delivery could not be read or verified: ${(error as Error).message}\n`)
        response.writeHead(400).end()
      })
  }
  const server = createServer(answer)
  const listening = await listenAt(server, port, '127.0.0.1')
  const servers = [server]
  const inSix = createServer(answer)
  try {
    // Endpoints may use http://[::1]:N too.
    await listenAt(inSix, listening, '::1')
    servers.push(inSix)
  } catch (error) {
    if (!withoutSix.has(codeOf(error) ?? '')) {
      await stop(server)
      throw error
    }
    print(`This machine has no IPv6, so an endpoint at http://[::1]:${listening}/ gets nothing.\n`)
  }
  return { port: listening, stop: async () => void (await Promise.all(servers.map(stop))) }
}

const withoutSix: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** Resolves to the port; the system chooses it if it was 0. */
const listenAt = async (server: Server, port: number, host: string): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return (server.address() as { port: number }).port
}

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const receive = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `sealed`: no secret matches, and an endpoint's secret at this port cannot be unsealed. */
type Judgement = Verdict | 'unsigned' | 'sealed'

/** Hooks carry no signature; everything else must match the secret of an endpoint that points to this port. */
const judge = async (
  { db, secrets, clock }: Pick<Context, 'db' | 'secrets' | 'clock'>,
  port: number,
  request: IncomingMessage,
  body: Buffer,
): Promise<Judgement> => {
  const header = request.headers['x-service-signature']
  if (typeof header !== 'string') return 'unsigned'
  const endpoints = await endpointsOnPort({ db }, port)
  // Read for each delivery: the clock may be moved while this listens.
  const now = Math.floor((await momentNow(db, clock)).epochMilliseconds / 1000)
  const verdicts = endpoints.map(({ id, secret_sealed }): Judgement => {
    let secret: string
    try {
      secret = open(secrets, secret_sealed, id)
    } catch {
      return 'sealed'
    }
    return verify(secret, header, body, now)
  })
  return (
    verdicts.find((one) => one === 'ok') ??
    verdicts.find((one) => one === 'sealed') ??
    verdicts[0] ??
    'wrong signature'
  )
}

/**
 * Endpoints of any venue at this port of this machine; a practice instance has a handful. Their canonical spelling
 * (platform/net/destination.ts) always has a path, and omits port 80.
 */
export const endpointsOnPort = ({ db }: Pick<Context, 'db'>, port: number) =>
  db.many(sql({ id: 'uuid', secret_sealed: 'text' })`
    select id, secret_sealed from webhook_endpoint
     where secret_sealed is not null and address ~ ${`^http://(\\[[^/]*\\]|[^/:]+)${port === 80 ? '' : `:${port}`}/`}
     order by created_at desc
     limit 1000`)

const words = {
  ok: 'signature verified',
  unsigned: 'no signature (a hook)',
  'unreadable signature': 'REFUSED, the signature cannot be read',
  'too old or too new': 'REFUSED, the signature is more than five minutes off',
  'wrong signature': 'REFUSED, the signature fits no endpoint at this port',
  sealed:
    'REFUSED, it cannot be verified: the secret of an endpoint at this port does not open with the SECRETS given here',
} as const satisfies Record<Judgement, string>

const shown = (request: IncomingMessage, body: Buffer, verdict: Judgement): string => {
  const text = body.toString()
  let pretty = text
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Shown as received.
  }
  return `${String(request.headers['x-service-event'] ?? '(no event)')}: ${words[verdict]}\n${pretty}\n`
}
