import { type ReceiverAnswer, type ReceiverOptions, webhookReceiver } from './receive-webhook.ts'

/*
 * Ready-made handlers for different frameworks. Each gets at the raw body, which is the only form that can be verified.
 */

/** The largest possible delivery: a campaign with two bodies of a megabyte. */
const mostBytes = 8 * 2 ** 20

/**
 * For anything that uses Request and Response: Workers, Deno, Bun, and most modern frameworks.
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

/** A request from `node:http`, or from a framework built on it. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as parsed by middleware in front of it. */
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
 * For Express, with or without `express.raw()` before it; `express.json()` must come after it or not apply to its path.
 *
 * @example
 * app.post('/bookings', expressHandler({ secret, onEvent }))
 */
export const expressHandler = (options: ReceiverOptions): ReturnType<typeof nodeHandler> =>
  nodeHandler(options)

/** undefined: too large. */
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

/** The parts of Fastify used here. */
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
 * For Fastify, as a plugin: it disables body parsing only for its own route.
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
