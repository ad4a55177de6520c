import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type ListPlace, readCursor, writeCursor } from '../../../platform/http/lists/list-cursor.ts'
import { readLimit } from '../../../platform/http/lists/list-window.ts'
import { onlyValue } from '../../../platform/http/query-words.ts'
import { type Query, ok, route } from '../../../platform/http/serve.ts'
import { inQuery } from '../../../platform/kernel/problem.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { confirmErasure } from './actions.ts'
import { presentErasure } from './present.ts'
import { type ErasureRow, confirmationsOf, erasuresAfter } from './reads.ts'

export const erasureRoutes = [
  route(endpoints.listErasures, {
    read: ({ query, venue, caller }) => ({
      after: readAfter(query, venue.id),
      limit: readLimit(onlyValue('limit', query['limit']), {
        standard: limits.listDefault,
        most: limits.listMost,
      }),
      key: caller.key,
    }),
    answer: async ({ db, venue }, { after, limit, key }) => {
      const found = await erasuresAfter(db, venue.id, after.at(-1) as number, limit + 1)
      const rows = found.slice(0, limit)
      const confirmations = await confirmationsOf(
        db,
        venue.id,
        rows.map(({ id }) => id),
      )
      const own = new Set(
        confirmations.filter(({ key_id }) => key_id === key.id).map(({ erasure_id }) => erasure_id),
      )
      return ok({
        erasures: rows.map((row) => presentErasure(row, { scopes: key.scopes, confirmed: own.has(row.id) })),
        next: writeCursor(about(venue.id), placeOf(rows.at(-1)) ?? after),
        more: found.length > limit,
      })
    },
  }),

  route(endpoints.confirmErasure, {
    read: ({ params, body, caller }) => ({
      said: { erasure: Number(params['id']), key: caller.key.id, note: body.note ?? null },
      scopes: caller.key.scopes,
    }),
    answer: async (work, { said, scopes }) =>
      ok({ erasure: presentErasure(await confirmErasure(work, said), { scopes, confirmed: true }) }),
  }),
]

/** The filters that a cursor is bound to. */
const about = (venue: number) => [venue, endpoints.listErasures.id]

const beginning: ListPlace = ['0001-01-01T00:00:00.000Z', 0]

const placeOf = (row: ErasureRow | undefined): ListPlace | undefined => row && [row.at, row.id]

const readAfter = (query: Query, venue: number): ListPlace => {
  const text = onlyValue('after', query['after'])
  if (text === undefined) return beginning
  const place = readCursor(about(venue), text)
  if (!place) {
    throw badRequest(
      'after must be the `next` of an earlier answer, as it was given.',
      inQuery('after', 'not-a-word', 'cursor-invalid'),
    )
  }
  return place
}
