import { events, firstEventNames } from '@venue-data/contract/events.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'

/**
 * Whether an endpoint may receive events that need this scope of its key. A key from before scopes may receive what
 * version 1 began with, and events about the venue's endpoints if it created one.
 */
export const mayReceive = (
  scope: Scope | null,
  { kind, key_scopes }: { readonly kind: string; readonly key_scopes: readonly string[] | null },
): boolean => {
  if (scope === null) return true
  if (key_scopes !== null) return key_scopes.includes(scope)
  return readBefore.has(scope) || (scope === 'webhooks:manage' && kind === 'webhook')
}

const readBefore: ReadonlySet<Scope | null> = new Set(firstEventNames.map((name) => events[name].scope))
