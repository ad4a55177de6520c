import type { BatchKind } from '@venue-data/contract/batch.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'

/**
 * Whether a key with these scopes may send records of a kind, and read the results. Those of guests and subscribers tell
 * who is known, like a search by contact details.
 */
export const maySendBatch = (scopes: readonly Scope[], kind: BatchKind): boolean =>
  scopes.includes(`${kinds[kind].scope}:create`) &&
  !(scopes.includes('contacts:hidden') && looksUpPeople.has(kind))

const looksUpPeople: ReadonlySet<BatchKind> = new Set(['guest', 'subscriber'])
