import { type BatchKind, batchKinds, batchModes } from '@venue-data/contract/batch.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import { readCursor, writeCursor } from '../../platform/http/lists/list-cursor.ts'
import { readLimit } from '../../platform/http/lists/list-window.ts'
import { onlyValue } from '../../platform/http/query-words.ts'
import { readWord } from '../../platform/http/read-body.ts'
import { contactsHidden, scopeMissing } from '../../platform/http/refusals.ts'
import { ok, route } from '../../platform/http/serve.ts'
import { inBody, inQuery } from '../../platform/kernel/problem.ts'
import { badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { isUuid } from '../../platform/kernel/uuid.ts'
import { takeBatch } from './actions.ts'
import { maySendBatch } from './rules.ts'
import { presentResult } from './present.ts'
import { type BatchRow, batchOf, itemsDone, presentBatch } from './reads.ts'

export const batchRoutes = (context: Pick<Context, 'random'>) => [
  route(endpoints.createBatch, {
    read: ({ body, caller }) => {
      const kind = readWord('kind', body.kind, batchKinds)
      refuseWithout(caller.key.scopes, kind)
      refuseLongOrRepeated(body.items.map(({ ref }) => ref))
      return { key: caller.key.id, kind, mode: readWord('mode', body.mode, batchModes), items: body.items }
    },
    answer: async (work, sent) => ({
      status: 202 as const,
      body: { batch: presentBatch(await takeBatch(context, work, sent)) },
    }),
  }),

  route(endpoints.getBatch, {
    read: ({ params, caller }) => ({ id: params['id'] ?? '', scopes: caller.key.scopes }),
    answer: async ({ db, venue }, { id, scopes }) => {
      const batch = isUuid(id) ? await batchOf(db, venue.id, id) : undefined
      return ok(presentBatch(readable(batch, scopes)))
    },
  }),

  route(endpoints.listBatchResults, {
    read: ({ params, query, venue, caller }) => {
      const id = params['id'] ?? ''
      // The filters a cursor is bound to.
      const about = [venue.id, endpoints.listBatchResults.id, id]
      const cursor = onlyValue('after', query['after'])
      const after = cursor === undefined ? 0 : readCursor(about, cursor)?.at(-1)
      if (typeof after !== 'number') {
        throw badRequest(
          'after must be a cursor of these results, as it was given.',
          inQuery('after', 'not-a-word', 'cursor-invalid'),
        )
      }
      const limit = onlyValue('limit', query['limit'])
      const most = readLimit(limit, { standard: limits.listDefault, most: limits.listMost })
      return { id, about, after, limit, most, scopes: caller.key.scopes }
    },
    answer: async ({ db, venue }, { id, about, after, limit, most, scopes }) => {
      const batch = readable(isUuid(id) ? await batchOf(db, venue.id, id) : undefined, scopes)
      const found = await itemsDone(db, venue.id, id, { after, most: most + 1 })
      const items = found.slice(0, most)
      const last = items.at(-1)
      const cursor = last && found.length > most ? writeCursor(about, [batch.sent_at, last.id]) : undefined
      const query = new URLSearchParams({ ...(limit !== undefined && { limit }), after: cursor ?? '' })
      return {
        status: 200 as const,
        body: items.map((item) => presentResult(batch, item, scopes)),
        next: cursor === undefined ? undefined : { query: query.toString(), cursor },
      }
    },
  }),
]

/** 404 if there is no such batch, 403 for a key that could not have sent it. */
const readable = (batch: BatchRow | undefined, scopes: readonly Scope[]): BatchRow => {
  if (!batch) throw notFound('batch')
  refuseWithout(scopes, batch.kind)
  return batch
}

const refuseWithout = (scopes: readonly Scope[], kind: BatchKind): void => {
  const needed = `${kinds[kind].scope}:create` as const
  if (!scopes.includes(needed)) throw scopeMissing(needed)
  if (!maySendBatch(scopes, kind)) throw contactsHidden()
}

const refuseLongOrRepeated = (refs: readonly string[]): void => {
  const seen = new Set<string>()
  for (const [i, ref] of refs.entries()) {
    const at = `items.${i}.ref`
    if (Array.from(ref).length > limits.batchRefCharacters) {
      throw badRequest(
        `${at} must be at most ${limits.batchRefCharacters} characters long.`,
        inBody(at, 'too-long'),
      )
    }
    if (seen.has(ref))
      throw badRequest(`${at} is there twice; each ref must be its own.`, inBody(at, 'repeated'))
    seen.add(ref)
  }
}
