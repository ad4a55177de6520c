import assert from 'node:assert/strict'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Desk } from './desk.ts'

/**
 * The last change that is noted of each record of a kind, by the record's id: its operation, revision, time of day, and
 * what became of a record that is gone. What is noted of a record that is there is the record's own revision.
 */
export const notedChanges = async (
  { venue, query }: Desk,
  kind: RecordKind,
): Promise<Record<number, string>> => {
  const rows = await query<{
    id: number
    op: string
    gone: boolean
    revision: number
    at: string
    into: number | null
    own: number | null
  }>(
    `select c.record_id as id, c.op, c.gone, c.revision, to_char(c.changed_at at time zone 'UTC', 'HH24:MI') as at,
            c.into_id as into, r.revision as own
       from record_change c left join ${kind} r on r.venue_id = c.venue_id and r.id = c.record_id
      where c.venue_id = $1 and c.kind = $2`,
    [venue.id, kind],
  )
  for (const { gone, revision, own } of rows) assert.equal(own, gone ? null : revision)
  return Object.fromEntries(
    rows.map(({ id, op, gone, revision, at, into }) => [
      id,
      `${op} ${revision} at ${at}${gone ? ', gone' : ''}${into === null ? '' : ` into ${into}`}`,
    ]),
  )
}
