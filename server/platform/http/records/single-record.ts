import type { Endpoint, ReplyOf } from '@venue-data/contract/webhooks/endpoint.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Work } from '../../../context.ts'
import type { Queries } from '../../db/pool.ts'
import { quickRead, sql } from '../../db/sql.ts'
import { Refusal, notFound, refuse } from '../../kernel/refusal.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { recordTag } from './record-tag.ts'
import { type Route, route } from '../serve.ts'

/*
 * One record by its id: the same shape as in lists, tagged with its revision, so a caller that already has it gets 304.
 * A deleted record is 410 while the deletion is remembered.
 */

type SingleRow = Endpoint & { readonly kind: RecordKind }

/** Serves a row that reads one record of a kind. */
export const recordRoute = <E extends SingleRow, Row extends { readonly revision: number }>(
  endpoint: E,
  {
    byId,
    present,
  }: {
    readonly byId: (db: Queries, venue: Venue['id'], id: number) => Promise<Row | undefined>
    readonly present: (row: Row, venue: Venue) => ReplyOf<E>['body']
  },
): Route => {
  const tag = recordTag(endpoint.kind)
  return route<Endpoint, { readonly id: number; readonly scopes: readonly Scope[] }>(endpoint, {
    read: ({ params, caller }) => ({ id: Number(params['id']), scopes: caller.key.scopes }),
    answer: async ({ db, venue, now }, { id, scopes }) => {
      const row = await byId(db, venue.id, id)
      if (!row) throw await goneOrUnknown(db, venue.id, { kind: endpoint.kind, id }, now())
      return { status: 200, body: present(row, venue), etag: tag(row, scopes) }
    },
  })
}

/**
 * The outcome of a write to one record. If there is no such record: 410 while its deletion is remembered, 404
 * otherwise.
 */
export const orGone = async <T>(
  { db, venue, now }: Work,
  about: { readonly kind: RecordKind; readonly id: number },
  writing: Promise<T>,
  isMissing = (): boolean => true,
): Promise<T> => {
  try {
    return await writing
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404 && isMissing())) throw error
    throw await goneOrUnknown(db, venue.id, about, now())
  }
}

/** The same answer for a record that never existed and for another venue's. */
const goneOrUnknown = async (
  db: Queries,
  venue: Venue['id'],
  { kind, id }: { readonly kind: RecordKind; readonly id: number },
  now: Temporal.Instant,
): Promise<Refusal> => {
  const name = kind.replace('_', ' ')
  const gone = await db.maybe(
    quickRead(sql({ op: 'text', into_id: 'int8?' })`
    select op, into_id from record_change
     where venue_id = ${venue} and kind = ${kind} and record_id = ${id} and gone
       and changed_at > ${now.subtract({ hours: 24 * limits.tombstoneDays })}`),
  )
  switch (gone?.op) {
    case 'merged':
      return refuse('merged', `This ${name} was merged into another.`, { mergedInto: gone.into_id })
    case 'erased':
      return refuse('erased', `This ${name} was erased.`)
    case 'deleted':
      return refuse('deleted', `This ${name} was deleted.`)
    default:
      return notFound(name)
  }
}
