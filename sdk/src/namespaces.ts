import { callOf } from './call.ts'
import type { Answer, Call, List } from './call-types.ts'
import { type Operation, operations } from './generated/operations.ts'
import { listOf } from './list.ts'
import type { Query, Request } from './request.ts'

export type Ask = (id: string, request: Partial<Request>) => Promise<Answer<unknown>>

/** Adds every API call to a tree by its name, alongside the existing methods: `reservations.cancel`. */
export const addCalls = (tree: Record<string, object>, ask: Ask): void => {
  for (const [id, operation] of Object.entries(operations)) {
    const [namespace = '', method] = operation.as.split('.')
    const call = callFor(id, operation, ask)
    if (method === undefined) tree[namespace] = call
    else Object.assign((tree[namespace] ??= {}), { [method]: call })
  }
}

/** A call with its parts in order: the values in the path, the body, and the query parameters with the options. */
const callFor =
  (id: string, { path, body, pages }: Operation, ask: Ask) =>
  (...given: unknown[]): Call<unknown> | List<unknown> => {
    const values = path.split('{').length - 1
    const rest = given.slice(values)
    const sent = body ? { body: rest.shift() } : {}
    const { signal, timeoutMs, retries, idempotencyKey, ifMatch, ifNoneMatch, ...query } = (rest[0] ??
      {}) as Partial<Request>
    const request = {
      ...{ ...sent, path: given.slice(0, values) as string[] },
      ...{ signal, timeoutMs, retries, idempotencyKey, ifMatch, ifNoneMatch },
    }
    const words = query as Query
    return pages
      ? listOf((after) => ask(id, { ...request, query: { ...words, after } }), words['after'] as string)
      : callOf(ask(id, { ...request, query: words }))
  }
