import { setTimeout as pause } from 'node:timers/promises'
import type { BodyOf, Endpoint, ReplyOf } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { isBookingReason } from '@venue-data/contract/reasons.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, KeyCheck, KnownCaller } from '../../integrations/access/key-check.ts'
import type { Context, Work } from '../../context.ts'
import { CommitUnknown } from '../db/faults.ts'
import type { Gate } from '../db/gate.ts'
import type { Queries } from '../db/pool.ts'
import { type Moment, toMoment } from '../kernel/time/moment.ts'
import { Refusal, withDetails } from '../kernel/refusal.ts'
import {
  hidesContacts,
  looksForContact,
  maskedAnswer,
  maskedText,
  namesContact,
} from './records/contacts-hidden.ts'
import type { Venue } from '../../core/venue/venue.ts'
import {
  type Claim,
  type KeptAnswer,
  type StillStands,
  claimKey,
  keepAnswer,
  readIdempotencyKey,
  freeKey,
  settleClaim,
  settledSoon,
} from './idempotency.ts'
import { readQuery } from './read-query.ts'
import { type ContentHeaders, fieldReader, jsonObject } from './read-body.ts'
import { isWithin } from './addresses.ts'
import { deprecationHeaders } from './deprecation.ts'
import { matchesTag } from './records/etag.ts'
import { type Expected, readIfMatch } from './records/if-match.ts'
import { renderedPath, routedPath } from './path.ts'
import { tagInReply } from './records/record-tag.ts'
import {
  addressNotAllowed,
  apiKeyRequired,
  contactsHidden,
  keyInAuthorization,
  nothingToChange,
  ownSoftwareOnly,
  readOnlyKey,
  rotationOff,
  scopeMissing,
  staffOnly,
  tooManyRequests,
  unknownKey,
  venueGone,
  venueMayNot,
} from './refusals.ts'

/*
 * From a contract row to a route. What all endpoints share happens here, in the published order
 * (docs/api.md#order-of-checks): key, rate, venue, scope; body; Idempotency-Key; fields; stored answer; the action in
 * one transaction; the answer.
 */

export type Query = Readonly<Record<string, string | string[] | undefined>>

/** The input of a route's `read`: everything a 400 can be about. */
export type Asked<E extends Endpoint> = {
  readonly query: Query
  /** The path's parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly body: BodyOf<E>
  readonly venue: Venue
  readonly caller: Caller
  readonly now: Temporal.Instant
  /** The revision the caller expects; only where the row has a precondition. */
  readonly expected: Expected | undefined
  /** Aborted when the caller hangs up or has the answer; only where a call may wait. */
  readonly left: AbortSignal
}

/** What an answer to a GET has apart from its body. */
export type AnswerHead = {
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The tag of the state that was read, in quotes. A caller that sends it in `If-None-Match` gets 304 without a body.
   */
  readonly etag?: string
  /** The query of a list's next page, if there is one, and the cursor in it. */
  readonly next?: { readonly query: string; readonly cursor: string } | undefined
}

/** What serves a row of the contract. */
type Serving<E extends Endpoint, Input> = {
  /** Parses the request into the action's input. Throws 400; touches no data. */
  readonly read: (asked: Asked<E>) => Input
  /** Makes remote lookups, such as DNS, before the transaction; the action finds the results cached. */
  readonly before?: (work: Work, input: Input) => Promise<void>
  readonly answer: (work: Work, input: Input) => Promise<ReplyOf<E> & AnswerHead>
  /** `answer` opens its own transactions; its unit of work belongs to none. */
  readonly opensItsOwn?: true
  /**
   * Extra details for a refusal, if requested. They are looked up after the work has rolled back and released its
   * locks, and left out if that takes too long.
   */
  readonly refusalDetails?: (
    work: Work,
    input: Input,
    refusal: Refusal,
  ) => Promise<Record<string, unknown> | undefined>
  /** The record an answer is about, and whether it is still valid; for stored answers. */
  readonly keeps?: {
    readonly recordId: (body: ReplyOf<E>['body']) => number
    readonly stillStands: StillStands
  }
}

export type Route = Serving<Endpoint, unknown> & { readonly endpoint: Endpoint }

/** Ties a contract row to the code that serves it; the compiler checks body and replies against the row. */
export const route = <E extends Endpoint, Input>(endpoint: E, serving: Serving<E, Input>): Route =>
  ({ endpoint, ...serving }) as unknown as Route

/** 200 with a body. */
export const ok = <const Body>(body: Body) => ({ status: 200 as const, body })

/** 201 with the new record. */
export const created = <const Body>(body: Body) => ({ status: 201 as const, body })

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Content-Type and Content-Encoding as sent. */
    contentHeaders: ContentHeaders | undefined
  }
}

export type ServeParts = {
  readonly context: Context
  readonly checkKey: KeyCheck
  readonly gate: Gate
  /** How long a refusal waits for its extra details, in milliseconds. */
  readonly detailsMs: number
  /** The current position in a venue's change feed, for lists; undefined until it has been filled. */
  readonly positionOf?: (venue: Venue) => Promise<string | undefined>
}

export const serve = (app: FastifyInstance, parts: ServeParts, { endpoint, ...own }: Route): void => {
  const read = readerOf({ endpoint, ...own })
  const tagOf = tagInReply(endpoint)
  const admit = admission(parts, endpoint)
  const isList = endpoint.list !== undefined
  const counted = `${endpoint.method} ${endpoint.path}`
  const deprecation = deprecationHeaders(endpoint)
  app.route({
    method: endpoint.method,
    url: routedPath(endpoint),
    bodyLimit: endpoint.bodyLimit?.bytes ?? limits.bodyBytes,
    schema: { response: endpoint.replies },
    config: { endpoint },
    onRequest: async (request, reply) => {
      if (deprecation) reply.headers(deprecation)
      await admit(request, reply)
      if (endpoint.method !== 'GET') {
        // The router treats every body as JSON, regardless of its type; the parser checks the declared type.
        const { headers } = request.raw
        request.contentHeaders = {
          'content-type': headers['content-type'],
          'content-encoding': headers['content-encoding'],
          'transfer-encoding': headers['transfer-encoding']?.toLowerCase(),
        }
        headers['content-type'] = 'application/json'
      }
    },
    onResponse: (request, reply, done) => {
      if (request.caller) parts.context.usage.answered(request.caller.key.id, counted, reply.statusCode)
      done()
    },
    handler: async (request, reply) => {
      const caller = request.caller as Caller
      const venue = caller.venue as Venue
      const { context, gate } = parts
      const { query, params } = request as { query: Query; params: Record<string, string> }
      const { input, key } = read({
        query,
        params,
        body: request.body,
        venue,
        caller,
        idempotencyKey: () => readIdempotencyKey(request.headers['idempotency-key']),
        expected: () => readIfMatch(request.headers['if-match']),
        now: context.clock(),
        left: endpoint.waitsForSeconds === undefined ? nobodyWaits : hangingUp(reply),
      })
      const unit = (db: Queries) => ({ db: db.within(venue.id), venue, now: context.clock })

      // Nothing remote happens inside a transaction.
      if (endpoint.method === 'GET' || endpoint.callsOutForSeconds !== undefined || own.opensItsOwn) {
        // Before the rows: changes during the read come after this position.
        const position = isList ? await parts.positionOf?.(venue) : undefined
        if (position !== undefined) reply.header('x-changes-cursor', position)
        const { status, body: whole, headers, etag, next } = await own.answer(unit(context.db), input)
        const body = maskedAnswer(caller.key.scopes, endpoint, { status, body: whole })
        if (headers) reply.headers(headers)
        if (next) {
          // Without a configured URL the service cannot know the path prefix that a proxy adds.
          const { namedUrl } = context.config
          const base = namedUrl === undefined ? '' : namedUrl + renderedPath(endpoint.path, params)
          const links = [deprecation?.['link'], `<${base}?${next.query}>; rel="next"`].filter(Boolean)
          reply.headers({ link: links.join(', '), 'x-next-cursor': next.cursor })
        }
        if (etag === undefined) return reply.code(status).send(body)
        reply.header('etag', etag)
        return matchesTag(request.headers['if-none-match'], etag)
          ? reply.code(304).send()
          : reply.code(status).send(body)
      }
      const act = async (claim?: Claim): Promise<KeptAnswer> => {
        await own.before?.(unit(context.db), input)
        const kept = await gate(venue.id, () =>
          context.db.transaction(async (queries) => {
            const work = unit(queries)
            const { status, body } = await own.answer(work, input)
            const answer = {
              status,
              body: reply.code(status).serialize(body) as string,
              recordId: own.keeps?.recordId(body) ?? null,
            }
            if (claim) keepAnswer(work.db, claim, answer, work.now())
            return answer
          }),
        )
        context.bell.ring()
        return kept
      }
      const actOnce = async (): Promise<KeptAnswer> => {
        if (key === undefined) return act()
        const address = `${endpoint.method} ${renderedPath(endpoint.path, params)}`
        const { body } = request
        const stillStands = own.keeps?.stillStands
        const taken = await claimKey(context, { venue: venue.id, endpoint, address, key, body, stillStands })
        if ('claim' in taken) return finish(context, taken.claim, act)
        reply.header('idempotent-replayed', 'true')
        return taken.kept
      }
      try {
        const { status, body } = await actOnce()
        const { scopes } = caller.key
        const etag = tagOf(body, scopes)
        if (etag !== undefined) reply.header('etag', etag)
        return sendText(reply, status, maskedText(scopes, endpoint, { status, body }))
      } catch (error) {
        if (error instanceof Refusal) countRefused(context, caller, error)
        throw error instanceof Refusal
          ? await withRefusalDetails(own, {
              work: unit(context.db),
              input,
              refusal: error,
              ms: parts.detailsMs,
            })
          : error
      }
    },
  })
}

/** After the work was undone: a refusal leaves nothing behind, and a count of it is no part of the work. */
const countRefused = (
  { demand }: Pick<Context, 'demand'>,
  { venue, key }: Caller,
  { table, reason }: Refusal,
): void => {
  if (table && venue && reason !== undefined && isBookingReason(reason))
    demand.refused({ venue: venue.id, asker: `key ${key.id}`, table, reason, door: 'api' })
}

/** A request as its row reads it; its headers are read in their own step. */
export type Sent = Omit<Asked<Endpoint>, 'body' | 'expected'> & {
  readonly body: unknown
  readonly idempotencyKey?: () => string | undefined
  readonly expected?: () => Expected | undefined
}

/**
 * How a row reads requests: the action's input and the Idempotency-Key. Every 400 is thrown here, in the published
 * order.
 */
export const readerOf = ({ endpoint, read }: Pick<Route, 'endpoint' | 'read'>) => {
  const readFields = endpoint.body && fieldReader(endpoint.body, endpoint)
  return (sent: Sent): { readonly input: unknown; readonly key: string | undefined } => {
    const json = readFields && jsonObject(sent.body ?? (endpoint.bodyOptional && {}))
    const key = endpoint.idempotency && sent.idempotencyKey?.()
    for (const field of endpoint.refusedFields ?? [])
      if (json && Object.hasOwn(json, field)) throw staffOnly(field)
    if (json && hidesContacts(sent.caller.key.scopes) && namesContact(endpoint, json)) throw contactsHidden()
    const expected = endpoint.precondition && sent.expected?.()
    const body = (json && readFields(json)) as never
    if (endpoint.method === 'PATCH' && Object.keys(body).length === 0) throw nothingToChange(endpoint)
    const { params, venue, caller, now, left } = sent
    const input = readQuery(sent.query, (query) =>
      read({ query, params, body, venue, caller, now, expected, left }),
    )
    return { input, key }
  }
}

/** A refusal with its row's extra details, if requested and found in time. */
export const withRefusalDetails = async (
  { refusalDetails }: Pick<Route, 'refusalDetails'>,
  {
    work,
    input,
    refusal,
    ms,
  }: { readonly work: Work; readonly input: unknown; readonly refusal: Refusal; readonly ms: number },
): Promise<Refusal> => {
  if (!refusalDetails) return refusal
  const found = refusalDetails(work, input, refusal).catch(() => undefined)
  const details = await Promise.race([found, pause(ms, undefined, { ref: false })])
  return details ? withDetails(refusal, details) : refusal
}

/** The value of `left` where a call cannot wait. */
export const nobodyWaits = new AbortController().signal

const hangingUp = (reply: FastifyReply): AbortSignal => {
  const leaving = new AbortController()
  reply.raw.once('close', () => leaving.abort())
  return leaving.signal
}

/** Does the work of a claim; on any failure the key ends in the state the contract requires. */
const finish = async (
  context: Context,
  claim: Claim,
  act: (claim: Claim) => Promise<KeptAnswer>,
): Promise<KeptAnswer> => {
  try {
    return await act(claim)
  } catch (error) {
    const settling = error instanceof CommitUnknown ? settleClaim(context, claim) : freeKey(context, claim)
    const answer = await settledSoon(settling)
    if (answer) return answer
    throw error
  }
}

const sendText = (reply: FastifyReply, status: number, body: string): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(body)

/**
 * Whether `Authorization` holds an API key, where it does not belong: bare, as a bearer token, or as `curl -u` sends
 * it.
 */
const holdsKey = (authorization: string): boolean => {
  const [, basic] = /^basic +(\S+)$/i.exec(authorization) ?? []
  const given = basic === undefined ? authorization : Buffer.from(basic, 'base64').toString('latin1')
  return /^(?:bearer +|:)?service_sk_\w/i.test(given)
}

/** Key, rate, venue and scope: everything checked before the body is read. */
const admission =
  ({ checkKey, context }: ServeParts, endpoint: Endpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const header = request.headers['x-service-key']
    const counted = typeof header === 'string' ? await checkKey(header) : undefined
    if (!counted) {
      const { authorization = '' } = request.headers
      throw !header && holdsKey(authorization) ? keyInAuthorization() : unknownKey()
    }
    const caller = { ...counted, address: request.ip }
    request.caller = caller

    const { limit, left, resetSeconds } = caller.rate
    context.usage.inMinute(caller.key.id, limit - left)
    const remaining = Math.max(0, left)
    reply.headers({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
      'ratelimit-policy': `"key";q=${limit};w=${limits.rateWindowSeconds}`,
      ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
    })
    const { expiresAt } = caller.key
    if (expiresAt !== null && isNear(expiresAt, context.clock())) reply.header('x-key-expires', expiresAt)
    if (left < 0) throw tooManyRequests(limit, resetSeconds)
    refuseCaller(endpoint, caller, request.query as Query)
  }

/** Whether a key expires soon enough that answers warn about it. */
const isNear = (expiresAt: Moment, now: Temporal.Instant): boolean =>
  expiresAt <= toMoment(now.add({ hours: 24 * limits.keyExpiryToldDays[0] }))

/** Refuses a caller whose venue or key may not do this, or whose address is not allowed. */
export const refuseCaller = (
  endpoint: Endpoint,
  { venue, admitted, key, address }: KnownCaller & Pick<Caller, 'address'>,
  query: Query,
): void => {
  if (!venue) throw venueGone()
  if (!admitted) throw venueMayNot()
  const { kind, scope, scopes, allowedAddresses } = key
  if (allowedAddresses.length > 0 && !isWithin(allowedAddresses, address)) throw addressNotAllowed(address)
  // For campaigns the key's kind is checked before its scope, because no other scope would help.
  if (endpoint.reasons?.includes('api-key-required') && kind !== 'api') throw apiKeyRequired()
  if (endpoint.access !== 'any-key' && scope === 'read') throw readOnlyKey(endpoint)
  if (endpoint.access === 'own-software' && kind !== 'api') throw ownSoftwareOnly()
  if (endpoint.scope && !scopes.includes(endpoint.scope)) throw scopeMissing(endpoint.scope)
  if (endpoint.reasons?.includes('rotation-off') && !key.mayRotate) throw rotationOff()
  if (hidesContacts(scopes) && (endpoint.looksUpPerson === true || looksForContact(endpoint, query)))
    throw contactsHidden()
}
