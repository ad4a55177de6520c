import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { pathParameters } from '../openapi/openapi.ts'
import { type SchemaNode, exampleOf, nodeOf } from '../openapi/openapi-schema.ts'

/*
 * What the reference's sample calls send, in every language: the query parameters with an example or a default, and the
 * example body.
 */

/** The path's values, in order. */
export const samplePath = (endpoint: Endpoint): (number | string)[] =>
  pathParameters(endpoint).map(() => (endpoint.params ? 48213 : '8ac33bde-cecb-44ac-8416-bbe09874e509'))

/** Each query parameter with its shape and the value sent. */
export const sampleQuery = ({ query = {} }: Endpoint): { name: string; node: SchemaNode; value: unknown }[] =>
  Object.entries(query).flatMap(([name, shape]) => {
    const node = nodeOf(shape)
    const value = node.examples?.[0] ?? node.default
    return value === undefined ? [] : [{ name, node, value }]
  })

/** The query as an SDK takes it, in the SDK's naming, and the call's other options. */
export const sampleOptions = (endpoint: Endpoint): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(sampleQuery(endpoint).map(({ name, node, value }) => [name, typed(node, value)])),
  ...(endpoint.precondition === 'required' && { ifMatch: '*' }),
})

const typed = ({ type }: SchemaNode, value: unknown): unknown => {
  if (type === 'integer') return Number(value)
  return value === 'true' ? true : value
}

export const sampleBody = ({ body }: Endpoint): unknown => body && exampleOf(nodeOf(body))
