import { STATUS_CODES } from 'node:http'
import { type Endpoint, keyClash } from '@venue-data/contract/webhooks/endpoint.ts'
import { bookingReasons, isBookingReason, reasons } from '@venue-data/contract/reasons.ts'
import { countedHeaders, headerRef } from './openapi-headers.ts'
import { schemaRef } from './openapi-schema.ts'
import { sharedParts } from './openapi-shared.ts'
import { problemType } from '../problem-form.ts'
import { type RefusalCase, refusalCases } from './refusal-cases.ts'

/*
 * The refusals in the OpenAPI document. Endpoints refuse for the same few causes, so an answer that several of them give
 * is one component, and so is the sample of a cause.
 */

type Json = Record<string, unknown>

/** The refusals of each endpoint by status, and the components they reference. */
export const publishedRefusals = (
  rows: readonly Endpoint[],
): { readonly of: (row: Endpoint) => Json; readonly responses: Json; readonly examples: Json } => {
  const samples = sharedParts('examples', rows.flatMap(casesOf).filter(hasSample).map(sampleOf))
  const answersTo = (cases: readonly RefusalCase[]) =>
    [...Map.groupBy(cases, ({ status }) => status)].map(([status, ofStatus]) => ({
      status,
      name: responseName(status, ofStatus),
      value: refusalResponse(status, ofStatus, samples.refer),
    }))
  const answers = sharedParts('responses', rows.map(casesOf).flatMap(answersTo))
  return {
    of: (row) =>
      Object.fromEntries(answersTo(casesOf(row)).map((answer) => [answer.status, answers.refer(answer)])),
    responses: answers.components,
    examples: samples.components,
  }
}

/** An operation's description names its scope, so that the refusal for want of it is the same everywhere. */
const casesOf = (row: Endpoint): RefusalCase[] => {
  const cases = rulesOnce(row, refusalCases(row))
  const scoped = cases.find(({ name }) => name === 'scope-missing')
  if (!scoped) return cases
  const general = { ...reasons['scope-missing'], name: 'scope-missing', reason: 'scope-missing' as const }
  return cases.flatMap((one) => (one === scoped ? [general] : one.name === 'scope-missing' ? [] : [one]))
}

/** What the booking rules refuse for is described at the call that books; the others name it. */
const rulesOnce = (row: Endpoint, cases: RefusalCase[]): RefusalCase[] => {
  if (row.id === 'createReservation') return cases
  const others = cases
    .filter(({ reason }) => !isBookingReason(reason))
    .map((one) => (isSampledThere(row, one) ? { ...one, sentence: undefined } : one))
  if (others.length === cases.length) return others
  const names = Object.keys(bookingReasons).map((reason) => `\`${reason}\``)
  const when = `${names.join(', ')}: see \`POST /reservations\`.`
  return [{ status: 409, name: 'booking-rules', when, sentence: undefined }, ...others]
}

/** Every request with an Idempotency-Key shares these, and their samples. */
const isSampledThere = ({ sentences = {} }: Endpoint, { reason }: RefusalCase): boolean =>
  reason !== undefined && ofTheKey.has(reason) && !Object.hasOwn(sentences, reason)

/** The words of the status, and what else than any endpoint's causes is behind it. */
/** Every operation refers to these. */
const shortNames: Readonly<Record<number, string>> = { 500: 'ServerError', 503: 'Unavailable' }

const responseName = (status: number, cases: readonly RefusalCase[]): string =>
  [
    (shortNames[status] ?? STATUS_CODES[status] ?? '').replaceAll(/[^A-Za-z]/g, ''),
    ...cases
      .filter(({ everywhere }) => !everywhere)
      .flatMap(({ name }) => name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))),
  ].join('')

const hasSample = ({ sentence }: RefusalCase): boolean => sentence !== undefined

const sampleOf = ({ name, sentence, reason }: RefusalCase) => ({
  name,
  value: { value: { error: sentence, ...(reason && { reason }) } },
})

const refusalResponse = (
  status: number,
  cases: readonly RefusalCase[],
  refer: (sample: ReturnType<typeof sampleOf>) => unknown,
): Json => ({
  description: cases
    .map(({ when, reason }) => {
      if (reason === undefined) return `- ${when}`
      return `- \`${reason}\`: ${ofTheKey.has(reason) ? 'See `Idempotency-Key`.' : when}`
    })
    .join('\n')
    // A list of one item is a sentence.
    .replace(/^- ([^\n]*)$/, '$1'),
  ...headersOf(status, cases),
  content: {
    'application/json': {
      schema: schemaRef('Refusal'),
      examples: Object.fromEntries(
        cases.filter(({ sentence }) => sentence !== undefined).map((one) => [one.name, refer(sampleOf(one))]),
      ),
    },
    [problemType]: { schema: schemaRef('Problem') },
  },
})

const ofTheKey: ReadonlySet<string> = new Set(keyClash)

/** Those that a refused program acts on; the document's introduction names the ones of every answer. */
const headersOf = (status: number, cases: readonly RefusalCase[]): Json => {
  const wait = { 'Retry-After': headerRef('Retry-After') }
  if (status === 429) return { headers: { ...countedHeaders, ...wait } }
  return status === 503 || cases.some(({ reason }) => reason === 'still-processing') ? { headers: wait } : {}
}
