import type { Settings, VenueDataOptions } from './options.ts'
import { realRuntime } from './runtime.ts'

/** What the client goes by, with what is not named as it is without a word. */
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
    // Not bound: a runtime's own fetch may be replaced after this, as tools that watch requests do.
    fetch: own ?? ((...given) => fetch(...given)),
    onRetry,
    runtime: { ...realRuntime, ...runtime },
  }
}

/** What cannot be in a header would come back in the words of an error. */
const checkKey = (key: string): string => {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The key is empty, or has characters that no key has.')
  return key
}
