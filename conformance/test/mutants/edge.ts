import type { Asked, Broken } from '../broken-proxy.ts'
import { answering, asking, bodyOf, instead, json, mutant } from './mutant.ts'

const unauthorized = { error: 'The API key is missing, unknown or revoked.' }
const keyOf = ({ headers }: Asked): string => headers['x-service-key'] ?? ''

/** Takes every key for the one that may do everything. */
const withFullKey =
  (where: (asked: Asked) => boolean) =>
  (fullKey: string): Broken => ({
    request: (asked, next) =>
      next(where(asked) ? { ...asked, headers: { ...asked.headers, 'x-service-key': fullKey } } : asked),
  })

export const edgeMutants = [
  mutant(
    'knows no key in the header',
    ['Authentication 1'],
    instead('GET /me', () => json(401, unauthorized)),
  ),
  mutant('keeps automation keys from writing', ['Authentication 6'], (fullKey) =>
    instead('POST *', (asked) =>
      keyOf(asked) === fullKey ? undefined : json(403, { error: 'This key is read-only.' }),
    )(),
  ),
  mutant(
    'shows campaigns to every key',
    ['Scopes 1.2'],
    withFullKey(({ method, path }) => method === 'GET' && path.startsWith('/campaigns')),
  ),
  mutant(
    'takes a key in the address',
    ['Authentication 2.1'],
    asking('GET *', ({ query, headers }) => {
      headers['x-service-key'] ??= query.get('key') ?? ''
    }),
  ),
  mutant(
    'takes a key in Authorization',
    ['Authentication 2.2'],
    asking('* *', ({ headers }) => {
      headers['x-service-key'] ??= headers['authorization']?.replace(/^Bearer /, '') ?? ''
    }),
  ),
  mutant(
    'takes an unknown key for 403',
    ['Authentication 3', 'Authentication 7.1'],
    answering('* *', (answer) => {
      if (answer.status === 401) answer.status = 403
    }),
  ),
  mutant(
    'distinguishes a missing key from an unknown one',
    ['Authentication 7.1'],
    instead('* *', (asked) =>
      'x-service-key' in asked.headers || asked.path.includes('nothing')
        ? undefined
        : json(401, { error: 'Send a key.' }),
    ),
  ),
  mutant(
    'calls every key one that writes',
    ['Authentication 4.2'],
    answering('GET /me', ({ body }) => {
      if (body.key) body.key.scope = 'read_write'
    }),
  ),
  mutant(
    'has words of its own for scopes',
    ['Authentication 4.1'],
    answering('GET /me', ({ body }) => {
      if (body.key) body.key.scope = 'write'
    }),
  ),
  mutant(
    'keeps a read-only key from searches',
    ['Authentication 5.1'],
    answering('GET /*/find', (answer) => {
      if (answer.status === 200) Object.assign(answer, json(403, { error: 'This key is read-only.' }))
    }),
  ),
  mutant(
    'does not say that a key is read-only',
    ['Authentication 5.2'],
    answering('* *', ({ status, body }) => {
      if (status === 403) body.error = 'Not allowed.'
    }),
  ),
  mutant(
    'takes a revoked key',
    ['Authentication 7.2'],
    instead('GET /me', async (asked, next) => {
      const answer = await next(asked)
      return answer.status === 401 && keyOf(asked) ? json(200, { venue: {}, plan: 'pro', key: {} }) : answer
    }),
  ),
  mutant(
    'checks the key before the address',
    ['Order of checks 1', 'Errors 404.1'],
    instead('* *', (asked) => (keyOf(asked) ? undefined : json(401, unauthorized))),
  ),
  mutant(
    'checks the body before the key',
    ['Order of checks 2'],
    instead('POST *', (asked) =>
      bodyOf(asked) === undefined && asked.text !== undefined
        ? json(400, { error: 'The body is not JSON.' })
        : undefined,
    ),
  ),
  mutant(
    'checks the size before the key',
    ['Order of checks 2'],
    instead('POST *', ({ text = '' }) =>
      text.length > 65_536 ? json(400, { error: 'The request is too large.' }) : undefined,
    ),
  ),
  mutant(
    'checks the query before the key',
    ['Order of checks 2'],
    instead('GET *', ({ query }) =>
      query.get('limit') === 'ten' ? json(400, { error: 'limit must be a whole number.' }) : undefined,
    ),
  ),
  mutant(
    'checks the Idempotency-Key before what a key may do',
    ['Order of checks 3'],
    instead('POST *', ({ headers }) =>
      headers['idempotency-key']?.includes(' ')
        ? json(400, { error: 'Idempotency-Key has a blank.' })
        : undefined,
    ),
  ),
  mutant(
    'checks JSON before the size',
    ['Order of checks 5'],
    instead('POST /tasks', (asked) =>
      bodyOf(asked) === undefined ? json(400, { error: 'The body is not JSON.' }) : undefined,
    ),
  ),
  mutant(
    'checks fields before the Idempotency-Key',
    ['Order of checks 5'],
    instead('POST /tasks', (asked) =>
      bodyOf(asked) && !bodyOf(asked).title ? json(400, { error: 'title is required.' }) : undefined,
    ),
  ),
  mutant(
    'checks the rules before the Idempotency-Key',
    ['Order of checks 6'],
    instead('POST /reservations', (asked) =>
      bodyOf(asked)?.date < '2021'
        ? json(409, { error: 'That time has passed.', reason: 'in-the-past' })
        : undefined,
    ),
  ),
  mutant(
    'checks the Idempotency-Key before the fields',
    ['Order of checks 6'],
    instead('POST /reservations', (asked) =>
      typeof bodyOf(asked)?.partySize === 'string'
        ? json(409, { error: 'Used.', reason: 'different-body' })
        : undefined,
    ),
  ),
  mutant(
    'has an object for the sentence',
    ['Errors 1'],
    answering('* *', ({ status, body }) => {
      if (status >= 400 && body?.error) body.error = { message: body.error }
    }),
  ),
  mutant(
    'has the sentence in message',
    ['Errors 1'],
    answering('* *', (answer) => {
      if (answer.status >= 400) answer.body = { message: answer.body?.error }
    }),
  ),
  mutant(
    'adds its framework’s fields to refusals',
    ['Errors 1'],
    answering('* *', ({ status, body }) => {
      if (status >= 400 && body) body.statusCode = status
    }),
  ),
  mutant(
    'shows a stack',
    ['Errors 2'],
    answering('* *', ({ status, body }) => {
      if (status === 400) body.error = 'Error: Unexpected token at parse (server/platform/http/body.ts:12:7).'
    }),
  ),
  mutant(
    'fails at a strange address',
    ['Errors 2'],
    instead('GET /reservations/9*', () => json(500, { error: 'Something went wrong.' })),
  ),
  mutant(
    'refuses unreadable JSON with 422',
    ['Errors 400.1'],
    answering('POST *', (answer) => {
      if (answer.status === 400) answer.status = 422
    }),
  ),
  mutant(
    'takes forms',
    ['Errors 400.2'],
    asking('POST *', ({ headers }) => {
      if (headers['content-type']?.includes('form')) headers['content-type'] = 'application/json'
    }),
  ),
  mutant(
    'takes 007 for an id',
    ['Errors 404.1'],
    asking('GET /reservations/*', (asked) => {
      asked.path = asked.path.replace('/007', '/7')
    }),
  ),
  mutant(
    'has an empty answer for a missing record',
    ['Errors 404.2'],
    answering('GET /*/*', (answer) => {
      if (answer.status === 404) Object.assign(answer, json(200, {}))
    }),
  ),
  mutant(
    'does not say which methods there are',
    ['Errors 405.1', 'Errors 405.2'],
    answering('* *', ({ headers }) => {
      delete headers['allow']
    }),
  ),
  mutant(
    'says that everything is allowed',
    ['Errors 405.1', 'Errors 405.2'],
    answering('* *', ({ headers }) => {
      if (headers['allow']) headers['allow'] = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'
    }),
  ),
  mutant(
    'takes another method for a missing address',
    ['Errors 405.1'],
    answering('PUT *', (answer) => {
      if (answer.status === 405) answer.status = 404
    }),
  ),
  mutant(
    'answers OPTIONS',
    ['Errors 405.2'],
    instead('OPTIONS *', () => json(200, {})),
  ),
  mutant(
    'answers HEAD',
    ['Errors 405.3'],
    answering('HEAD *', (answer) => {
      answer.status = 200
    }),
  ),
  mutant(
    'refuses a body of 64 KB',
    ['Limits 2.1'],
    instead('POST *', ({ text = '' }) =>
      text.length >= 65_536 ? json(400, { error: 'The request is too large.' }) : undefined,
    ),
  ),
  mutant(
    'reads a body of more than 64 KB',
    ['Limits 2.1'],
    asking('POST *', (asked) => {
      asked.text = asked.text?.replace(/"padding":"x+"/, '"padding":""')
    }),
  ),
  mutant(
    'does not say that a body is too large',
    ['Limits 2.1'],
    answering('POST *', ({ status, body }) => {
      if (status === 400) body.error = 'Bad request.'
    }),
  ),
  mutant(
    'searches numbers of six digits',
    ['Limits 3'],
    asking('GET /*/find', ({ query }) => {
      const phone = query.get('phone')
      if (phone?.length === 6) query.set('phone', `${phone}0`)
    }),
  ),
  mutant(
    'says nothing of the rate',
    ['Limits 1.1'],
    answering('* *', ({ headers }) => {
      for (const name of Object.keys(headers)) if (name.startsWith('ratelimit')) delete headers[name]
    }),
  ),
  mutant(
    'says the end of the minute as a moment',
    ['Limits 1.1'],
    answering('* *', ({ headers }) => {
      headers['ratelimit-reset'] = '1791226800'
    }),
  ),
  mutant(
    'counts no request',
    ['Limits 1.2'],
    answering('* *', ({ headers }) => {
      headers['ratelimit-remaining'] = '77'
    }),
  ),
  mutant(
    'says no rate in the newer headers',
    ['Scopes 2.1'],
    answering('* *', ({ headers }) => {
      headers['ratelimit'] = '"key";r=1;t=1'
    }),
  ),
  mutant(
    'shows lists to another venue',
    ['Service 1.1'],
    withFullKey(({ path }) => path === '/guests'),
  ),
  mutant(
    'goes by the venue in the address',
    ['Service 1.3'],
    withFullKey(({ path, query }) => path === '/guests' && query.has('venue')),
  ),
  mutant(
    'lets a read-only key write',
    ['Authentication 5.2', 'Order of checks 3'],
    withFullKey(({ method }) => method === 'POST'),
  ),
  mutant(
    'lets a read-only key manage endpoints',
    ['Webhook endpoints 7'],
    withFullKey(({ path }) => path.startsWith('/webhooks')),
  ),
  mutant(
    'lets an automation key send campaigns',
    ['Campaigns 5.2', 'Order of checks 4'],
    withFullKey(({ path }) => path.startsWith('/campaigns')),
  ),
]

/** Tried with a key that may make few requests a minute. */
export const rateMutants = [
  mutant(
    'does not say when to come back',
    ['Limits 4'],
    answering('* *', ({ headers }) => {
      delete headers['retry-after']
    }),
  ),
  mutant(
    'says when to come back in milliseconds',
    ['Limits 4'],
    answering('* *', ({ headers }) => {
      if (headers['retry-after']) headers['retry-after'] += '000'
    }),
  ),
  mutant(
    'has 503 over the limit',
    ['Limits 4'],
    answering('* *', (answer) => {
      if (answer.status === 429) answer.status = 503
    }),
  ),
  mutant(
    'never ends the requests of a minute',
    ['Limits 4'],
    answering('* *', (answer) => {
      if (answer.status === 429) Object.assign(answer, json(200, {}))
    }),
  ),
]
