import type { VenueDataError } from './errors.ts'
import type { Runtime } from './runtime.ts'

/** The client's options. */
export type VenueDataOptions = {
  /** The key, or a function that returns it before each attempt, for example while it is being replaced. */
  readonly key: string | (() => string | Promise<string>)
  /** Where the service is, such as `https://venue.example.com`; `/api/v1` may follow. */
  readonly baseUrl: string
  /** Milliseconds for a call with all its attempts and the waits between them. Default: 90,000. */
  readonly timeoutMs?: number
  /** Milliseconds for one attempt. Default: 15,000, more for calls that may take the service longer. */
  readonly attemptMs?: number
  /** The maximum number of retries of a call: 4 without a word. Waiting for `still-processing` does not count. */
  readonly retries?: number
  /** Used instead of the runtime's own `fetch`. */
  readonly fetch?: typeof fetch
  /** Called before each retry. */
  readonly onRetry?: (retry: Retry) => void
  /** For tests: time and randomness. */
  readonly runtime?: Partial<Runtime>
}

export type Retry = {
  readonly operation: string
  /** How many attempts were made so far. */
  readonly attempts: number
  readonly waitMs: number
  readonly error: VenueDataError
}

/** The options with all defaults filled in. */
export type Settings = {
  readonly address: string
  readonly key: () => string | Promise<string>
  readonly timeoutMs: number
  readonly attemptMs: number
  readonly retries: number
  readonly fetch: typeof fetch
  readonly onRetry: ((retry: Retry) => void) | undefined
  readonly runtime: Runtime
}
