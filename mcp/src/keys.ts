import type { Confirmations } from './confirmations.ts'
import type { ServerOptions } from './server.ts'
import { type Session, confirmationsOf, fingerprint, openSession } from './session.ts'

export type KeysOptions = Omit<ServerOptions, 'key'>

/** What is kept of a key between its requests. */
type Kept = {
  readonly session: Promise<Session>
  readonly openedMs: number
  readonly confirmations: Confirmations
}

export type Keys = {
  /** @throws VenueDataError when the key is not accepted, or the service cannot be reached */
  readonly sessionOf: (key: string) => Promise<Session>
}

/** The keys kept at once; the one least recently used makes room. */
const mostKeys = 1000
/** How long it is not asked again what a key may do, in milliseconds. The service itself looks at every call. */
const freshMs = 60_000

export const openKeys = (options: KeysOptions): Keys => {
  const { now = Date.now } = options
  /** By the key's fingerprint. */
  const known = new Map<string, Kept>()

  const opened = (key: string, owner: string, before: Kept | undefined): Kept => {
    const confirmations = before?.confirmations ?? confirmationsOf(key, now)
    const session = openSession({ ...options, key, confirmations })
    const kept = { session, openedMs: now(), confirmations }
    session.catch(() => {
      if (known.get(owner) !== kept) return
      // What was confirmed outlasts a service that is away for a moment.
      if (before) known.set(owner, { ...before, openedMs: -Infinity })
      else known.delete(owner)
    })
    return kept
  }

  return {
    sessionOf: (key) => {
      const owner = fingerprint(key)
      const found = known.get(owner)
      const kept = found && now() - found.openedMs < freshMs ? found : opened(key, owner, found)
      known.delete(owner)
      known.set(owner, kept)
      if (known.size > mostKeys) known.delete(known.keys().next().value as string)
      return kept.session
    },
  }
}
