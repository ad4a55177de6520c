import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { sampleBody, sampleQuery } from './sample-call.ts'

/** How to try an endpoint from a shell, with the key in `API_KEY` and record ids in variables such as `id`. */
export const curl = (baseUrl: string, endpoint: Endpoint): string =>
  [
    `curl ${methodOf(endpoint)}"${baseUrl}${pathOf(endpoint)}"`,
    '-H "X-Service-Key: $API_KEY"',
    endpoint.precondition === 'required' && `-H 'If-Match: *'`,
    endpoint.idempotency && '-H "Idempotency-Key: 5d1f0c1e-2b7a-4e57-9a53"',
    endpoint.body && `--json '${shellQuoted(sampleBody(endpoint))}'`,
  ]
    .filter((piece) => typeof piece === 'string')
    .join(' \\\n  ')

/** Options that curl needs only when the method is not its default: GET, or POST with a body. */
const methodOf = ({ method, body }: Endpoint): string =>
  method === (body ? 'POST' : 'GET') ? '' : `-X ${method} `

const pathOf = (endpoint: Endpoint): string => {
  const asked = sampleQuery(endpoint).map(({ name, value }) => `${name}=${String(value)}`)
  return endpoint.path.replaceAll(/\{(\w+)\}/g, '$$$1') + (asked.length > 0 ? `?${asked.join('&')}` : '')
}

const shellQuoted = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll("'", String.raw`'\''`)
