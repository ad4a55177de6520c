import { type ReceiverAnswer, type ReceiverOptions, webhookReceiver } from './receive-webhook.ts'

/* Ready handlers, each for what its framework gives: the body as it arrived, which alone can be verified. */

/** The most that a delivery is: a campaign with two bodies of a megabyte. */
const mostBytes = 8 * 2 ** 20

/**
 * For whatever speaks Request and Response: Workers, Deno, Bun, and most frameworks of today.
 *
 * @example
 * export default { fetch: fetchHandler({ secret, onEvent: (delivery) => console.log(delivery.event) }) }
 */
export const fetchHandler = (options: ReceiverOptions): ((request: Request) => Promise<Response>) => {
  const receive = webhookReceiver(options)
  return async (request) => {
    if (request.method !== 'POST')
      return new Response('Deliveries come by POST.', { status: 405, headers: { allow: 'POST' } })
    const { status, text } = await receive(await request.arrayBuffer(), request.headers)
    return new Response(status === 204 ? null : text, { status })
  }
}

/**
 * For Hono.
 *
 * @example
 * app.post('/bookings', honoHandler({ secret, onEvent }))
 */
export const honoHandler = (
  options: ReceiverOptions,
): ((context: { req: { raw: Request } }) => Promise<Response>) => {
  const handle = fetchHandler(options)
  return (context) => handle(context.req.raw)
}

/**
 * For a route handler of Next.
 *
 * @example
 * export const { POST } = nextRoute({ secret, onEvent })
 */
export const nextRoute = (
  options: ReceiverOptions,
): { readonly POST: (request: Request) => Promise<Response> } => ({
  POST: fetchHandler(options),
})

/** A request of `node:http`, or of what is built on it. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** What a parser in front of it made of the body. */
  readonly body?: unknown
  readonly rawBody?: unknown
}

export type NodeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text?: string): unknown
}

/**
 * For `node:http`.
 *
 * @example
 * createServer(nodeHandler({ secret, onEvent })).listen(4000)
 */
export const nodeHandler = (
  options: ReceiverOptions,
): ((request: NodeRequest, response: NodeResponse) => Promise<void>) => {
  const receive = webhookReceiver(options)
  const answer = async (request: NodeRequest): Promise<ReceiverAnswer> => {
    if (request.method !== 'POST') return { status: 405, text: 'Deliveries come by POST.' }
    const body = await rawBodyOf(request)
    return body ? receive(body, request.headers) : { status: 413, text: 'The body is too large.' }
  }
  return async (request, response) => {
    let said: ReceiverAnswer
    try {
      said = await answer(request)
    } catch (error) {
      options.onError?.(error)
      said = { status: 500, text: 'The body could not be read.' }
    }
    response.statusCode = said.status
    if (said.status === 405) response.setHeader('allow', 'POST')
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end(said.text)
  }
}

/**
 * For Express, with or without `express.raw()` before it; `express.json()` must come after it, or not be for its path.
 *
 * @example
 * app.post('/bookings', expressHandler({ secret, onEvent }))
 */
export const expressHandler = (options: ReceiverOptions): ReturnType<typeof nodeHandler> =>
  nodeHandler(options)

/** Undefined: it is too large. */
const rawBodyOf = async (request: NodeRequest): Promise<string | Uint8Array | undefined> => {
  const { body, rawBody } = request
  for (const kept of [rawBody, body]) if (typeof kept === 'string' || kept instanceof Uint8Array) return kept
  if (body !== undefined) {
    throw new TypeError(
      'Something parsed the body before it could be verified: put this handler before express.json().',
    )
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** What of Fastify is needed here. */
export type FastifyLike = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { body: unknown; headers: Readonly<Record<string, string | readonly string[] | undefined>> },
      reply: { code(status: number): { send(text?: string): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/**
 * For Fastify, as a plugin: only its own route is without a parser.
 *
 * @example
 * await app.register(fastifyWebhook({ secret, onEvent, path: '/bookings' }))
 */
export const fastifyWebhook = ({
  path = '/',
  ...options
}: ReceiverOptions & { readonly path?: string }): ((app: FastifyLike) => Promise<void>) => {
  const receive = webhookReceiver(options)
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_, body, done) =>
      done(null, body),
    )
    app.post(path, async (request, reply) => {
      const { status, text } = await receive(request.body as Uint8Array, request.headers)
      return reply.code(status).send(text)
    })
  }
}

export {
  type Delivery,
  type SignedDelivery,
  type VerificationFailure,
  WebhookVerificationError,
  verifyWebhook,
} from './verify-webhook.ts'
export {
  type Receiver,
  type ReceiverAnswer,
  type ReceiverOptions,
  webhookReceiver,
} from './receive-webhook.ts'
export { type SeenStore, memorySeen } from './seen-store.ts'
