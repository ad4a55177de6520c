import { type RecordKind, kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { wholeAsked } from '../../platform/http/query-words.ts'
import { scopeMissing } from '../../platform/http/refusals.ts'
import { inQuery } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { type Cursor, type FeedName, readCursor } from './cursor.ts'

/* The parameters shared by the feeds of changes and of events. Each reader throws 400 for an invalid value. */

/** Where to start reading; undefined: from the beginning. */
export type After = Cursor | 'latest' | undefined

/** The requested kinds; undefined: all that the key may read. */
export type NamedKinds = readonly RecordKind[] | undefined

/** @throws Refusal 403 when a kind is named that the key may not read, which comes before any 400. */
export const readKinds = (
  text: string | undefined,
  scopes: readonly Scope[],
  kindsKnown = recordKinds,
): NamedKinds => {
  const words = text?.split(',')
  const known = words?.filter((word): word is RecordKind => kindsKnown.includes(word as RecordKind))
  refuseUnreadable(known, scopes)
  if (words && (known?.length !== words.length || new Set(words).size !== words.length)) {
    throw badRequest(
      `kinds must be different words out of ${kindsKnown.join(', ')}, separated by commas.`,
      inQuery('kinds', 'not-a-word'),
    )
  }
  return known
}

/** The one kind of a request. @throws Refusal 403 when the key may not read it, 400 when it is not a kind. */
export const readKind = (text: string | undefined, scopes: readonly Scope[]): RecordKind => {
  const kind = recordKinds.find((one) => one === text)
  if (kind === undefined) {
    throw badRequest(
      `kind must be one of ${recordKinds.join(', ')}.`,
      inQuery('kind', text === undefined ? 'missing' : 'not-a-word'),
    )
  }
  refuseUnreadable([kind], scopes)
  return kind
}

/** @throws Refusal 403 when the key may not read one of these kinds. */
export const refuseUnreadable = (named: NamedKinds, scopes: readonly Scope[]): void => {
  const missing = named?.find((kind) => !scopes.includes(scopeToRead(kind)))
  if (missing !== undefined) throw scopeMissing(scopeToRead(missing))
}

/** The scope that reads a kind. */
export const scopeToRead = (kind: RecordKind): Scope => `${kinds[kind].scope}:read`

export const readAfter = (feed: FeedName, text: string | undefined): After => {
  if (text === undefined || text === 'latest') return text
  const cursor = readCursor(feed, text)
  if (!cursor) {
    throw badRequest(
      'after must be the `next` of an earlier answer, as it was given, or latest.',
      inQuery('after', 'not-a-word', 'cursor-invalid'),
    )
  }
  return cursor
}

/** How many seconds to wait before an empty answer. */
export const readWait = (text = '0'): number =>
  wholeAsked('wait', text, { from: 0, to: limits.changesWaitSeconds, of: 'seconds' })
