import type { Plan } from '@venue-data/contract/account.ts'
import type { Brand } from '../kernel/brand.ts'

/**
 * Which venue a statement is about. Only the key check, a sign-in, a guest's link or a worker's claim mints
 * one, so no value of a request can name a venue.
 */
export type VenueId = Brand<number, 'VenueId'>

/** What every unit of work knows of its venue. */
export type Venue = {
  readonly id: VenueId
  readonly slug: string
  readonly name: string
  /** IANA zone in which all dates and times are. */
  readonly timezone: string
  readonly plan: Plan
  readonly phone: string | null
}
