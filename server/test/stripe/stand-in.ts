import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { Stripe } from 'stripe'
import { dashboard } from './dashboard.ts'
import { payPage } from './pay-page.ts'

/*
 * Plays Stripe, on loopback, with a memory: pages that are paid, payments, refunds, customers, endpoints and the calls to
 * them, typed by Stripe's own library, which is also what talks to it. It keeps its answers by key as Stripe does, its
 * failures too, and misbehaves as it is asked to. It shows what we rely on of the documentation; that the real service does
 * the same is not tried here.
 */

type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'cancel_url'
  | 'created'
  | 'currency'
  | 'customer_email'
  | 'expires_at'
  | 'livemode'
  | 'metadata'
  | 'payment_status'
  | 'status'
  | 'mode'
  | 'success_url'
  | 'url'
  | 'custom_text'
  | 'locale'
> & { payment_intent: string | null; customer: string | null; setup_intent: Setup | null }
/** A card that is kept, as a look that asks for it shows it. */
type Setup = Pick<Stripe.SetupIntent, 'id' | 'object' | 'metadata' | 'status'> & {
  payment_method: string | null
}
type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata' | 'status' | 'failure_reason'
> & { payment_intent: string }
type Dispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata' | 'reason' | 'status'
> & { payment_intent: string; evidence_details: { due_by: number | null } }
type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata' | 'status'
> & {
  latest_charge?: string
  customer?: string | null
  last_payment_error?: { code: string; decline_code?: string } | null
}
type Endpoint = Pick<
  Stripe.WebhookEndpoint,
  'id' | 'object' | 'enabled_events' | 'livemode' | 'metadata' | 'status' | 'url' | 'secret'
>

/** How the next call that fits is answered, once: `slow` is never answered, `closed` is carried out and then cut off. */
export type Trouble = 'slow' | 'busy' | 'failed' | 'failed after' | 'closed' | 'slow after'

export type StripeStandIn = {
  readonly url: string
  /** A key of this account. */
  key: string
  readonly sessions: Map<string, Session>
  readonly intents: Map<string, Intent>
  readonly refunds: Map<string, Refund>
  /** Who has a card kept, by their id. */
  readonly customers: Map<string, { readonly id: string; readonly created: number }>
  readonly endpoints: Map<string, Endpoint>
  readonly disputes: Map<string, Dispute>
  /** Every name that it has given to something, its pages' addresses and what calls are signed with: nobody but the service knows one. */
  readonly issued: Set<string>
  /** Every call that came, `POST /v1/refunds`, with its parameters. */
  readonly calls: { readonly what: string; readonly sent: Params; readonly key: string | null }[]
  /** Misbehaves at the next call that begins so. */
  trouble: { readonly at: string; readonly how: Trouble } | undefined
  /** Permissions that the key lacks, by how the path begins, or `POST path`. */
  readonly denied: Set<string>
  /** Whether calls go out by themselves; otherwise they wait in `held`. */
  callsOut: boolean
  readonly held: Stripe.Event[]
  /** What the bank says of a card that is charged without its guest; undefined: yes. */
  declines: 'card_declined' | 'expired_card' | 'authentication_required' | undefined
  /** Whether refunds are under way at first. */
  refundsPend: boolean | 'requires_action'
  clock: () => number
  /** Done before each request is looked at, such as setting the clock. */
  beforeEach: () => Promise<void>
  /** How an address that was registered is reached from here. */
  reach: (url: string) => string
  /** The guest pays on the page; undefined when it no longer takes a payment. */
  readonly pay: (session: string, how?: 'at once' | 'in days') => Promise<Session | undefined>
  /** Money that takes days arrives, or does not. */
  readonly endPayment: (session: string, status: 'succeeded' | 'failed') => Promise<void>
  /** The page's time is over. */
  readonly expire: (session: string) => Promise<void>
  readonly endRefund: (refund: string, status: 'succeeded' | 'failed' | 'canceled') => Promise<void>
  /** Somebody gives money back in the dashboard: without a name of ours. */
  readonly refundThere: (intent: string, amount: number) => Promise<Refund>
  /** A bank disputes a payment, or says how that is going. */
  readonly dispute: (intent: string, status: Stripe.Dispute.Status) => Promise<Dispute>
  /** Sends an event, as often as it is called; returns the status of the answer. */
  readonly call: (event: Stripe.Event) => Promise<number>
  /** Forgets the keys it knows, as after a day. */
  readonly forgetKeys: () => void
  readonly stop: () => Promise<void>
}

type Params = { [name: string]: string | Params }

const apiVersion = '2026-10-28.endive'

export const startStripeStandIn = async ({
  key = `rk_test_${randomBytes(12).toString('hex')}`,
  port = 0,
  clock = (): number => Temporal.Now.instant().epochMilliseconds,
}: {
  readonly key?: string
  readonly port?: number
  readonly clock?: () => number
} = {}): Promise<StripeStandIn> => {
  const answers = new Map<string, { readonly said: string; readonly status: number; readonly body: object }>()
  const open = new Set<ServerResponse>()
  const now = (): number => Math.floor(standIn.clock() / 1_000)
  const id = (kind: string): string => {
    const name = `${kind}_${randomBytes(12).toString('hex')}`
    standIn.issued.add(name)
    return name
  }

  const emit = async (type: string, object: object): Promise<void> => {
    const event = {
      id: id('evt'),
      object: 'event',
      api_version: apiVersion,
      created: now(),
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
      data: { object: structuredClone(object) },
    } as unknown as Stripe.Event
    if (standIn.callsOut) await standIn.call(event)
    else standIn.held.push(event)
  }

  const settle = async (
    session: Session,
    status: 'complete' | 'expired',
    intentStatus: 'succeeded' | 'processing' = 'succeeded',
  ): Promise<void> => {
    session.status = status
    session.url = null
    if (status === 'complete' && session.mode === 'setup') {
      const customer = { id: id('cus'), created: now() }
      standIn.customers.set(customer.id, customer)
      session.customer = customer.id
      session.payment_status = 'no_payment_required'
      session.setup_intent = {
        id: id('seti'),
        object: 'setup_intent',
        metadata: session.metadata ?? {},
        status: 'succeeded',
        payment_method: id('pm'),
      }
    } else if (status === 'complete') {
      const intent: Intent = {
        id: id('pi'),
        object: 'payment_intent',
        amount: session.amount_total ?? 0,
        created: now(),
        currency: session.currency ?? 'usd',
        latest_charge: id('ch'),
        metadata: session.metadata ?? {},
        status: intentStatus,
      }
      standIn.intents.set(intent.id, intent)
      session.payment_intent = intent.id
      if (intentStatus === 'succeeded') session.payment_status = 'paid'
    }
    await emit(status === 'complete' ? 'checkout.session.completed' : 'checkout.session.expired', session)
  }

  /** Carries a call out; throws what is refused. */
  const act = async (what: string, sent: Params): Promise<object> => {
    const [, path = ''] = /^\w+ \/v1\/(.*)$/.exec(what) ?? []
    const [kind = '', first = '', second = ''] = path.split('/')
    for (const denied of standIn.denied)
      if (path.startsWith(denied) || what.replace('/v1/', '').startsWith(denied))
        throw refusal(403, 'permission')
    if (what === 'POST /v1/checkout/sessions') return openSession(sent)
    if (kind === 'checkout') {
      const session = standIn.sessions.get(second)
      if (second === '') return listSessions(sent)
      if (!session) throw noSuch('checkout.session', second)
      if (session.status === 'open' && session.expires_at <= now()) await settle(session, 'expired')
      if (path.endsWith('/expire')) {
        if (session.status !== 'open') throw refusal(400, 'invalid', 'Only open sessions can be expired.')
        await settle(session, 'expired')
      }
      const expanded = Object.values((sent['expand'] as Params | undefined) ?? {})
      const intent = standIn.intents.get(session.payment_intent ?? '')
      return intent && expanded.includes('payment_intent') ? { ...session, payment_intent: intent } : session
    }
    if (what === 'POST /v1/refunds') return refund(sent)
    if (kind === 'refunds') return first === '' ? list(standIn.refunds, sent) : one(standIn.refunds, first)
    if (what === 'POST /v1/payment_intents') return charge(sent)
    if (kind === 'payment_intents' && first === '') return list(standIn.intents, sent)
    if (kind === 'payment_intents') {
      const intent = one(standIn.intents, first)
      if (second === 'cancel') intent.status = 'canceled'
      return intent
    }
    if (kind === 'customers') {
      if (!standIn.customers.delete(first)) throw noSuch('customer', first)
      return { id: first, object: 'customer', deleted: true }
    }
    if (what === 'POST /v1/webhook_endpoints') return register(sent)
    if (kind === 'webhook_endpoints' && what.startsWith('DELETE ')) {
      if (!standIn.endpoints.delete(first)) throw noSuch('webhook_endpoint', first)
      return { id: first, object: 'webhook_endpoint', deleted: true }
    }
    if (kind === 'webhook_endpoints') {
      const { secret: _, ...shown } = one(standIn.endpoints, first)
      return shown
    }
    if (kind === 'balance') return { object: 'balance', available: [], pending: [], livemode: false }
    if (kind === 'disputes') return first === '' ? list(standIn.disputes, sent) : one(standIn.disputes, first)
    if (kind === 'setup_intents') return { object: 'list', data: [], has_more: false }
    throw refusal(404, 'url', `Unrecognized request URL (${what}).`)
  }

  const openSession = (sent: Params): Session => {
    if ('payment_method_types' in sent) throw refusal(400, 'parameter_unknown', 'Received unknown parameter')
    const { message } = ((sent['custom_text'] as Params | undefined)?.['submit'] ?? {}) as Params
    if (typeof message === 'string' && message.length > 1_200)
      throw refusal(400, 'parameter_invalid', 'custom_text[submit][message] must be at most 1200 characters.')
    const isSetup = sent['mode'] === 'setup'
    const [item] = Object.values((sent['line_items'] as Params | undefined) ?? {}) as [
      { price_data: { currency: string; unit_amount: string } }?,
    ]
    const expires = Number(sent['expires_at'])
    if (expires < now() + 30 * 60) throw refusal(400, 'parameter_invalid', 'expires_at is too soon')
    const name = id('cs_test')
    const session: Session = {
      id: name,
      object: 'checkout.session',
      mode: isSetup ? 'setup' : 'payment',
      amount_total: isSetup ? null : Number(item?.price_data.unit_amount),
      cancel_url: textIn(sent, 'cancel_url'),
      created: now(),
      currency: item?.price_data.currency ?? textIn(sent, 'currency'),
      customer: null,
      custom_text: {
        ...{ after_submit: null, shipping_address: null, terms_of_service_acceptance: null },
        submit: typeof message === 'string' ? { message } : null,
      },
      locale: sent['locale'] as Session['locale'],
      setup_intent: null,
      customer_email: typeof sent['customer_email'] === 'string' ? sent['customer_email'] : null,
      expires_at: expires,
      livemode: false,
      metadata: sent['metadata'] as Record<string, string>,
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: textIn(sent, 'success_url'),
      url: `${standIn.url}/pay/${name}`,
    }
    standIn.issued.add(`${standIn.url}/pay/${name}`)
    standIn.sessions.set(name, session)
    return session
  }

  const charge = (sent: Params): Intent => {
    const customer = textIn(sent, 'customer')
    if (!standIn.customers.has(customer)) throw noSuch('customer', customer)
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      amount: Number(sent['amount']),
      created: now(),
      currency: textIn(sent, 'currency'),
      customer,
      latest_charge: id('ch'),
      metadata: (sent['metadata'] ?? {}) as Record<string, string>,
      status: standIn.declines === undefined ? 'succeeded' : 'requires_payment_method',
      ...(standIn.declines !== undefined && { last_payment_error: { code: standIn.declines } }),
    }
    standIn.intents.set(intent.id, intent)
    if (standIn.declines !== undefined)
      throw new Refused(402, {
        type: 'card_error',
        code: standIn.declines,
        message: 'No.',
        payment_intent: intent,
      })
    return intent
  }

  const refund = async (sent: Params): Promise<Refund> => {
    const intent = one(standIn.intents, textIn(sent, 'payment_intent'))
    const amount = Number(sent['amount'] ?? intent.amount)
    const back = [...standIn.refunds.values()]
      .filter(
        (row) => row.payment_intent === intent.id && row.status !== 'failed' && row.status !== 'canceled',
      )
      .reduce((sum, row) => sum + row.amount, 0)
    if (back + amount > intent.amount)
      throw refusal(400, 'charge_already_refunded', `Charge ${intent.latest_charge} has been refunded.`)
    const disputed = [...standIn.disputes.values()].find((row) => row.payment_intent === intent.id)
    if (disputed && !endsWell.has(disputed.status))
      throw refusal(400, 'charge_disputed', `Charge ${intent.latest_charge} is disputed.`)
    const made: Refund = {
      id: id('re'),
      object: 'refund',
      amount,
      created: now(),
      currency: intent.currency,
      metadata: (sent['metadata'] ?? {}) as Record<string, string>,
      payment_intent: intent.id,
      status:
        standIn.refundsPend === false
          ? 'succeeded'
          : standIn.refundsPend === true
            ? 'pending'
            : 'requires_action',
    }
    standIn.refunds.set(made.id, made)
    await emit('refund.created', made)
    return made
  }

  const register = (sent: Params): Endpoint => {
    const endpoint: Endpoint = {
      id: id('we'),
      object: 'webhook_endpoint',
      enabled_events: Object.values(sent['enabled_events'] as Params) as string[],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url: textIn(sent, 'url'),
      secret: id('whsec'),
    }
    standIn.endpoints.set(endpoint.id, endpoint)
    return endpoint
  }

  const list = <Row extends { readonly id: string; readonly created: number }>(
    rows: Map<string, Row>,
    sent: Params,
  ): object => {
    const since = Number((sent['created'] as Params | undefined)?.['gte'] ?? 0)
    const until = Number((sent['created'] as Params | undefined)?.['lt'] ?? Number.MAX_SAFE_INTEGER)
    const intent = sent['payment_intent']
    const { customer, status } = sent
    const fitting = [...rows.values()]
      .filter((row) => row.created >= since && row.created < until)
      .filter(
        (row) => intent === undefined || (row as { payment_intent?: unknown }).payment_intent === intent,
      )
      .filter((row) => status === undefined || (row as { status?: unknown }).status === status)
      .filter((row) => customer === undefined || (row as { customer?: unknown }).customer === customer)
      .toReversed()
    const from = fitting.findIndex((row) => row.id === sent['starting_after']) + 1
    const most = Number(sent['limit'] ?? 10)
    return { object: 'list', data: fitting.slice(from, from + most), has_more: fitting.length > from + most }
  }

  /** A customer who was deleted is one of the session all the same, and is said to be deleted. */
  const listSessions = (sent: Params): object => {
    const expanded = Object.values((sent['expand'] as Params | undefined) ?? {})
    const listed = list(standIn.sessions, sent) as { data: Session[] }
    if (!expanded.includes('data.customer')) return listed
    const customerOf = ({ customer }: Session) =>
      typeof customer === 'string'
        ? { id: customer, object: 'customer', ...(!standIn.customers.has(customer) && { deleted: true }) }
        : customer
    return { ...listed, data: listed.data.map((one) => ({ ...one, customer: customerOf(one) })) }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://local')
    const body = await textOf(request)
    await standIn.beforeEach()
    if (pathname === '/') return dashboard(standIn, request.method ?? '', body, response)
    if (pathname.startsWith('/pay/')) return payPage(standIn, request.method ?? '', pathname, body, response)
    const what = `${request.method} ${pathname}`
    const sent = paramsOf(request.method === 'POST' ? new URLSearchParams(body) : searchParams)
    const idempotency = request.headers['idempotency-key']
    const callKey = typeof idempotency === 'string' ? idempotency : null
    standIn.calls.push({ what, sent, key: callKey })
    const send = (status: number, said: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    if (request.headers.authorization !== `Bearer ${standIn.key}`)
      return send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
    const how = standIn.trouble && what.startsWith(standIn.trouble.at) ? standIn.trouble.how : undefined
    if (how) standIn.trouble = undefined
    if (how === 'slow') return
    if (how === 'busy')
      return send(429, { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many' } })
    const kept = callKey === null ? undefined : answers.get(callKey)
    const said = JSON.stringify([what, sent])
    if (kept && kept.said !== said)
      return send(400, {
        error: { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' },
      })
    const finish = (status: number, result: object): void => {
      if (callKey !== null && !kept) answers.set(callKey, { said, status, body: structuredClone(result) })
      if (how === 'closed') return void response.destroy()
      if (how === 'slow after') return
      send(status, result)
    }
    if (kept) return send(kept.status, kept.body)
    if (how === 'failed') return finish(500, failure)
    try {
      const result = await act(what, sent)
      if (how === 'failed after') return finish(500, failure)
      finish(200, result)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      finish(error.status, { error: error.said })
    }
  }

  const server = createServer((request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    answer(request, response).catch(() => response.destroy())
  })
  const standIn: StripeStandIn = {
    url: '',
    key,
    sessions: new Map(),
    intents: new Map(),
    refunds: new Map(),
    customers: new Map(),
    endpoints: new Map(),
    disputes: new Map(),
    issued: new Set(),
    calls: [],
    trouble: undefined,
    denied: new Set(),
    callsOut: true,
    held: [],
    declines: undefined,
    refundsPend: false,
    clock,
    beforeEach: async () => undefined,
    reach: (url) => url,
    pay: async (name, how) => {
      const session = standIn.sessions.get(name)
      if (session?.status !== 'open' || session.expires_at <= now()) return undefined
      await settle(session, 'complete', how === 'in days' ? 'processing' : 'succeeded')
      return session
    },
    endPayment: async (name, status) => {
      const session = one(standIn.sessions, name)
      const intent = one(standIn.intents, session.payment_intent ?? '')
      intent.status = status === 'succeeded' ? 'succeeded' : 'requires_payment_method'
      if (status === 'succeeded') session.payment_status = 'paid'
      await emit(`checkout.session.async_payment_${status}`, session)
    },
    expire: async (name) => settle(one(standIn.sessions, name), 'expired'),
    endRefund: async (name, status) => {
      const made = one(standIn.refunds, name)
      made.status = status
      if (status === 'failed') made.failure_reason = 'lost_or_stolen_card'
      await emit(status === 'failed' ? 'refund.failed' : 'refund.updated', made)
    },
    refundThere: async (intent, amount) => {
      const sent = { payment_intent: intent, amount: String(amount) }
      return refund(sent)
    },
    dispute: async (intent, status) => {
      const before = [...standIn.disputes.values()].find((row) => row.payment_intent === intent)
      const { amount, currency } = one(standIn.intents, intent)
      const made: Dispute = before ?? {
        ...{ id: id('dp'), object: 'dispute', amount, currency, created: now(), metadata: {} },
        ...{ reason: 'fraudulent', status, payment_intent: intent },
        evidence_details: { due_by: now() + 9 * 86_400 },
      }
      made.status = status
      standIn.disputes.set(made.id, made)
      const isClosed = ['won', 'lost', 'warning_closed'].includes(status)
      await emit(`charge.dispute.${before ? (isClosed ? 'closed' : 'updated') : 'created'}`, made)
      return made
    },
    call: async (event) => {
      const payload = JSON.stringify(event)
      let status = 0
      for (const { url, secret } of standIn.endpoints.values()) {
        const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: secret ?? '' })
        const answered = await fetch(standIn.reach(url), {
          method: 'POST',
          headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
          body: payload,
        }).catch(() => undefined)
        status = answered?.status ?? 0
      }
      return status
    },
    forgetKeys: () => answers.clear(),
    stop: async () => {
      for (const response of open) response.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(standIn, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

class Refused extends Error {
  readonly status: number
  readonly said: object
  constructor(status: number, said: object) {
    super('refused')
    this.status = status
    this.said = said
  }
}

const refusal = (status: number, code: string, message = 'No.'): Refused =>
  new Refused(status, { type: 'invalid_request_error', code, message })

const noSuch = (kind: string, name: string): Refused =>
  refusal(404, 'resource_missing', `No such ${kind}: '${name}'`)

const failure = { error: { type: 'api_error', message: 'Something went wrong there.' } }

/** Disputes in which the money is the venue's, or was never taken. */
const endsWell: ReadonlySet<string> = new Set([
  'won',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
])

const one = <Row>(rows: Map<string, Row>, name: string): Row => {
  const row = rows.get(name)
  if (!row) throw noSuch('object', name)
  return row
}

const textIn = (sent: Params, name: string): string => {
  const value = sent[name]
  return typeof value === 'string' ? value : ''
}

/** `a[b][0]=c` as nested parameters. */
const paramsOf = (flat: URLSearchParams): Params => {
  const whole: Params = {}
  for (const [name, value] of flat) {
    const steps = name.replaceAll(']', '').split('[')
    const last = steps.pop() as string
    let place = whole
    for (const step of steps) place = (place[step] ??= {}) as Params
    place[last] = value
  }
  return whole
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
