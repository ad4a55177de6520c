import type { CallOptions, IfMatch, IfNoneMatch, Keyed } from './call-types.ts'
import type { Operation } from './generated/operations.ts'
import { version } from './version.ts'

/** The parts of a call. */
export type Request = CallOptions &
  Keyed & {
    readonly ifMatch?: IfMatch['ifMatch'] | undefined
    readonly ifNoneMatch?: IfNoneMatch['ifNoneMatch'] | undefined
    /** The values in the path, in order. */
    readonly path: readonly (string | number)[]
    readonly query: Query
    readonly body?: unknown
  }

/** Query parameters; a list is sent separated by commas, a `Date` as a moment. */
export type Query = Readonly<Record<string, QueryValue | null | undefined>>
type QueryValue = string | number | boolean | Date | readonly (string | number)[]

/** The whole address of a call. */
export const addressOf = (
  address: string,
  operation: Operation,
  { path, query }: Pick<Request, 'path' | 'query'>,
): string => {
  let at = 0
  const place = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(path[at++] ?? ''))
  const words = new URLSearchParams()
  for (const [word, value] of Object.entries(query)) {
    if (value != null) words.set(word, value instanceof Date ? value.toISOString() : String(value))
  }
  const asked = words.toString()
  return `${address}${place}${asked && `?${asked}`}`
}

export const headersOf = (
  key: string,
  { body, ifMatch, ifNoneMatch }: Pick<Request, 'body' | 'ifMatch' | 'ifNoneMatch'>,
  idempotencyKey: string | undefined,
): Record<string, string> => ({
  'x-service-key': key,
  // With it, a refusal also says which parts of the request are wrong, and why.
  accept: 'application/json, application/problem+json',
  'user-agent': `venue-data-sdk/${version}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...(ifMatch !== undefined && { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
  ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
})
