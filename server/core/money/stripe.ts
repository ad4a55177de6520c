import { Stripe } from 'stripe'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { fromProcessor, toProcessor } from './currency.ts'
import { standInKey } from './stand-in-key.ts'
import {
  type CardKept,
  type CardThere,
  type ChargeAsked,
  type DisputeSeen,
  type MovedThere,
  type Outcome,
  type PagePaid,
  type PaymentSeen,
  type Permissions,
  type Processor,
  type ProcessorCall,
  type Processors,
  type RefundSeen,
  type SessionAsked,
  type SessionSeen,
  answerMs,
} from './processor.ts'

/*
 * Stripe, by its own package: the only file that knows its words. The version of its interface is pinned, since an answer
 * of another version may mean something else.
 */

const apiVersion = '2026-10-28.endive'

/** @param base another address for Stripe's, such as that of a stand-in */
export const stripeProcessors = (base?: string, waits = answerMs): Processors => ({
  of: (key, patience) => processorOf(clientOf(key, waits[patience], base)),
  readCall: (body, signature, signing) => {
    try {
      return callOf(Stripe.webhooks.constructEvent(body, signature, signing))
    } catch {
      return undefined
    }
  },
})

const clientOf = (key: string, timeout: number, base: string | undefined): Stripe => {
  const url = base === undefined ? undefined : new URL(base)
  return new Stripe(key, {
    apiVersion,
    telemetry: false,
    timeout,
    maxNetworkRetries: 0,
    ...(url === undefined && key === standInKey && { httpClient: asksNobody() }),
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      protocol: url.protocol === 'https:' ? 'https' : 'http',
    }),
  })
}

/** Answers as Stripe does to a key that it does not know, and asks nobody: a key of the stand-in goes to no other. */
const asksNobody = (): ReturnType<typeof Stripe.createFetchHttpClient> =>
  Stripe.createFetchHttpClient(async () =>
    Response.json(
      { error: { type: 'invalid_request_error', message: 'This is a key of the stand-in.' } },
      { status: 401 },
    ),
  )

const processorOf = (stripe: Stripe): Processor => ({
  openSession: (asked) => outcomeOf(async () => sessionSeen(await openSession(stripe, asked))),
  lookAtSession: (id) =>
    outcomeOf(async () =>
      sessionSeen(
        await stripe.checkout.sessions.retrieve(id, { expand: ['setup_intent', 'payment_intent'] }),
      ),
    ),
  expireSession: (id) => outcomeOf(async () => sessionSeen(await stripe.checkout.sessions.expire(id))),
  findSession: (ref, since) =>
    outcomeOf(async () => {
      const listed = stripe.checkout.sessions.list({
        created: { gte: seconds(since) - clockSkewSeconds },
        limit: 100,
      })
      const found = await firstOf(listed, ({ metadata }) => metadata?.['ref'] === ref)
      return found ? sessionSeen(found) : null
    }),
  pageOf: (payment) => outcomeOf(() => pageOf(stripe, payment)),
  refund: ({ paymentRef, amountCents, currency, ...asked }) =>
    outcomeOf(async () =>
      refundSeen(
        await stripe.refunds.create(
          {
            payment_intent: paymentRef,
            amount: toProcessor(amountCents, currency),
            metadata: nameOf(asked),
          },
          { idempotencyKey: `${asked.ref}:${asked.try}` },
        ),
      ),
    ),
  charge: (asked) => outcomeOf(() => charge(stripe, asked)),
  lookAtPayment: (id) => outcomeOf(async () => paymentSeen(await stripe.paymentIntents.retrieve(id))),
  findPayment: (customer, ref) =>
    outcomeOf(async () => {
      const listed = stripe.paymentIntents.list({ customer, limit: 100 })
      const found = await firstOf(listed, ({ metadata }) => metadata['ref'] === ref)
      return found ? paymentSeen(found) : null
    }),
  chargesOf: (customer) => outcomeOf(() => paidThere(stripe, { customer, limit: 100 })),
  cancelPayment: (id) => outcomeOf(async () => paymentSeen(await stripe.paymentIntents.cancel(id))),
  deleteCustomer: (id) =>
    outcomeOf(async () => {
      await stripe.customers.del(id)
      return true as const
    }),
  lookAtRefund: (id) => outcomeOf(async () => refundSeen(await stripe.refunds.retrieve(id))),
  lookAtDispute: (id) => outcomeOf(async () => disputeSeen(await stripe.disputes.retrieve(id))),
  refundsOf: (payment) => outcomeOf(() => refundedThere(stripe, { payment_intent: payment, limit: 100 })),
  findRefund: (paymentRef, ref) =>
    outcomeOf(async () => {
      const listed = stripe.refunds.list({ payment_intent: paymentRef, limit: 100 })
      const found = await firstOf(listed, ({ metadata }) => metadata?.['ref'] === ref)
      return found ? refundSeen(found) : null
    }),
  movedBetween: (from, to) => outcomeOf(() => movedBetween(stripe, from, to)),
  refundsFailedOf: (from, to) => outcomeOf(() => refundsFailedOf(stripe, from, to)),
  cardsKeptBetween: (from, to) => outcomeOf(() => cardsKeptBetween(stripe, from, to)),
  disputesBetween: (from, to) => outcomeOf(() => disputesBetween(stripe, from, to)),
  tryAll: (probe) => outcomeOf(() => tryAll(stripe, probe)),
  register: (url, ref) =>
    outcomeOf(async () => {
      const made = await stripe.webhookEndpoints.create(
        { url, enabled_events: [...eventKinds], api_version: apiVersion, metadata: { ref } },
        { idempotencyKey: `${ref}:callback` },
      )
      return { callbackRef: made.id, signing: made.secret ?? null }
    }),
  unregister: (id) =>
    outcomeOf(async () => {
      await stripe.webhookEndpoints.del(id)
      return true as const
    }),
  callbackIsWell: (id, url) =>
    outcomeOf(async () => {
      const endpoint = await stripe.webhookEndpoints.retrieve(id)
      return (
        endpoint.status === 'enabled' &&
        endpoint.url === url &&
        eventKinds.every((kind) => ['*', kind].some((one) => endpoint.enabled_events.includes(one)))
      )
    }),
  owns: async ({ callbackRef, sessionRef }) => {
    const seen = await outcomeOf<unknown>(async () => {
      if (sessionRef !== undefined) return stripe.checkout.sessions.retrieve(sessionRef)
      return callbackRef === undefined ? undefined : stripe.webhookEndpoints.retrieve(callbackRef)
    })
    if (seen.kind === 'gone') return { kind: 'done', value: false }
    return seen.kind === 'done' ? { kind: 'done', value: true } : seen
  },
})

/** What we are called about. */
export const eventKinds = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const

/** Cards only; nothing on the page changes the sum, the currency or who is remembered. */
const openSession = (stripe: Stripe, asked: SessionAsked): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.create(
    {
      ...(asked.mode === 'setup' ? keepsCard(asked) : takesMoney(asked)),
      allowed_payment_method_types: ['card'],
      wallet_options: { link: { display: 'never' } },
      ...(asked.email !== null && { customer_email: asked.email }),
      ...(asked.sentence !== null && { custom_text: { submit: { message: forSubmit(asked.sentence) } } }),
      locale: asked.language,
      expires_at: seconds(asked.endsAt),
      success_url: asked.backUrl,
      cancel_url: asked.cancelUrl,
      // A page that keeps a card has no sum of its own.
      metadata: { ...nameOf(asked), ...(asked.mode === 'setup' && { amount: String(asked.amountCents) }) },
    },
    { idempotencyKey: `${asked.ref}:${asked.try}` },
  )

/** As long as the text beside its button may be. */
const submitCharacters = 1_200

/** The end of what is longer: what is agreed to now is the last of it. */
const forSubmit = (sentence: string): string =>
  sentence.length <= submitCharacters ? sentence : `…${sentence.slice(1 - submitCharacters).toWellFormed()}`

/** What names an object as ours, as this venue's, and as one of a booking. */
const nameOf = ({
  ref,
  venue,
  booking = null,
}: Pick<SessionAsked, 'ref' | 'venue'> & Partial<Pick<SessionAsked, 'booking'>>) => ({
  ...{ ref, venue: String(venue) },
  ...(booking !== null && { booking }),
})

const pageOf = async (stripe: Stripe, payment: string): Promise<PagePaid | null> => {
  const { data } = await stripe.checkout.sessions.list({ payment_intent: payment, limit: 1 })
  const [page] = data
  return page === undefined ? null : pageSeen(page)
}

const pageSeen = (page: Stripe.Checkout.Session): PagePaid => ({
  madeAt: momentOf(page.created),
  sentence: page.custom_text.submit?.message ?? '',
  language: page.locale ?? 'en',
})

const takesMoney = (asked: SessionAsked): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  adaptive_pricing: { enabled: false },
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: asked.currency.toLowerCase(),
        unit_amount: toProcessor(asked.amountCents, asked.currency),
        product_data: { name: asked.title },
      },
    },
  ],
  payment_intent_data: { metadata: nameOf(asked) },
})

/** A customer is made for the one card, and deleted with it. */
const keepsCard = (asked: SessionAsked): Stripe.Checkout.SessionCreateParams => ({
  mode: 'setup',
  currency: asked.currency.toLowerCase(),
  customer_creation: 'always',
  setup_intent_data: { metadata: nameOf(asked) },
})

/** A card is refused by an error that names the payment: nothing was taken, and the same key says so again. */
const charge = async (stripe: Stripe, asked: ChargeAsked): Promise<PaymentSeen> => {
  try {
    return paymentSeen(
      await stripe.paymentIntents.create(
        {
          amount: toProcessor(asked.amountCents, asked.currency),
          currency: asked.currency.toLowerCase(),
          customer: asked.customerRef,
          payment_method: asked.methodRef,
          allowed_payment_method_types: ['card'],
          off_session: true,
          confirm: true,
          description: asked.title,
          metadata: nameOf(asked),
        },
        { idempotencyKey: `${asked.ref}:${asked.try}` },
      ),
    )
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    const { payment_intent: intent, code, decline_code: declined } = error
    if (intent === undefined) throw error
    return {
      paymentRef: intent.id,
      ref: asked.ref,
      state: 'failed',
      // The library has an empty word where the bank gave none.
      why: code === guestNeeded ? 'guest-needed' : declined || code || null,
    }
  }
}

const guestNeeded = 'authentication_required'

/** The bank's wish for the guest is the end of a charge without one. */
const paymentSeen = ({
  id,
  metadata,
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): PaymentSeen => ({
  paymentRef: id,
  ref: metadata['ref'] ?? null,
  state: status === 'succeeded' ? 'succeeded' : status === 'processing' ? 'pending' : 'failed',
  why:
    status === 'requires_action' || error?.code === guestNeeded
      ? 'guest-needed'
      : (error?.decline_code ?? error?.code ?? null),
})

const sessionSeen = (session: Stripe.Checkout.Session): SessionSeen => {
  const currency = session.currency?.toUpperCase() ?? null
  const card = cardOf(session)
  return {
    sessionRef: session.id,
    ref: session.metadata?.['ref'] ?? null,
    state: sessionStates[session.status ?? 'open'] ?? 'open',
    isPaid: session.payment_status === 'paid' || card !== null,
    isFailed: hasFailed(session),
    card,
    amountCents:
      session.amount_total === null || currency === null
        ? null
        : fromProcessor(session.amount_total, currency),
    currency,
    paymentRef: idOf(session.payment_intent),
    url: session.url,
  }
}

/** A way to pay that takes days was chosen, and its money does not come. */
const hasFailed = ({ payment_status: paid, payment_intent: intent }: Stripe.Checkout.Session): boolean =>
  paid === 'unpaid' &&
  intent !== null &&
  typeof intent !== 'string' &&
  (intent.status === 'requires_payment_method' || intent.status === 'canceled')

/** The card that was kept; where it is known only by its id, the next look has it whole. */
const cardOf = ({ customer, setup_intent: setup }: Stripe.Checkout.Session): CardKept | null => {
  if (setup === null || typeof setup === 'string' || setup.status !== 'succeeded') return null
  const [customerRef, methodRef] = [customer, setup.payment_method].map((one) =>
    typeof one === 'string' ? one : one?.id,
  )
  return customerRef === undefined || methodRef === undefined ? null : { customerRef, methodRef }
}

const sessionStates: Readonly<Record<string, SessionSeen['state']>> = {
  complete: 'complete',
  expired: 'expired',
}

const refundSeen = (refund: Stripe.Refund): RefundSeen => ({
  refundRef: refund.id,
  ref: refund.metadata?.['ref'] ?? null,
  state: refundStates[refund.status ?? 'pending'] ?? 'pending',
  why: refund.failure_reason ?? null,
  paymentRef: idOf(refund.payment_intent),
  amountCents: fromProcessor(refund.amount, refund.currency.toUpperCase()),
  currency: refund.currency.toUpperCase(),
})

const movedBetween = async (
  stripe: Stripe,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<MovedThere[]> => {
  const asked = madeBetween(from, to)
  return [...(await paidThere(stripe, asked)), ...(await refundedThere(stripe, asked))]
}

const refundedThere = async (stripe: Stripe, asked: Stripe.RefundListParams): Promise<MovedThere[]> => {
  const refunds: MovedThere[] = []
  for await (const one of stripe.refunds.list(asked)) {
    const { id, metadata, status, amount, currency, created, payment_intent: intent } = one
    const state = refundStates[status ?? ''] ?? 'pending'
    if (state === 'failed') continue
    const isUnderWay = state === 'pending'
    const named = { what: 'refund', objectRef: id, paymentRef: idOf(intent), isUnderWay } as const
    const movedAt = momentOf(created)
    refunds.push({ ...named, movedAt, customerRef: null, ...movedOf(metadata, amount, currency) })
  }
  return refunds
}

/** By the list of all, as Stripe has no list of those that failed. */
const refundsFailedOf = async (
  stripe: Stripe,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<string[]> => {
  const failed: string[] = []
  for await (const { id, status } of stripe.refunds.list(madeBetween(from, to)))
    if (refundStates[status ?? ''] === 'failed') failed.push(id)
  return failed
}

const paidThere = async (stripe: Stripe, asked: Stripe.PaymentIntentListParams): Promise<MovedThere[]> => {
  const paid: MovedThere[] = []
  for await (const one of stripe.paymentIntents.list(asked)) {
    const { id, metadata, status, amount, currency, created, customer } = one
    if (status !== 'succeeded') continue
    const named = { what: 'payment', objectRef: id, paymentRef: id, isUnderWay: false } as const
    const movedAt = momentOf(created)
    paid.push({
      ...{ ...named, movedAt, customerRef: idOf(customer ?? null) },
      ...movedOf(metadata, amount, currency),
    })
  }
  return paid
}

const cardsKeptBetween = async (
  stripe: Stripe,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<CardThere[]> => {
  const kept: CardThere[] = []
  for await (const session of stripe.checkout.sessions.list({
    ...madeBetween(from, to),
    ...{ status: 'complete', expand: ['data.customer', 'data.setup_intent'] },
  })) {
    const { customer, metadata, currency } = session
    const isGone = customer !== null && typeof customer !== 'string' && customer.deleted === true
    const card = session.mode === 'setup' && !isGone ? cardOf(session) : null
    if (card === null) continue
    const amount = Number(metadata?.['amount'] ?? Number.NaN)
    const { ref, venue, booking } = namesIn(metadata)
    kept.push({
      ...{ sessionRef: session.id, ref, venue, booking, card, page: pageSeen(session) },
      amountCents: Number.isSafeInteger(amount) ? amount : null,
      currency: (currency ?? 'usd').toUpperCase(),
    })
  }
  return kept
}

const namesIn = (metadata: Stripe.Metadata | null) => ({
  ref: metadata?.['ref'] ?? null,
  venue: metadata?.['venue'] ?? null,
  booking: metadata?.['booking'] ?? null,
})

const movedOf = (metadata: Stripe.Metadata | null, amount: number, currency: string) => ({
  ...namesIn(metadata),
  amountCents: fromProcessor(amount, currency.toUpperCase()),
  currency: currency.toUpperCase(),
})

const disputeSeen = (dispute: Stripe.Dispute): DisputeSeen => {
  const isWarning = dispute.status.startsWith('warning')
  const due = dispute.evidence_details.due_by
  return {
    disputeRef: dispute.id,
    state: isWarning ? 'warning' : (disputeStates[dispute.status] ?? 'open'),
    isOver: overDisputes.has(dispute.status),
    paymentRef: idOf(dispute.payment_intent),
    amountCents: fromProcessor(dispute.amount, dispute.currency.toUpperCase()),
    currency: dispute.currency.toUpperCase(),
    reason: dispute.reason,
    dueAt: due === null ? null : momentOf(due),
  }
}

const disputesBetween = async (
  stripe: Stripe,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<DisputeSeen[]> => {
  const disputes: DisputeSeen[] = []
  for await (const dispute of stripe.disputes.list(madeBetween(from, to))) disputes.push(disputeSeen(dispute))
  return disputes
}

const disputeStates: Readonly<Record<string, DisputeSeen['state']>> = {
  won: 'won',
  prevented: 'won',
  lost: 'lost',
}
const overDisputes: ReadonlySet<string> = new Set(['won', 'lost', 'prevented', 'warning_closed'])

const idOf = (object: string | { readonly id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null)

const refundStates: Readonly<Record<string, RefundSeen['state']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

/** An object that no account has: a key that may write answers "no such", one that may not says so. */
const none = 'none0000000000'

const tryAll = async (stripe: Stripe, probe: SessionAsked): Promise<Permissions> => {
  const tries: readonly (readonly [permission: string, () => Promise<unknown>])[] = [
    [
      'Checkout Sessions (write)',
      async () => stripe.checkout.sessions.expire((await openSession(stripe, probe)).id),
    ],
    ['Charges and Refunds (write)', () => stripe.refunds.create({ payment_intent: `pi_${none}` })],
    ['PaymentIntents (write)', () => stripe.paymentIntents.cancel(`pi_${none}`)],
    ['Customers (write)', () => stripe.customers.del(`cus_${none}`)],
    ['SetupIntents (read)', () => stripe.setupIntents.list({ limit: 1 })],
    ['Disputes (read)', () => stripe.disputes.list({ limit: 1 })],
    ['Balance (read)', () => stripe.balance.retrieve()],
  ]
  const found = await Promise.all(
    tries.map(async ([permission, attempt]): Promise<string | undefined> => {
      try {
        await attempt()
        return undefined
      } catch (error) {
        if (isNoSuch(error)) return undefined
        if (error instanceof Stripe.errors.StripePermissionError) return permission
        throw error
      }
    }),
  )
  return { missing: found.filter((one) => one !== undefined) }
}

const isNoSuch = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

const callOf = ({ id, type, livemode, data }: Stripe.Event): ProcessorCall | undefined => {
  const { id: objectRef } = data.object as { readonly id?: unknown }
  return typeof objectRef === 'string' ? { eventRef: id, kind: type, objectRef, live: livemode } : undefined
}

const outcomeOf = async <T>(call: () => Promise<T>): Promise<Outcome<T>> => {
  try {
    return { kind: 'done', value: await call() }
  } catch (error) {
    if (isNoSuch(error)) return { kind: 'gone' }
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    if (error instanceof Stripe.errors.StripeConnectionError && neverLeft.has(codeOf(error.detail) ?? ''))
      return { kind: 'unreached' }
    // The key was used with other parameters, so an earlier call with it may have been carried out.
    if (error instanceof Stripe.errors.StripeIdempotencyError) return { kind: 'failed' }
    const status = error.statusCode ?? 0
    if (status >= 500) return { kind: 'failed' }
    if (status < 400 || status === 409 || status === 429) return { kind: 'unanswered' }
    const code = error.code ?? error.type
    if (status === 401 || status === 403) return { kind: 'denied', code }
    return { kind: 'refused', code, answer: error.message }
  }
}

/** Before a connection there was nothing to carry out. */
const neverLeft: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
])

/** How far our clock may be from theirs: what is not found is opened once more. */
const clockSkewSeconds = 3_600

/** The newest first: how far back a list is read. */
const mostListed = 1_000

const firstOf = async <T>(
  listed: Stripe.ApiListPromise<T>,
  isIt: (one: T) => boolean,
): Promise<T | undefined> => {
  let seen = 0
  for await (const one of listed) {
    if (isIt(one)) return one
    if (++seen >= mostListed) return undefined
  }
  return undefined
}

/** What is asked of any list: all that was made in that time, a page of a hundred after the other. */
const madeBetween = (from: Temporal.Instant, to: Temporal.Instant) => ({
  created: { gte: seconds(from), lt: seconds(to) },
  limit: 100,
})

const seconds = (moment: Temporal.Instant): number => Math.floor(moment.epochMilliseconds / 1_000)
const momentOf = (secondsThere: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(secondsThere * 1_000)
