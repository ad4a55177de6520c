import { type EventName, namesMeant } from '@venue-data/contract/webhooks/events.ts'
import { type DeliveryStatus, deliveryStatuses } from '@venue-data/contract/webhooks/logged-delivery.ts'
import { eventWords } from '../../../platform/http/lists/event-words.ts'
import { readCursor } from '../../../platform/http/lists/list-cursor.ts'
import { readListWindow } from '../../../platform/http/lists/list-window.ts'
import { type QueryValue, momentAsked, onlyValue } from '../../../platform/http/query-words.ts'
import { inQuery } from '../../../platform/kernel/problem.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { LogAsked, LogPlace } from './reads.ts'

/** A query of an endpoint's log. */
export type AskedLog = LogAsked & {
  /** The filters a cursor is bound to. */
  readonly about: readonly unknown[]
  /** The query as it was asked, without its cursor. */
  readonly query: readonly (readonly [word: string, value: string])[]
}

type Place = { readonly venue: VenueId; readonly endpoint: string }

/** @throws Refusal 400 for a parameter that is repeated, empty or invalid. */
export const readLogAsked = (
  sent: Readonly<Record<string, QueryValue>>,
  { venue, endpoint }: Place,
): AskedLog => {
  const one = (word: string): string | undefined => onlyValue(word, sent[word])
  const { limit, since } = readListWindow(sent)
  const until = momentAsked('until', one('until'))
  const statuses = readStatuses(one('status'))
  const names = readNames(one('event'))
  const about = ['listDeliveries', venue, endpoint, since, until, statuses, names]
  return {
    ...{ limit, since, until, statuses, names, about },
    after: readAfter(about, one('after')),
    query: ['limit', 'since', 'until', 'status', 'event'].flatMap((word) => {
      const value = one(word)
      return value === undefined ? [] : [[word, value] as const]
    }),
  }
}

const readStatuses = (text: string | undefined): readonly DeliveryStatus[] => {
  if (text === undefined) return deliveryStatuses
  const asked = text.toLowerCase().split(',')
  if (!asked.every((word) => deliveryStatuses.some((status) => status === word))) {
    throw badRequest(
      `status must be made of ${deliveryStatuses.join(', ')}, with commas between them.`,
      inQuery('status', 'not-a-word'),
    )
  }
  return deliveryStatuses.filter((status) => asked.includes(status))
}

const readNames = (text: string | undefined): readonly EventName[] | undefined =>
  text === undefined ? undefined : namesMeant(eventWords('event', text))

const readAfter = (about: readonly unknown[], text: string | undefined): LogPlace | undefined => {
  if (text === undefined) return undefined
  const place = readCursor(about, text)
  if (place?.length !== 2) {
    throw badRequest(
      'after must be a cursor of this list, asked with the same filters.',
      inQuery('after', 'not-a-word', 'cursor-invalid'),
    )
  }
  return place
}
