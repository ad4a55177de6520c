import { events, firstEventNames } from '@venue-data/contract/webhooks/events.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'

/** What decides what an endpoint may be sent. */
export type EndpointKeys = {
  readonly kind: string
  /** The current scopes of the key that made it; null: the key is older than scopes. */
  readonly key_scopes: readonly string[] | null
  /** The current scopes of the key that last set its address; null: the one that made it. */
  readonly address_key_scopes: readonly string[] | null
}

/**
 * The scopes that limit what an endpoint is sent: both the key that made it and the one that last set its address must
 * have them, or moving an endpoint would be a way to read. Contacts are hidden if either key hides them.
 */
export const scopesOfEndpoint = ({
  kind,
  key_scopes,
  address_key_scopes,
}: EndpointKeys): readonly Scope[] => {
  const maker = (key_scopes as readonly Scope[] | null) ?? scopesBefore(kind)
  if (address_key_scopes === null) return maker
  const mover = address_key_scopes as readonly Scope[]
  const both = maker.filter((scope) => scope !== hidden && mover.includes(scope))
  return maker.includes(hidden) || mover.includes(hidden) ? [...both, hidden] : both
}

const hidden = 'contacts:hidden' satisfies Scope

/** Whether an endpoint may receive events that need this scope of its keys. */
export const mayReceive = (scope: Scope | null, endpoint: EndpointKeys): boolean =>
  scope === null || scopesOfEndpoint(endpoint).includes(scope)

/**
 * A key from before scopes may receive what version 1 began with, and events about the venue's endpoints if it created
 * one.
 */
const scopesBefore = (kind: string): readonly Scope[] =>
  kind === 'webhook' ? [...readBefore, 'webhooks:manage'] : readBefore

const readBefore: readonly Scope[] = [...new Set(firstEventNames.flatMap((name) => events[name].scope ?? []))]
