import { createHash } from 'node:crypto'
import { type Account, VenueData, type VenueDataOptions } from '@venue-data/sdk'
import { type Confirmations, openConfirmations } from './confirmations.ts'
import { isUncertain } from './refusals.ts'

/** What a key is at the service, and what its calls have in common. */
export type Session = {
  readonly venue: VenueData
  readonly account: Account
  /** The calendar date at the venue, YYYY-MM-DD. */
  readonly today: () => string
  readonly confirmations: Confirmations
}

export type SessionOptions = {
  /** Where the service is. */
  readonly baseUrl: string
  readonly key: string
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number
  /** Used instead of the runtime's own `fetch`. */
  readonly fetch?: typeof fetch
  /** The maximum number of retries of a call to the service. Default: 2. */
  readonly retries?: number
  /** Those of the key, where they are kept longer. */
  readonly confirmations?: Confirmations
  /** For tests: the time and randomness of calls to the service. */
  readonly runtime?: NonNullable<VenueDataOptions['runtime']>
}

/**
 * Asks the service which venue the key belongs to.
 *
 * @throws VenueDataError when the key is not accepted, or the service cannot be reached
 */
export const openSession = async ({
  baseUrl,
  key,
  now = Date.now,
  confirmations = confirmationsOf(fingerprint(key), now),
  ...more
}: SessionOptions): Promise<Session> => {
  // A person is waiting for the assistant's answer.
  const venue = new VenueData({ baseUrl, key, timeoutMs: 25_000, retries: 2, ...more })
  const { body: account, headers } = await venue.me().withAnswer()
  // The venue's clock is the service's, which differs from this machine's on practice instances.
  const behindMs = (Date.parse(headers.get('date') ?? '') || now()) - now()
  const { timezone: timeZone } = account.venue
  // The Swedish locale writes dates like the service does.
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return {
    venue,
    account,
    today: () => calendar.format(now() + behindMs),
    confirmations,
  }
}

/** Confirmations for calls of one owner: a key, by its fingerprint, or an install. */
export const confirmationsOf = (owner: string, now: () => number): Confirmations =>
  openConfirmations(owner, now, isUncertain)

/** Distinguishes keys without storing them. */
export const fingerprint = (key: string): string => createHash('sha256').update(key).digest('hex')
