import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { eventShapes } from '@venue-data/contract/webhooks/event-data.ts'
import { events } from '@venue-data/contract/webhooks/events.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { answerHeaders, ifMatchParameter, ifNoneMatchParameter } from './openapi/openapi-headers.ts'
import type { growths } from './openapi/openapi-changelog.ts'
import { nodeOf } from './openapi/openapi-schema.ts'
import { problemType } from './problem-form.ts'

/** Something added to version 1 after its launch. */
export type Growth = {
  readonly date: string
  readonly growth: (typeof growths)[number]
  readonly name: string
  readonly what: string
}

/** What was added to version 1 and when, newest first, read from the contract's rows. */
export const changelog = (): Growth[] =>
  [
    ...endpointsAndWords(),
    ...fields(),
    ...ofRows('event', events),
    ...ofRows('reason', reasons),
    ...headers(),
  ]
    // Entries of the same day keep this order.
    .toSorted((one, other) => other.date.localeCompare(one.date))

const rows: readonly Endpoint[] = Object.values(endpoints)

const endpointsAndWords = (): Growth[] =>
  rows.flatMap(({ method, path, since, summary, query = {} }) => {
    const name = `${method} ${path}`
    const words = Object.entries(query).flatMap(([word, shape]): Growth[] => {
      const { 'x-since': date, description = '' } = nodeOf(shape)
      // Parts that a new endpoint had from the start are not listed.
      return date === undefined || (since !== undefined && date <= since)
        ? []
        : [{ date, growth: 'word', name: `${name}?${word}`, what: description }]
    })
    return since === undefined
      ? words
      : [{ date: since, growth: 'endpoint', name, what: `${summary}.` }, ...words]
  })

/** Parts that came with a new event are not listed separately. */
const fields = (): Growth[] =>
  records
    .filter((record) => !eventShapes.some((shape) => shape === record))
    .map(nodeOf)
    .flatMap(({ title, properties = {} }) =>
      Object.entries(properties).flatMap(([field, { 'x-since': date, description = '' }]): Growth[] =>
        date === undefined ? [] : [{ date, growth: 'field', name: `${title}.${field}`, what: description }],
      ),
    )

const ofRows = (
  growth: 'event' | 'reason',
  table: Readonly<Record<string, { readonly when: string; readonly since?: string }>>,
): Growth[] =>
  Object.entries(table).flatMap(([name, { since: date, when: what }]) =>
    date === undefined ? [] : [{ date, growth, name, what }],
  )

const headers = (): Growth[] =>
  Object.entries<{ readonly description: string; readonly 'x-since'?: string }>({
    ...answerHeaders,
    'If-Match': ifMatchParameter(true),
    'If-None-Match': ifNoneMatchParameter,
    Accept: problemsAsked,
  }).flatMap(([name, { 'x-since': date, description: what }]): Growth[] =>
    date === undefined ? [] : [{ date, growth: 'header', name, what }],
  )

/** An existing header that gained a use. */
const problemsAsked = {
  'x-since': '2026-11-23',
  description: `With \`${problemType}\`, refusals come as problem details.`,
}
