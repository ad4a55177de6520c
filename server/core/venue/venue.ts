import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Brand } from '../../platform/kernel/brand.ts'

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

/** Plans that include the API; `legacy` is the older arrangement with the automation platform. */
export const plansWithApi: readonly Plan[] = ['pro', 'group', 'legacy']

export const includesApi = (plan: string): boolean => plansWithApi.some((one) => one === plan)

/**
 * Whether plan and account allow the API. While they do not, requests get 403 and events wait (webhooks/engine): one
 * check for both, so that the two always agree.
 */
export const isApiOpen = ({ plan, paused }: { readonly plan: string; readonly paused: boolean }): boolean =>
  !paused && includesApi(plan)
