import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { argumentName, callName, snakeCase } from '../call-names.ts'
import { isPaged } from '../openapi/openapi.ts'
import { sampleBody, sampleOptions, samplePath } from './sample-call.ts'

/** How to call an endpoint with the Python SDK, as a complete program. */
export const python = (baseUrl: string, endpoint: Endpoint): string => {
  const name = callName(endpoint).split('.').map(snakeCase).join('.')
  const call = `venue.${name}(${argumentsOf(endpoint)})`
  const use = isPaged(endpoint) ? `for item in ${call}:\n    print(item)` : `answer = ${call}\nprint(answer)`
  return `import os

from venue_data import VenueData

with VenueData(
    key=os.environ["API_KEY"],
    base_url="${baseUrl}",
) as venue:
${indented(use)}`
}

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')

/** Path and body first, then the rest by name; on one line where they fit. */
const argumentsOf = (endpoint: Endpoint): string => {
  const given = [
    ...samplePath(endpoint).map((value) => literal(value)),
    ...(endpoint.body ? [literal(sampleBody(endpoint))] : []),
    ...Object.entries(sampleOptions(endpoint)).map(
      ([name, value]) => `${argumentName(name)}=${literal(value)}`,
    ),
  ]
  const inline = given.join(', ')
  if (inline.length <= 60 || given.length === 1) return inline
  return `\n${given.map((one) => indented(`${one},`)).join('\n')}\n`
}

/** A value in Python syntax. JSON escapes in strings are valid Python. */
const literal = (value: unknown): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map(literal)]
    : ['{', '}', Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`)]
  const inline = `${open}${items.join(', ')}${close}`
  if (inline.length <= 60) return inline
  return `${open}\n${items.map((item) => indented(`${item},`)).join('\n')}\n${close}`
}
