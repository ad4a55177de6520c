import { STATUS_CODES } from 'node:http'
import { OpenTime } from '@venue-data/contract/availability.ts'
import { type Endpoint, groups } from '@venue-data/contract/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { faults } from '@venue-data/contract/reasons.ts'
import { definition, exampleOf, namedShapes, nodeOf, publishedSchema, schemaRef } from './openapi-schema.ts'
import {
  deliveriesTag,
  deliveryParameters,
  deliverySchemas,
  deliveryShapes,
  webhookItems,
} from './openapi-webhooks.ts'
import { problemType } from './problem-form.ts'
import { type RefusalCase, casesEverywhere, refusalCases } from './refusal-cases.ts'

/*
 * The OpenAPI document, generated only from the contract's rows: the schemas that validate and serialize are the ones
 * published. A new row, record, event or reason appears automatically.
 */

type Json = Record<string, unknown>

/** The contract's version, which is part of every path. */
const apiVersion = '1.0.0'

export const openApiDocument = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Venue Data API',
    version: apiVersion,
    summary: 'Reads and writes one restaurant’s data.',
    description: [
      "Every key belongs to exactly one venue, and everything it reads or writes is that venue's. There is one environment: every request acts on real data.",
      'Bodies and replies are JSON. Every field of a record is always present, `null` when it has no value. New fields, endpoints and reason codes may be added within version 1: ignore what you do not know.',
      'An address that does not take a method answers 405 with `Allow`; an unknown address answers 404. For the same in prose, with examples, see `/docs` of the service.',
    ].join('\n\n'),
    contact: { name: 'Whoever runs this service for the venue; quote the X-Request-Id' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'The service this document was read from.' }],
  security: [{ serviceKey: [] }],
  tags: [...Object.entries(groups).map(([name, description]) => ({ name, description })), deliveriesTag],
  paths: pathItems(),
  webhooks: webhookItems(),
  components: {
    securitySchemes: {
      serviceKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Service-Key',
        description:
          'One of the venue’s keys: `service_sk_` and 40 letters and digits. Send it only in this header, and only from a server.',
      },
    },
    schemas: {
      ...Object.fromEntries(
        [...namedShapes(deliveryShapes)].map(([name, shape]) => [name, definition(shape)] as const),
      ),
      ...deliverySchemas(),
      Refusal: refusalSchema,
      Problem: problemSchema,
    },
    parameters: {
      IdempotencyKey: idempotencyKeyParameter,
      IfNoneMatch: ifNoneMatchParameter,
      IfMatch: ifMatchParameter(false),
      IfMatchRequired: ifMatchParameter(true),
      ...deliveryParameters,
    },
    headers: answerHeaders,
    responses: {
      NotModified: {
        description: 'What you have is still so; there is no body.',
        headers: { ...countedHeaders, ETag: headerRef('ETag') },
      },
      ...Object.fromEntries(
        [...Map.groupBy(casesEverywhere, ({ status }) => status)].map(([status, cases]) => [
          responseName(status),
          refusalResponse(status, cases),
        ]),
      ),
    },
  },
})

const rows: readonly Endpoint[] = Object.values(endpoints)

const pathItems = (): Json => {
  const paths: Record<string, Json> = {}
  for (const endpoint of rows) {
    ;(paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return paths
}

const operation = (endpoint: Endpoint): Json => ({
  operationId: endpoint.id,
  tags: [endpoint.group],
  summary: endpoint.summary,
  description: [endpoint.description, accessOf(endpoint), dryRunOf(endpoint), endOf(endpoint)]
    .filter(Boolean)
    .join('\n\n'),
  ...(endpoint.deprecated && { deprecated: true }),
  parameters: parameters(endpoint),
  ...(endpoint.body && { requestBody: requestBody(endpoint) }),
  responses: {
    ...replies(endpoint),
    ...(endpoint.tagged && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...refusals(endpoint),
  },
})

/** Says that an endpoint is deprecated, and when it goes away; undefined otherwise. */
export const endOf = ({ deprecated }: Endpoint): string | undefined =>
  deprecated &&
  `Deprecated: it goes away on ${deprecated.sunset.slice(0, 10)}. Use \`${deprecated.successor}\` instead.`

/** Says that a call supports a dry run; undefined otherwise. */
export const dryRunOf = ({ dryRun }: Endpoint): string | undefined =>
  dryRun && 'Can be tried first with `POST /api/v1/dry-run`.'

/** Who may call an endpoint, in a sentence or two. */
export const accessOf = ({ access, scope }: Pick<Endpoint, 'access' | 'scope'>): string =>
  scope === undefined
    ? accessWords[access]
    : access === 'any-key'
      ? `Needs the scope \`${scope}\`.`
      : `${accessWords[access]} Needs the scope \`${scope}\`.`

const accessWords: Readonly<Record<Endpoint['access'], string>> = {
  'any-key': 'Any key may call it.',
  write: 'Needs a read and write key.',
  'own-software': "Needs a read and write key of the venue's own software, not the automation platform's.",
}

/** The names between braces in an endpoint's path. */
export const pathParameters = (endpoint: Endpoint): string[] =>
  [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** Paginated: a client fetches the next pages by itself. */
export const isPaged = ({ list, paged }: Endpoint): boolean => Boolean(list ?? paged)

const parameters = (endpoint: Endpoint): Json[] => [
  ...pathParameters(endpoint).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: `The \`${name}\` of the record.`,
    schema: endpoint.params ? { type: 'integer', minimum: 1 } : { type: 'string' },
  })),
  ...Object.entries(endpoint.query ?? {}).map(([name, shape]) => {
    const { description, ...schema } = publishedSchema(nodeOf(shape))
    const required = endpoint.queryRequired?.includes(name) ?? false
    return { name, in: 'query', required, description, schema }
  }),
  ...(endpoint.idempotency ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(endpoint.tagged ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(endpoint.precondition
    ? [{ $ref: `#/components/parameters/${ifMatchNames[endpoint.precondition]}` }]
    : []),
]

const requestBody = ({ body, bodyLimit, bodyOptional, nullClears }: Endpoint): Json => {
  const node = nodeOf(body as NonNullable<typeof body>)
  const nulls = nullClears
    ? '`null` empties a field, an empty text counts as left out'
    : '`null` or an empty text counts as left out'
  const size = bodyLimit ? ` At most ${bodyLimit.bytes / 1024} KB.` : ''
  return {
    required: !bodyOptional,
    description: `${node.description} ${nulls}; unknown fields are ignored.${size}`,
    content: { 'application/json': { schema: publishedSchema(node), example: exampleOf(node) } },
  }
}

const replies = (endpoint: Endpoint): Json =>
  Object.fromEntries(
    Object.entries(endpoint.replies).map(([status, shape]) => {
      const node = nodeOf(shape)
      return [
        status,
        {
          description: node.description ?? 'The record.',
          headers: {
            ...countedHeaders,
            ...(endpoint.list && { 'X-Changes-Cursor': headerRef('X-Changes-Cursor') }),
            ...(endpoint.idempotency && { 'Idempotent-Replayed': headerRef('Idempotent-Replayed') }),
            ...((endpoint.tagged || endpoint.precondition) && { ETag: headerRef('ETag') }),
            ...((endpoint.list || endpoint.paged) && {
              Link: headerRef('Link'),
              'X-Next-Cursor': headerRef('X-Next-Cursor'),
            }),
            ...(endpoint.list && { 'X-Count': headerRef('X-Count') }),
          },
          content: { 'application/json': { schema: publishedSchema(node), example: exampleOf(node) } },
        },
      ]
    }),
  )

const refusals = (endpoint: Endpoint): Json =>
  Object.fromEntries(
    [...Map.groupBy(refusalCases(endpoint), ({ status }) => status)].map(([status, cases]) => [
      status,
      cases.every((one) => one.everywhere)
        ? { $ref: `#/components/responses/${responseName(status)}` }
        : refusalResponse(status, cases),
    ]),
  )

const responseName = (status: number): string => (STATUS_CODES[status] as string).replaceAll(/[^A-Za-z]/g, '')

const refusalResponse = (status: number, cases: readonly RefusalCase[]): Json => {
  const samples = cases.filter(({ sentence }) => sentence !== undefined)
  return {
    description: cases
      .map(({ when, reason }) => (reason ? `- \`${reason}\`: ${when}` : `- ${when}`))
      .join('\n')
      // A list of one item is a sentence.
      .replace(/^- ([^\n]*)$/, '$1'),
    headers: {
      ...(status === 401 ? { 'X-Request-Id': headerRef('X-Request-Id') } : countedHeaders),
      ...((status === 429 || status === 503) && { 'Retry-After': headerRef('Retry-After') }),
    },
    content: {
      'application/json': {
        schema: schemaRef('Refusal'),
        examples: Object.fromEntries(
          samples.map(({ when, sentence, reason }, i) => [
            reason ?? `case-${i + 1}`,
            { summary: when, value: { error: sentence, ...(reason && { reason }) } },
          ]),
        ),
      },
      [problemType]: { schema: schemaRef('Problem') },
    },
  }
}

const refusalSchema = {
  title: 'Refusal',
  description: 'The answer to a request that was refused.',
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'One plain sentence, written for a person.' },
    reason: {
      type: 'string',
      description:
        'A short stable code, where a program may act on the kind of refusal. The list may grow: treat an unknown one like its status.',
    },
    mergedInto: {
      type: 'integer',
      description: 'With `merged`: the id of the record that the one you asked for was merged into.',
    },
    stages: {
      type: 'array',
      description: "With `unknown-stage`: the stages of the venue's pipeline, in order.",
      items: { type: 'string' },
    },
    current: {
      type: 'object',
      description: 'With `changed-meanwhile`: the record as it is now.',
    },
    blockers: {
      type: 'array',
      description: 'With `checklist-blocked`: everything that keeps the campaign from being sent.',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Which check; the list may grow.' },
          message: { type: 'string', description: 'One plain sentence.' },
        },
      },
    },
    alternatives: {
      type: 'array',
      description:
        'With the reason of a booking rule, where the request asked for them: open times, nearest first. Absent when finding them took too long.',
      items: publishedSchema(nodeOf(OpenTime)),
    },
  },
}

/** Each names one of the three kinds of location. */
const wrongPlaceSchema = {
  type: 'object',
  required: ['reason', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'A field of the body, as a JSON pointer: `#/consent/at`.' },
    parameter: { type: 'string', description: 'A query parameter.' },
    header: { type: 'string', description: 'A header.' },
    reason: {
      type: 'string',
      description: `What is wrong there; the list may grow. ${Object.entries(faults)
        .map(([fault, means]) => `\`${fault}\`: ${means}`)
        .join('; ')}.`,
    },
    detail: { type: 'string', description: 'One plain sentence.' },
  },
}

const problemSchema = {
  title: 'Problem',
  description:
    'The answer to a request that was refused, for who names `application/problem+json` in `Accept` (RFC 9457). It says all that the plain form says, and more.',
  allOf: [
    schemaRef('Refusal'),
    {
      type: 'object',
      required: ['type', 'title', 'status', 'detail', 'instance'],
      properties: {
        type: {
          type: 'string',
          format: 'uri-reference',
          description:
            'Where the reference tells of this kind of refusal; `about:blank` where the status says all.',
        },
        title: { type: 'string', description: 'The kind of refusal in a few words.' },
        status: { type: 'integer', description: 'The status of the answer.' },
        detail: { type: 'string', description: 'The sentence of `error`.' },
        instance: { type: 'string', description: 'This request: `urn:request:` and its X-Request-Id.' },
        errors: {
          type: 'array',
          maxItems: limits.wrongFieldsMost,
          description: 'Of a 400: every place of the request that is wrong, that of `detail` first.',
          items: wrongPlaceSchema,
        },
      },
    },
  ],
}

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Any unique text. The same key with the same body within ${limits.idempotencyHours} hours gets the first answer again; nothing is done twice.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters, pattern: '^[!-~]+$' },
}

export const ifNoneMatchParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'One or several tags as `ETag` gave them, or `*`. When one of them still holds, the answer is 304 without a body.',
  schema: { type: 'string', examples: ['"4.Xq9z"'] },
  'x-since': '2026-11-23',
}

const ifMatchNames = { required: 'IfMatchRequired', optional: 'IfMatch' } as const

export const ifMatchParameter = (required: boolean) => ({
  name: 'If-Match',
  in: 'header',
  required,
  description:
    'The `ETag` of the record as you read it, or `*` for whatever it is now. If it has changed since, the answer is 412 with the record of now, and nothing is done.',
  schema: { type: 'string', examples: ['"4.Xq9z"'] },
  'x-since': '2026-11-23',
})

const wholeNumber = (description: string) => ({ description, schema: { type: 'integer' } })

/** Headers that answers may have; `x-since` is the day a header was added to version 1. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'Names this request; quote it when you ask about it.',
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Limit': wholeNumber('Requests the key may make in a minute.'),
  'RateLimit-Remaining': wholeNumber('Requests left in the present minute.'),
  'RateLimit-Reset': wholeNumber('Seconds until a new minute begins.'),
  'RateLimit-Policy': {
    description: 'The same limit as a structured field: `q` requests in `w` seconds.',
    schema: { type: 'string', examples: ['"key";q=120;w=60'] },
    'x-since': '2026-11-23',
  },
  RateLimit: {
    description:
      'What is left, as a structured field: `r` requests, and `t` seconds until a new minute begins.',
    schema: { type: 'string', examples: ['"key";r=112;t=41'] },
    'x-since': '2026-11-23',
  },
  'X-Key-Expires': {
    description: `When the key stops working, within the last ${limits.keyExpiryToldDays[0]} days before.`,
    schema: { type: 'string', format: 'date-time' },
    'x-since': '2026-11-23',
  },
  'Retry-After': wholeNumber('Seconds to wait before trying again.'),
  ETag: {
    description:
      'Names this state of what was read, for `If-None-Match`. It is opaque: compare it, do not read it.',
    schema: { type: 'string', examples: ['"4.Xq9z"'] },
    'x-since': '2026-11-23',
  },
  'X-Changes-Cursor': {
    description:
      'Where the changes stood before these records were read, for `after` of `GET /api/v1/changes`. Absent while they are still being gathered.',
    schema: { type: 'string' },
    'x-since': '2026-11-23',
  },
  Link: {
    description:
      'Where the next page is, when there is one: `<reference>; rel="next"`. Resolve it against the address that you asked.',
    schema: { type: 'string', examples: ['<?limit=100&after=l1_K3b>; rel="next"'] },
    'x-since': '2026-11-23',
  },
  'X-Next-Cursor': {
    description: 'The same as a cursor for `after`, when there is a next page.',
    schema: { type: 'string', examples: ['l1_K3b'] },
    'x-since': '2026-11-23',
  },
  'X-Count': {
    description: `With \`count=true\`: how many records match, or \`${limits.countMost}+\`.`,
    schema: { type: 'string', examples: ['431'] },
    'x-since': '2026-11-23',
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the kept answer of the first try.',
    schema: { type: 'string', const: 'true' },
  },
}

const headerRef = (name: keyof typeof answerHeaders) => ({ $ref: `#/components/headers/${name}` })

/** Headers of every answer to a valid key. */
const countedHeaders = {
  'X-Request-Id': headerRef('X-Request-Id'),
  'RateLimit-Limit': headerRef('RateLimit-Limit'),
  'RateLimit-Remaining': headerRef('RateLimit-Remaining'),
  'RateLimit-Reset': headerRef('RateLimit-Reset'),
  'RateLimit-Policy': headerRef('RateLimit-Policy'),
  RateLimit: headerRef('RateLimit'),
  'X-Key-Expires': headerRef('X-Key-Expires'),
}
