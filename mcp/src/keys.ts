import type { Confirmations } from './confirmations.ts'
import { Refusal } from './refusals.ts'
import type { ServerOptions } from './server.ts'
import { type Session, confirmationsOf, fingerprint, openSession } from './session.ts'

export type KeysOptions = Omit<ServerOptions, 'key'>

/** What is kept of a key between its requests. */
type Kept = {
  readonly key: string
  readonly session: Session
  readonly openedMs: number
  readonly confirmations: Confirmations
}

export type Keys = {
  /**
   * `owner` is whose confirmations they are, where keys come and go; else the key itself.
   *
   * @throws VenueDataError when the key is not accepted, or the service cannot be reached
   */
  readonly sessionOf: (key: string, owner?: string) => Promise<Session>
}

/** The keys kept at once, of those that the service knows; the one least recently used makes room. */
const mostKeys = 1000
/** The keys that the service is being asked about at once. */
const mostAsked = 100
/** How long it is not asked again what a key may do, in milliseconds. The service itself looks at every call. */
const freshMs = 60_000

export const openKeys = (options: KeysOptions): Keys => {
  const { now = Date.now } = options
  /** By the owner. A key that is made up takes nobody's place here. */
  const known = new Map<string, Kept>()
  /** By the key. */
  const asked = new Map<string, Promise<Session>>()

  const keep = (owner: string, kept: Kept): Session => {
    known.delete(owner)
    known.set(owner, kept)
    if (known.size > mostKeys) known.delete(known.keys().next().value as string)
    return kept.session
  }

  const ask = async (key: string, owner: string): Promise<Session> => {
    // What was confirmed outlasts a service that is away for a moment.
    const confirmations = known.get(owner)?.confirmations ?? confirmationsOf(owner, now)
    const openedMs = now()
    try {
      const session = await openSession({ ...options, key, confirmations })
      return keep(owner, { key, session, openedMs, confirmations })
    } finally {
      asked.delete(key)
    }
  }

  return {
    sessionOf: async (key, owner = fingerprint(key)) => {
      const found = known.get(owner)
      if (found?.key === key && now() - found.openedMs < freshMs) return keep(owner, found)
      const under = asked.get(key)
      if (under) return under
      if (asked.size >= mostAsked) throw new Refusal('Too many keys are new at once; try again in a moment.')
      const asking = ask(key, owner)
      asked.set(key, asking)
      return asking
    },
  }
}
