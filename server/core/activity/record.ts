import type { RecordKind as ApiKind } from '@venue-data/contract/kinds.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TableChange, joinedChanges } from './table-change.ts'
import type { Actor } from './actor.ts'

/*
 * A venue's private activity log: one row for each move or edit of a record, written in the transaction of the
 * change. Managers read it; none of it leaves through the API, a delivery or an integrator's export.
 */

/** What is changed: each kind of the API's records but visits, whose bookings are, and what is the venue's alone. */
export type RecordKind =
  | Exclude<ApiKind, 'visit'>
  | 'venue'
  | 'api_key'
  | 'staff'
  | 'invitation'
  | 'webhook_endpoint'
  | 'data_import'
  | 'suppression'
  | 'lead_note'
  | 'lead_pipeline'
  | 'ticketed_event'
  | 'occurrence'
  | 'promo_code'
  | 'ticket_settings'
  | 'tag'

/** Columns of a row, by name. */
export type Columns = Readonly<Record<string, unknown>>

export type Activity = {
  /** The move or edit, by its name in the table of moves. */
  readonly action: string
  readonly record: { readonly kind: RecordKind; readonly id: number }
  /**
   * The whole rows; what differs between them is stored. Null: the record did not exist before, or does not after.
   */
  readonly before: Columns | null
  readonly after: Columns | null
  /** Stored with the changes, such as the rules staff overrode. */
  readonly more?: Columns
  /** What it changed of who holds which tables, in the order it did: what an undo puts back. */
  readonly tables?: readonly TableChange[] | undefined
}

/** Records who changed what. A change stores only the columns that differ, a new or removed record all of them. */
export const recordActivity = async (...change: Parameters<typeof recordPress>): Promise<void> =>
  void (await recordPress(...change))

/** The same of a press that can be undone: returns the id of its row, by which the undo finds what it changed. */
export const recordPress = async (
  { db, venue }: Work,
  actor: Actor,
  { action, record, before, after, more = {}, tables = [] }: Activity,
  at: Temporal.Instant,
): Promise<number> => {
  const kept = before && after ? differing(before, after) : { before, after }
  const changed = joinedChanges(tables)
  const { id } = await db.one(sql({ id: 'int8' })`
    insert into activity (
      venue_id, at, actor_kind, actor_id, actor_name, action, record_kind, record_id, before, after, tables)
    values (
      ${venue.id}, ${at}, ${actor.kind}, ${('id' in actor ? actor.id : undefined) ?? null},
      ${actor.kind === 'staff' ? actor.email : null}, ${action}, ${record.kind}, ${record.id},
      ${kept.before && JSON.stringify(kept.before)}, ${kept.after && JSON.stringify({ ...kept.after, ...more })},
      ${changed.length > 0 ? JSON.stringify(changed) : null})
    returning id`)
  return id
}

/** Counted on every change; means nothing to a reader. */
const unsaid = new Set(['version', 'revision', 'updated_at'])

const differing = (before: Columns, after: Columns): { before: Columns; after: Columns } => {
  const names = Object.keys(after).filter((name) => !unsaid.has(name) && !isSame(before[name], after[name]))
  const only = (row: Columns): Columns => Object.fromEntries(names.map((name) => [name, row[name]]))
  return { before: only(before), after: only(after) }
}

/** Lists and documents are compared by content. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
