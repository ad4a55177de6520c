import { type Endpoint, groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import {
  answerHeaders,
  headerRef,
  idempotencyKeyParameter,
  ifMatchNames,
  ifMatchParameter,
  ifNoneMatchParameter,
} from './openapi-headers.ts'
import { changelogItem, changelogPath } from './openapi-changelog.ts'
import { problemSchema, refusalSchema } from './openapi-refusal-schemas.ts'
import { publishedRefusals } from './openapi-refusals.ts'
import { definition, namedShapes, nodeOf, publishedSchema } from './openapi-schema.ts'
import { sharedParts } from './openapi-shared.ts'
import {
  deliveriesTag,
  deliveryParameters,
  deliveryResponses,
  deliverySchemas,
  deliveryShapes,
  webhookItems,
} from './openapi-webhooks.ts'

/*
 * The OpenAPI document, generated only from the contract's rows: the schemas that validate and serialize are the ones
 * published. A new row, record, event or reason appears automatically.
 */

type Json = Record<string, unknown>

/** The contract's version, which is part of every path. */
const apiVersion = '1.0.0'

export const openApiDocument = (): Json => {
  const shared = sharedByOperations()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Venue Data API',
      version: apiVersion,
      summary: 'Reads and writes one restaurant’s data.',
      description: [
        "Every key belongs to exactly one venue, and everything it reads or writes is that venue's. There is one environment: every request acts on real data.",
        'Bodies and replies are JSON. Every field of a record is always present, `null` when it has no value. New fields, endpoints and reason codes may be added within version 1: ignore what you do not know.',
        'Every answer carries `X-Request-Id`, and every answer to a valid key the headers `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`, `RateLimit-Policy` and `RateLimit`, and `X-Key-Expires` when the key is about to expire; they are listed with 429 and not repeated with every answer.',
        'An address that does not take a method answers 405 with `Allow`; an unknown address answers 404. For the same in prose, with examples, see `/docs` of the service.',
      ].join('\n\n'),
      contact: { name: 'The operator of this service for the venue; quote the X-Request-Id' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service this document was read from.' }],
    security: [{ serviceKey: [] }],
    tags: [...Object.entries(groups).map(([name, description]) => ({ name, description })), deliveriesTag],
    paths: { ...pathItems(shared), [changelogPath]: changelogItem },
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
        ...shared.words.components,
      },
      headers: answerHeaders,
      responses: {
        NotModified: {
          description: 'What you have is still so; there is no body.',
          headers: { ETag: headerRef('ETag') },
        },
        ...shared.refusals.responses,
        ...deliveryResponses,
      },
      examples: shared.refusals.examples,
    },
  }
}

const rows: readonly Endpoint[] = Object.values(endpoints)

/** What operations share, as references and the components behind them. */
const sharedByOperations = () => ({
  refusals: publishedRefusals(rows),
  words: sharedParts(
    'parameters',
    rows.flatMap((row) => [...pathParametersOf(row), ...queryParameters(row)]),
  ),
})
type Shared = ReturnType<typeof sharedByOperations>

const pathItems = (shared: Shared): Json => {
  const paths: Record<string, Json> = {}
  for (const endpoint of rows) {
    ;(paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, shared)
  }
  return paths
}

const operation = (endpoint: Endpoint, shared: Shared): Json => ({
  operationId: endpoint.id,
  tags: [endpoint.group],
  summary: endpoint.summary,
  description: [endpoint.description, accessOf(endpoint), dryRunOf(endpoint), endOf(endpoint)]
    .filter(Boolean)
    .join('\n\n'),
  ...(endpoint.deprecated && { deprecated: true }),
  parameters: parameters(endpoint, shared),
  ...(endpoint.body && { requestBody: requestBody(endpoint) }),
  responses: {
    ...replies(endpoint),
    ...(endpoint.tagged && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...shared.refusals.of(endpoint),
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

const parameters = (endpoint: Endpoint, { words }: Shared): Json[] => [
  ...[...pathParametersOf(endpoint), ...queryParameters(endpoint)].map(
    (parameter) => words.refer(parameter) as Json,
  ),
  ...(endpoint.idempotency ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(endpoint.tagged ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(endpoint.precondition
    ? [{ $ref: `#/components/parameters/${ifMatchNames[endpoint.precondition]}` }]
    : []),
]

const pathParametersOf = (endpoint: Endpoint) =>
  pathParameters(endpoint).map((name) => ({
    name: `${name}Path`,
    value: {
      name,
      in: 'path',
      required: true,
      description: `The \`${name}\` of the record.`,
      schema: endpoint.params ? { type: 'integer', minimum: 1 } : { type: 'string' },
    },
  }))

const queryParameters = ({ query = {}, queryRequired }: Endpoint) =>
  Object.entries(query).map(([name, shape]) => {
    const { description, ...schema } = publishedSchema(nodeOf(shape))
    const required = queryRequired?.includes(name) ?? false
    return { name: `${name}Query`, value: { name, in: 'query', required, description, schema } }
  })

const requestBody = ({ body, bodyLimit, bodyOptional, nullClears }: Endpoint): Json => {
  const node = nodeOf(body as NonNullable<typeof body>)
  const nulls = nullClears
    ? '`null` empties a field, an empty text counts as left out'
    : '`null` or an empty text counts as left out'
  const size = bodyLimit ? ` At most ${bodyLimit.bytes / 1024} KB.` : ''
  return {
    required: !bodyOptional,
    description: `${node.description} ${nulls}; unknown fields are ignored.${size}`,
    content: { 'application/json': { schema: publishedSchema(node) } },
  }
}

const replies = (endpoint: Endpoint): Json =>
  Object.fromEntries(
    Object.entries(endpoint.replies).map(([status, shape]) => {
      const node = nodeOf(shape)
      const { description = 'The record.' } = node
      const { description: again, ...schema } = publishedSchema(node)
      return [
        status,
        {
          description,
          ...headersOf(endpoint),
          // Said once, beside it.
          content: { 'application/json': { schema: again === description ? schema : publishedSchema(node) } },
        },
      ]
    }),
  )

/** What an answer of this endpoint may carry besides the headers of every answer. */
const headersOf = (endpoint: Endpoint): Json => {
  const names = [
    ...(endpoint.list ? ['X-Changes-Cursor', 'X-Count'] : []),
    ...(isPaged(endpoint) ? ['Link', 'X-Next-Cursor'] : []),
    ...(endpoint.idempotency ? ['Idempotent-Replayed'] : []),
    ...(endpoint.tagged || endpoint.precondition ? ['ETag'] : []),
  ] as const
  return names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          names.map((name) => [name, headerRef(name as keyof typeof answerHeaders)]),
        ),
      }
}
