import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Queries } from '../../db/pool.ts'
import { type Fragment, fragment, quickRead, sql } from '../../db/sql.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/*
 * A record of a person who was erased stays without them for good. Code that writes what somebody typed about a person
 * asks here first, so that the refusal says why; a write that does not ask is refused by the record's own table
 * (`…_stays_erased`). Moves of its status go on.
 */

const tables = {
  guest: fragment('guest'),
  reservation: fragment('reservation'),
  lead: fragment('lead'),
  waitlist_entry: fragment('waitlist_entry'),
  ticket_order: fragment('ticket_order'),
} as const satisfies Partial<Record<RecordKind, Fragment>>
type ErasableKind = keyof typeof tables

const names: Partial<Record<RecordKind, string>> = { reservation: 'booking', ticket_order: 'order' }

export const isErasable = (kind: RecordKind): kind is ErasableKind => Object.hasOwn(tables, kind)

/** Throws 410 for a record that was erased; one that does not exist is left to the caller. */
export const refuseErased = async (
  db: Queries,
  venue: VenueId,
  kind: ErasableKind,
  id: number,
): Promise<void> => {
  const { is_erased = false } =
    (await db.maybe(
      quickRead(sql({ is_erased: 'bool' })`
      select erased_at is not null as is_erased from ${tables[kind]} where venue_id = ${venue} and id = ${id}`),
    )) ?? {}
  if (is_erased) throw erased(names[kind] ?? kind.replace('_', ' '))
}

const erased = (what: string) =>
  refuse('erased', `This ${what} was erased, and takes no personal data again.`)
