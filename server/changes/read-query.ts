import { type RecordKind, kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { readLimit } from '../http/list-window.ts'
import { onlyValue, wholeAsked, wordAsked } from '../http/query-words.ts'
import { scopeMissing } from '../http/refusals.ts'
import type { Query } from '../http/serve.ts'
import { inQuery } from '../kernel/problem.ts'
import { badRequest } from '../kernel/refusal.ts'
import { type Cursor, readCursor } from './cursor.ts'

/** What is asked of the feed of changes. */
export type AskedChanges = {
  /** Undefined: the first copy begins. */
  readonly after: Cursor | 'latest' | undefined
  readonly named: Named
  readonly limit: number
  readonly waitSeconds: number
  readonly withData: boolean
}

/** The kinds that were asked for; undefined: all that the key may read. */
type Named = readonly RecordKind[] | undefined

/**
 * Reads the query of a request for changes.
 *
 * @throws Refusal 403 when a kind is named that the key may not read, 400 when something cannot be read.
 */
export const readChangesQuery = (query: Query, scopes: readonly Scope[]): AskedChanges => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  const words = one('kinds')?.split(',')
  const known = words?.filter((word): word is RecordKind => recordKinds.includes(word as RecordKind))
  kindsFor(known, scopes)
  if (words && (known?.length !== words.length || new Set(words).size !== words.length)) {
    throw badRequest(
      `kinds must be different words out of ${recordKinds.join(', ')}, separated by commas.`,
      inQuery('kinds', 'not-a-word'),
    )
  }
  return {
    after: readAfter(one('after')),
    named: known,
    limit: readLimit(one('limit'), { standard: limits.changesDefault, most: limits.changesMost }),
    waitSeconds: wholeAsked('wait', one('wait') ?? '0', {
      from: 0,
      to: limits.changesWaitSeconds,
      of: 'seconds',
    }),
    withData: wordAsked('data', one('data') ?? 'full', ['full', 'none']) === 'full',
  }
}

/**
 * Of the kinds that were asked for, those that a key with these scopes may read: all of them.
 *
 * @throws Refusal 403 when it may not read one of those that were named, or none at all.
 */
export const kindsFor = (named: Named, scopes: readonly Scope[]): readonly RecordKind[] => {
  const readable = recordKinds.filter((kind) => scopes.includes(scopeOf(kind)))
  const missing =
    (named ?? []).find((kind) => !readable.includes(kind)) ?? (readable.length ? null : 'reservation')
  if (missing !== null) throw scopeMissing(scopeOf(missing))
  return named ? readable.filter((kind) => named.includes(kind)) : readable
}

const scopeOf = (kind: RecordKind): Scope => `${kinds[kind].scope}:read`

const readAfter = (text: string | undefined): AskedChanges['after'] => {
  if (text === undefined || text === 'latest') return text
  const cursor = readCursor(text)
  if (!cursor) {
    throw badRequest(
      'after must be the `next` of an earlier answer, as it was given, or latest.',
      inQuery('after', 'not-a-word', 'cursor-invalid'),
    )
  }
  return cursor
}
