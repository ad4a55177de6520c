import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { httpDate } from '../kernel/time/calendar.ts'

/**
 * The headers on every answer of a deprecated endpoint: the deprecation date (RFC 9745), the sunset date (RFC 8594) and
 * the successor. The bodies do not change.
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
