import { type EventName, eventNames, events, namesMeant } from '@venue-data/contract/webhooks/events.ts'
import { type RecordKind, eventKinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { eventWords } from '../../../platform/http/lists/event-words.ts'
import { readLimit } from '../../../platform/http/lists/list-window.ts'
import { recordIdPattern } from '../../../platform/http/path.ts'
import { momentAsked, onlyValue } from '../../../platform/http/query-words.ts'
import { scopeMissing } from '../../../platform/http/refusals.ts'
import type { Query } from '../../../platform/http/serve.ts'
import { inQuery } from '../../../platform/kernel/problem.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import {
  type After,
  type NamedKinds,
  readAfter,
  readKinds,
  readWait,
  refuseUnreadable,
} from '../feed-words.ts'
import type { EventsAsked } from './reads.ts'

/** The query of a request for events. */
export type AskedEvents = Omit<EventsAsked, 'names' | 'visits'> & {
  readonly after: After
  readonly named: Named
  readonly limit: number
  readonly waitSeconds: number
}

/** The events that were asked for. */
type Named = {
  /** Names and patterns; undefined: all except the doorbell. */
  readonly names: readonly string[] | undefined
  readonly kinds: NamedKinds
}

/**
 * Reads the query of a request for events.
 *
 * @throws Refusal 403 when events or a kind are named that the key may not read, 400 when something cannot be read.
 */
export const readEventsQuery = (query: Query, scopes: readonly Scope[]): AskedEvents => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  const named = { names: readNames(one('names'), scopes), kinds: readKinds(one('kinds'), scopes, eventKinds) }
  return {
    named,
    record: readRecord(one('record'), scopes),
    after: readAfter('events', one('after')),
    since: momentAsked('since', one('since')),
    limit: readLimit(one('limit'), { standard: limits.listDefault, most: limits.listMost }),
    waitSeconds: readWait(one('wait')),
  }
}

/**
 * The requested events that a key with these scopes may read.
 *
 * @throws Refusal 403 when it may not read one of those named.
 */
export const eventsFor = (
  { named: { names = ['*'], kinds }, record }: Pick<AskedEvents, 'named' | 'record'>,
  scopes: readonly Scope[],
): readonly EventName[] => {
  refuseUnreadableEvents(names, scopes)
  refuseUnreadable(kinds, scopes)
  refuseUnreadable(record && [record.kind], scopes)
  return namesMeant(names).filter((name) => {
    const { kind } = events[name]
    return mayRead(name, scopes) && (kinds === undefined || (kind !== null && kinds.includes(kind)))
  })
}

const mayRead = (name: EventName, scopes: readonly Scope[]): boolean => {
  const { scope } = events[name]
  return scope === null || scopes.includes(scope)
}

/** Of a pattern's events, the key gets those it may read. */
const refuseUnreadableEvents = (names: readonly string[], scopes: readonly Scope[]): void => {
  const missing = names.filter(isEventName).find((name) => !mayRead(name, scopes))
  const scope = missing && events[missing].scope
  if (scope) throw scopeMissing(scope)
}

const isEventName = (name: string): name is EventName => eventNames.some((one) => one === name)

const readNames = (text: string | undefined, scopes: readonly Scope[]): readonly string[] | undefined => {
  if (text === undefined) return undefined
  refuseUnreadableEvents(text.split(','), scopes)
  return eventWords('names', text)
}

const readRecord = (text: string | undefined, scopes: readonly Scope[]): EventsAsked['record'] => {
  if (text === undefined) return undefined
  const [kind, id = '', ...more] = text.split(':')
  if (!isKind(kind) || !recordIdPattern.test(id) || more.length > 0) {
    throw badRequest(
      'record must be a kind, a colon and an id, such as reservation:48213.',
      inQuery('record', 'not-an-id'),
    )
  }
  refuseUnreadable([kind], scopes)
  return { kind, id: Number(id) }
}

const isKind = (word: string | undefined): word is RecordKind => eventKinds.some((one) => one === word)
