import type { VenueDataError } from './errors.ts'
import type { Runtime } from './runtime.ts'

/** What the client is made with. */
export type VenueDataOptions = {
  /** The key, or what gives it before each attempt, such as while it is being replaced. */
  readonly key: string | (() => string | Promise<string>)
  /** Where the service is, such as `https://venue.example.com`; `/api/v1` may follow. */
  readonly baseUrl: string
  /** Milliseconds for a call with all of its attempts and the waits between them. 90,000 without a word. */
  readonly timeoutMs?: number
  /** Milliseconds for one attempt. 15,000 without a word, more where the service itself may take longer. */
  readonly attemptMs?: number
  /** How many times a call is sent again at most: 4 without a word. Waiting for `still-processing` does not count. */
  readonly retries?: number
  /** In place of the runtime's own `fetch`. */
  readonly fetch?: typeof fetch
  /** Is told before a call is sent again. */
  readonly onRetry?: (retry: Retry) => void
  /** For tests: time and chance. */
  readonly runtime?: Partial<Runtime>
}

export type Retry = {
  readonly operation: string
  /** How often it was sent so far. */
  readonly attempts: number
  readonly waitMs: number
  readonly error: VenueDataError
}

/** The options with nothing left open. */
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
