import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Reason, reasons } from '@venue-data/contract/reasons.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { readContactQuery } from '../contact-query.ts'
import { readIdempotencyKey } from '../idempotency.ts'
import { readListWindow } from '../lists/list-window.ts'
import { fieldReader, parseJson } from '../read-body.ts'
import {
  faultyData,
  keyInAuthorization,
  ourFault,
  ownSoftwareOnly,
  tooLarge,
  tooManyRequests,
  unknownKey,
  readOnlyKey,
  scopeMissing,
  venueGone,
  venueMayNot,
} from '../refusals.ts'

/** One cause for which an endpoint refuses, as the published documents describe it. */
export type RefusalCase = {
  readonly status: number
  /** Names the cause in the published documents: its reason, or a word of ours where a program need not tell it apart. */
  readonly name: string
  readonly when: string
  /** A sentence as the service sends it. */
  readonly sentence: string | undefined
  readonly reason?: Reason
  /** Every endpoint can refuse this way. */
  readonly everywhere?: true
}

/**
 * Everything an endpoint may refuse, ordered by status, built from its row. The sample sentences are not duplicated
 * here: they come from the code that sends them.
 */
export const refusalCases = (endpoint: Endpoint): RefusalCase[] =>
  [...reasonCases(endpoint), ...ownCases(endpoint), ...casesEverywhere].toSorted(
    (a, b) => a.status - b.status,
  )

/** What every endpoint may refuse (docs/api.md#errors). */
export const casesEverywhere: readonly RefusalCase[] = [
  {
    status: 401,
    name: 'unknown-key',
    when: 'The key is missing, unknown, revoked or expired.',
    sentence: unknownKey().message,
    everywhere: true,
  },
  {
    status: 401,
    name: 'key-in-authorization',
    when: 'The key was sent in `Authorization` instead.',
    sentence: keyInAuthorization().message,
    everywhere: true,
  },
  {
    status: 403,
    name: 'venue-may-not',
    when: 'The venue cannot use the API now: its plan, its access or a pause is in the way.',
    sentence: venueMayNot().message,
    everywhere: true,
  },
  {
    ...reasons['address-not-allowed'],
    name: 'address-not-allowed',
    reason: 'address-not-allowed',
    everywhere: true,
  },
  {
    status: 404,
    name: 'venue-gone',
    when: 'The venue of the key cannot be found.',
    sentence: venueGone().message,
    everywhere: true,
  },
  {
    status: 429,
    name: 'too-many-requests',
    when: `The key made more than ${limits.requestsPerMinute} requests in a minute. \`Retry-After\` says when to go on.`,
    sentence: tooManyRequests(limits.requestsPerMinute, 37).message,
    everywhere: true,
  },
  {
    status: 500,
    name: 'our-fault',
    when: 'A failure on our side. Try again with a pause.',
    sentence: ourFault().message,
    everywhere: true,
  },
  {
    status: 503,
    name: 'unavailable',
    when: "The key could not be checked, or the venue's data not reached. Try again after `Retry-After`.",
    sentence: faultyData().message,
    everywhere: true,
  },
]

const ownCases = (endpoint: Endpoint): RefusalCase[] => {
  const cases: RefusalCase[] = []
  const refusesWith = (status: number, name: string, when: string, sentence?: string): void => {
    cases.push({ status, name, when, sentence })
  }
  if (endpoint.badRequest) refusesWith(400, 'unreadable', endpoint.badRequest, sampleFault(endpoint))
  if (endpoint.method !== 'GET' && !endpoint.body) {
    refusesWith(
      400,
      'body-not-needed',
      `A body was sent although none is needed, and it cannot be read or is over ${limits.bodyBytes / 1024} KB.`,
      sentenceOf(() => parseJson(Buffer.from('{'))),
    )
  }
  if (endpoint.idempotency) {
    refusesWith(
      400,
      'idempotency-key',
      `The Idempotency-Key is empty, longer than ${limits.idempotencyKeyCharacters} characters, or contains spaces.`,
      sentenceOf(() => readIdempotencyKey('')),
    )
  }
  if (endpoint.access !== 'any-key')
    refusesWith(403, 'read-only-key', 'The key is read-only.', readOnlyKey(endpoint).message)
  if (endpoint.access === 'own-software' && !endpoint.reasons?.includes('api-key-required')) {
    refusesWith(
      403,
      'automation-key',
      'The key belongs to the automation platform.',
      ownSoftwareOnly().message,
    )
  }
  if (endpoint.conflict) refusesWith(409, 'conflict', endpoint.conflict)
  if (endpoint.path.includes('{') || endpoint.namesRecord) {
    refusesWith(
      404,
      'no-such-record',
      'There is no such record at this venue; a record of another venue is no different.',
    )
  }
  if (endpoint.body && endpoint.bodyLimit) {
    const { bytes, status } = endpoint.bodyLimit
    refusesWith(
      status,
      'body-too-large',
      `The body is over ${bytes / 1024} KB.`,
      tooLarge(endpoint.bodyLimit).message,
    )
  }
  return cases
}

const reasonCases = ({ scope, reasons: own = [], sentences = {}, kind }: Endpoint): RefusalCase[] => [
  ...(scope
    ? [
        {
          status: 403,
          when: `The key lacks the scope \`${scope}\`; its owner can allow it.`,
          sentence: scopeMissing(scope).message,
          name: 'scope-missing',
          reason: 'scope-missing' as const,
        },
      ]
    : []),
  ...own.map((reason) => ({
    ...reasons[reason],
    sentence: sentences[reason] ?? spokenOf(kind, reasons[reason].sentence),
    name: reason,
    reason,
  })),
]

/** Adapts a general sentence, which the reasons list words for one kind, to this kind of record. */
const spokenOf = (kind: Endpoint['kind'], sentence: string): string =>
  kind === undefined ? sentence : sentence.replace(/^This \w+ was /, `This ${kind.replace('_', ' ')} was `)

/** The sentence for a request without what the endpoint needs. */
const sampleFault = ({ body, query = {} }: Endpoint): string | undefined => {
  const fields = body ? (body as unknown as { properties: object }).properties : query
  if ('since' in fields) return sentenceOf(() => readListWindow({ since: '2026-10-06' }))
  const ofBody = body && sentenceOf(() => fieldReader(body)({}))
  if (ofBody !== undefined) return ofBody
  return 'email' in fields && 'phone' in fields ? sentenceOf(() => readContactQuery({})) : undefined
}

const sentenceOf = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
