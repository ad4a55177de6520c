import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import type { TestService } from '../service.ts'

/** The query of a row that cannot do without one, from its own examples; of any other row nothing. */
export const sampleQuery = ({ query = {}, queryRequired }: Endpoint): string =>
  queryRequired === undefined
    ? ''
    : `?${Object.entries(query)
        .flatMap(([name, shape]) => {
          const [value] = (shape as { examples?: readonly (string | number)[] }).examples ?? []
          return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
        })
        .join('&')}`

/** The same, with the cursor that a venue's feed has now where the row needs one. */
export const sampleQueryAt = async (
  service: Pick<TestService, 'call'>,
  key: string,
  row: Endpoint,
): Promise<string> => {
  if (!row.queryRequired?.includes('after')) return sampleQuery(row)
  const { body } = await service.call('GET', '/api/v1/changes?after=latest', { key })
  return sampleQuery(row).replace(/after=[^&]*/, `after=${body.next}`)
}

/** The body of a row, from its own example: what an open venue takes, unless it names another record. */
export const sampleBody = ({ body }: Endpoint): Sample => {
  const { examples = [] }: { readonly examples?: readonly Sample[] } = body ?? {}
  return examples[0] ?? {}
}
type Sample = Readonly<Record<string, unknown>>

export const sampleBodyAt = (path: string): Sample => {
  const row = Object.values<Endpoint>(endpoints).find((one) => one.method === 'POST' && one.path === path)
  if (!row) throw new Error(`Nothing is sent to ${path}.`)
  return sampleBody(row)
}
