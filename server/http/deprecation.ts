import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { httpDate } from '../kernel/calendar.ts'

/**
 * The headers of every answer of a deprecated endpoint: since when it is deprecated (RFC 9745), when it will be gone
 * (RFC 8594) and its successor. Its bodies stay as they are.
 */
export const deprecationHeaders = ({ deprecated }: Endpoint): Record<string, string> | undefined => {
  if (!deprecated) return undefined
  const [told, gone] = [deprecated.at, deprecated.sunset].map((moment) => Temporal.Instant.from(moment)) as [
    Temporal.Instant,
    Temporal.Instant,
  ]
  return {
    deprecation: `@${Math.floor(told.epochMilliseconds / 1000)}`,
    sunset: httpDate(gone),
    link: `<${deprecated.successor}>; rel="successor-version"`,
  }
}
