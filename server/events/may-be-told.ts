import { events, firstEventNames } from '@venue-data/contract/events.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'

/**
 * Whether an endpoint may be told what needs this scope of its key. A key from before there were scopes may be told what
 * version 1 began with, and of the venue's endpoints if it made one.
 */
export const mayBeTold = (
  scope: Scope | null,
  { kind, key_scopes }: { readonly kind: string; readonly key_scopes: readonly string[] | null },
): boolean => {
  if (scope === null) return true
  if (key_scopes !== null) return key_scopes.includes(scope)
  return readBefore.has(scope) || (scope === 'webhooks:manage' && kind === 'webhook')
}

const readBefore: ReadonlySet<Scope | null> = new Set(firstEventNames.map((name) => events[name].scope))
