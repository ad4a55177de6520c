import { ApiError, RateLimitError, ServerError, StillProcessingError, type VenueDataError } from './errors.ts'

/* Whether to retry a call, and after how long. sdk/cases/README.md has the same in words. */

/** The first wait, which doubles each time, and the longest. */
const firstMs = 500
const longestMs = 30_000
/** For a call that waits for news: after an outage it must not sleep while there are some. */
const longestWaitingMs = 5_000
/** An attempt still being processed ends within seconds. */
const processingMs = 2_000

/**
 * Milliseconds until the next retry; undefined: none.
 *
 * @param repeatable whether nothing could be done twice
 * @param retries how many retries there were so far
 * @param isWaiting whether the call waits for news, as a feed does
 */
export const waitBefore = (
  error: VenueDataError,
  repeatable: boolean,
  retries: number,
  random: () => number,
  isWaiting: boolean,
): number | undefined => {
  const backOff =
    Math.min(firstMs * 2 ** retries, isWaiting ? longestWaitingMs : longestMs) * (0.5 + random() / 2)
  // No answer: the request may have been carried out.
  if (!(error instanceof ApiError)) return repeatable ? backOff : undefined
  const asked = error.retryAfterSeconds
  const wait = asked === undefined ? backOff : asked * 1000 * (1 + random() / 10)
  // Nothing was done, so any call may be repeated.
  if (error instanceof RateLimitError) return wait
  if (!repeatable) return undefined
  if (error instanceof StillProcessingError) return processingMs * (1 + random() / 10)
  return error instanceof ServerError && passing.has(error.status) ? Math.max(wait, backOff) : undefined
}

/** Temporary faults; 502 and 504 come from a proxy in front of the service. */
const passing: ReadonlySet<number> = new Set([500, 502, 503, 504])
