import type { Erasure, ErasedIds } from '@venue-data/contract/erasure.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { ErasureRow } from './reads.ts'

/** An erasure as a key sees it, without the ids of kinds that it may not read. */
export const presentErasure = (
  { id, at, ids }: ErasureRow,
  { scopes, confirmed }: { readonly scopes: readonly Scope[]; readonly confirmed: boolean },
): Erasure => {
  const shown = (kind: RecordKind, ofKind: readonly number[]): number[] =>
    scopes.includes(`${kinds[kind].scope}:read`) ? [...ofKind] : []
  const visible: ErasedIds = {
    guests: shown('guest', ids.guests),
    reservations: shown('reservation', ids.reservations),
    leads: shown('lead', ids.leads),
    waitlist: shown('waitlist_entry', ids.waitlist),
    ticketOrders: shown('ticket_order', ids.ticketOrders),
    subscribers: shown('subscriber', ids.subscribers),
  }
  return { id, at, ...visible, confirmed }
}
