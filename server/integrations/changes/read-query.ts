import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { readLimit } from '../../platform/http/lists/list-window.ts'
import { onlyValue, wholeFault, wordAsked } from '../../platform/http/query-words.ts'
import { scopeMissing } from '../../platform/http/refusals.ts'
import type { Query } from '../../platform/http/serve.ts'
import { inQuery } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import type { DigestAsked } from './digest.ts'
import {
  type After,
  type NamedKinds,
  readAfter,
  readKind,
  readKinds,
  readWait,
  refuseUnreadable,
  scopeToRead,
} from './feed-words.ts'

/** The query of a request for changes. */
export type AskedChanges = {
  /** Undefined: the first copy begins. */
  readonly after: After
  readonly named: NamedKinds
  readonly limit: number
  readonly waitSeconds: number
  readonly withData: boolean
}

/**
 * Reads the query of a request for changes.
 *
 * @throws Refusal 403 when a kind is named that the key may not read, or it may read none, 400 when something cannot be
 * read.
 */
export const readChangesQuery = (query: Query, scopes: readonly Scope[]): AskedChanges => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  const named = readKinds(one('kinds'), scopes)
  kindsFor(named, scopes)
  return {
    named,
    after: readAfter('changes', one('after')),
    limit: readLimit(one('limit'), { standard: limits.changesDefault, most: limits.changesMost }),
    waitSeconds: readWait(one('wait')),
    withData: wordAsked('data', one('data') ?? 'full', ['full', 'none']) === 'full',
  }
}

/**
 * The requested kinds, all of which the key must be able to read.
 *
 * @throws Refusal 403 when it may not read one of those that were named, or none at all.
 */
export const kindsFor = (named: NamedKinds, scopes: readonly Scope[]): readonly RecordKind[] => {
  refuseUnreadable(named, scopes)
  const readable = recordKinds.filter((kind) => scopes.includes(scopeToRead(kind)))
  if (readable.length === 0) throw scopeMissing('reservations:read')
  return named ? readable.filter((kind) => named.includes(kind)) : readable
}

/**
 * Reads the query of a request for a digest.
 *
 * @throws Refusal 403 when the key may not read the kind, 400 when something is missing or cannot be read.
 */
export const readDigestQuery = (query: Query, scopes: readonly Scope[]): DigestAsked => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  const kind = readKind(one('kind'), scopes)
  const cursor = readAfter('changes', one('after'))
  if (typeof cursor !== 'object') {
    throw badRequest(
      'after must be the cursor of your copy.',
      inQuery('after', cursor ? 'not-a-word' : 'missing'),
    )
  }
  const from = idAsked('from', one('from'))
  const block = idAsked('block', one('block'))
  if (block !== undefined && block % limits.digestBlockIds !== 0) {
    throw badRequest('block must be the from of a block.', inQuery('block', 'out-of-range'))
  }
  return { kind, cursor, from: block ?? from ?? 0, isBlock: block !== undefined }
}

/** An id, which need not exist: 0 is before all of them. */
const idAsked = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : Infinity
  if (id > Number.MAX_SAFE_INTEGER) {
    throw badRequest(`${name} must be a whole number, 0 or more.`, inQuery(name, wholeFault(text)))
  }
  return id
}
