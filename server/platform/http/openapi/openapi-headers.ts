import { limits } from '@venue-data/contract/limits.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { keyClash } from '@venue-data/contract/webhooks/endpoint.ts'

/*
 * The headers of requests and answers in the OpenAPI document, each described once.
 */

/** The reasons that every request with an Idempotency-Key shares, in the document once: here. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: [
    `Any unique text. The same key with the same body within ${limits.idempotencyHours} hours gets the first answer again; nothing is done twice. Otherwise the answer is 409:`,
    keyClash.map((reason) => `- \`${reason}\`: ${reasons[reason].when}`).join('\n'),
  ].join('\n\n'),
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

/** The component for each kind of precondition. */
export const ifMatchNames = { required: 'IfMatchRequired', optional: 'IfMatch' } as const

export const ifMatchParameter = (required: boolean) => ({
  name: 'If-Match',
  in: 'header',
  required,
  description:
    'The `ETag` of the record as you read it, or `*` for any version. If it has changed since, the answer is 412 with the record of now, and nothing is done.',
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
      'The position in the changes before these records were read, for `after` of `GET /api/v1/changes`. Absent while they are still being gathered.',
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

/** A header of an answer, by reference. */
export const headerRef = (name: keyof typeof answerHeaders) => ({ $ref: `#/components/headers/${name}` })

/** Headers of every answer to a valid key. */
export const countedHeaders = {
  'X-Request-Id': headerRef('X-Request-Id'),
  'RateLimit-Limit': headerRef('RateLimit-Limit'),
  'RateLimit-Remaining': headerRef('RateLimit-Remaining'),
  'RateLimit-Reset': headerRef('RateLimit-Reset'),
  'RateLimit-Policy': headerRef('RateLimit-Policy'),
  RateLimit: headerRef('RateLimit'),
  'X-Key-Expires': headerRef('X-Key-Expires'),
}
