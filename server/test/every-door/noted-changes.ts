import assert from 'node:assert/strict'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { TestVenue } from '../service.ts'

type Place = {
  readonly venue: Pick<TestVenue, 'id'>
  readonly query: (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>
}
type Noted = {
  readonly id: number
  readonly op: string
  readonly gone: boolean
  readonly revision: number
  readonly at: string
  readonly into: number | null
  readonly own: number | null
}

/**
 * The last change that is noted of each record of a kind, by the record's id: its operation, revision, time of day, and
 * what happened to a record that is gone. What is noted of a record that is there is the record's own revision.
 */
export const notedChanges = async (
  { venue, query }: Place,
  kind: RecordKind,
): Promise<Record<number, string>> => {
  const rows = (await query(
    `select c.record_id as id, c.op, c.gone, c.revision, to_char(c.changed_at at time zone 'UTC', 'HH24:MI') as at,
            c.into_id as into, r.revision as own
       from record_change c left join ${kind === 'visit' ? 'reservation' : kind} r on r.venue_id = c.venue_id and r.id = c.record_id
      where c.venue_id = $1 and c.kind = $2`,
    [venue.id, kind],
  )) as Noted[]
  for (const { gone, revision, own } of rows) {
    // A visit's revision is in its note only.
    if (kind === 'visit') assert.equal(own === null, gone)
    else assert.equal(own, gone ? null : revision)
  }
  return Object.fromEntries(
    rows.map(({ id, op, gone, revision, at, into }) => [
      id,
      `${op} ${revision} at ${at}${gone ? ', gone' : ''}${into === null ? '' : ` into ${into}`}`,
    ]),
  )
}
