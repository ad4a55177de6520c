import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'

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
