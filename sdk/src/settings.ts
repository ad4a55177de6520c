import type { Settings, VenueDataOptions } from './options.ts'
import { realRuntime } from './runtime.ts'

/** The client's settings, with defaults for those not given. */
export const settingsFrom = ({
  key,
  baseUrl,
  timeoutMs = 90_000,
  attemptMs = 15_000,
  retries = 4,
  fetch: own,
  onRetry,
  runtime,
}: VenueDataOptions): Settings => {
  if (typeof key === 'string') checkKey(key)
  return {
    address: `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`,
    key: typeof key === 'string' ? () => key : async () => checkKey(await key()),
    timeoutMs,
    attemptMs,
    retries,
    // Looked up at each call: monitoring tools may replace the runtime's fetch later.
    fetch: own ?? ((...given) => fetch(...given)),
    onRetry,
    runtime: { ...realRuntime, ...runtime },
  }
}

/** An invalid header value would be quoted in the runtime's error. */
const checkKey = (key: string): string => {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The key is empty, or has characters that no key has.')
  return key
}
