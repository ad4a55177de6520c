import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request as send,
} from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/*
 * Sits in front of the real service and misbehaves as scripted, attempt by attempt. `POST /__script` gives it the next
 * attempts and forgets the last ones, `GET /__log` says what came. sdk/cases/README.md describes the steps.
 */

/** How one attempt is handled. Without `answer` and `refuse` it is passed on to the service. */
export type Step = {
  /** Answer this in place of the service. */
  readonly answer?: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    /** Sent as JSON; `text` as it is. */
    readonly body?: unknown
    readonly text?: string
  }
  /** Break the connection and pass nothing on. */
  readonly refuse?: true
  /** Pass it on, and break the connection in place of an answer. */
  readonly lose?: true
  /** Break the connection after so many bytes of the answer's body. */
  readonly cutAfterBytes?: number
  /** Fields to put into the answer's body, or into each of its items. */
  readonly add?: Readonly<Record<string, unknown>>
  /** Headers to put over those of the answer; `null` takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The answer comes so much later, by the runner's own clock: it is only said, in `X-Delay-Seconds`. */
  readonly delaySeconds?: number
}

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Proxy = { readonly url: string; readonly stop: () => Promise<void> }

export const startProxy = async (serviceUrl: string): Promise<Proxy> => {
  let script: Step[] = []
  let log: Seen[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method = '', url = '', headers } = request
    if (url === '/__script') {
      script = JSON.parse(body) as Step[]
      log = []
      response.writeHead(204).end()
    } else if (url === '/__log') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(log))
    } else {
      log.push({ method, path: url, headers: headers as Seen['headers'], body })
      await misbehave(script.shift() ?? {}, answering(serviceUrl, request, body), response)
    }
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => stop(server),
  }
}

type Given = { readonly status: number; readonly headers: Record<string, string>; readonly text: string }

/** Asks the service, once it is needed. */
const answering =
  (serviceUrl: string, { method, url, headers }: IncomingMessage, body: string) =>
  async (): Promise<Given> => {
    const { 'transfer-encoding': _, host: _host, ...rest } = headers
    const passed = send(`${serviceUrl}${url}`, {
      method,
      headers: { ...rest, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) },
    })
    passed.end(body)
    const [answer] = (await once(passed, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await answer.toArray()).toString()
    return { status: answer.statusCode as number, headers: answer.headers as Given['headers'], text }
  }

const misbehave = async (step: Step, ask: () => Promise<Given>, response: ServerResponse): Promise<void> => {
  if (step.refuse) return void response.destroy()
  const given = step.answer ? made(step.answer) : await ask()
  if (step.lose) return void response.destroy()
  const text = step.add ? JSON.stringify(added(JSON.parse(given.text), step.add)) : given.text
  const {
    'content-length': _,
    'transfer-encoding': _encoding,
    connection: _connection,
    ...headers
  } = given.headers
  const all = {
    ...headers,
    ...step.headers,
    ...(step.delaySeconds !== undefined && { 'x-delay-seconds': String(step.delaySeconds) }),
  }
  for (const [name, value] of Object.entries(all)) if (value !== null) response.setHeader(name, value)
  response.statusCode = given.status
  if (step.cutAfterBytes === undefined) return void response.end(text)
  response.setHeader('content-length', Buffer.byteLength(text))
  response.flushHeaders()
  response.write(Buffer.from(text).subarray(0, step.cutAfterBytes), () => response.destroy())
}

/** The clock of the service, which is stopped for the cases. */
const serviceDate = 'Tue, 06 Oct 2026 19:00:00 GMT'

const made = ({ status, headers = {}, body, text }: NonNullable<Step['answer']>): Given => ({
  status,
  headers: {
    date: serviceDate,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  },
  text: text ?? (body === undefined ? '' : JSON.stringify(body)),
})

const added = (body: unknown, fields: object): unknown =>
  Array.isArray(body) ? body.map((item) => added(item, fields)) : { ...(body as object), ...fields }

const stop = async (server: Server): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
