import {
  type EventName,
  eventNames,
  eventPatterns,
  events,
  firstEventNames,
} from '@venue-data/contract/webhooks/events.ts'
import {
  deliveryIncludes,
  deliveryPayloads,
  deliverySignatures,
} from '@venue-data/contract/webhooks/webhook-states.ts'
import type { KnownCaller } from '../access/key-check.ts'
import { readEach, readWord } from '../../platform/http/read-body.ts'
import { scopeMissing } from '../../platform/http/refusals.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { type DestinationRules, checkDestination } from '../../platform/net/destination.ts'
import type { EndpointSettings } from './writes.ts'

export const readAddress = (field: string, url: string, rules: DestinationRules): string => {
  const destination = checkDestination(url, rules)
  if (destination.kind === 'refused') {
    throw badRequest(destination.sentence, inBody(field, 'not-an-address'))
  }
  return destination.address
}

export const readEvents = (asked: readonly string[], caller: KnownCaller): readonly string[] => {
  for (const [i, name] of asked.entries()) {
    // A pattern expands only to events that the key may read.
    if (eventPatterns.includes(name)) continue
    if (!isEventName(name)) throw notAnEvent(`events[${i}]`)
    refuseUnreadable(name, caller)
  }
  return [...new Set(asked)]
}

/** The one event of a hook: unlike an endpoint, it accepts no patterns. */
export const readEvent = (name: string, caller: KnownCaller): EventName => {
  if (!isEventName(name)) throw mustBeOneOf('event', eventNames, 'event')
  refuseUnreadable(name, caller)
  return name
}

export const isEventName = (name: string): name is EventName => eventNames.some((one) => one === name)

const mustBeOneOf = (what: string, names: readonly EventName[], path: string) =>
  badRequest(`${what} must be one of ${names.join(', ')}.`, inBody(path, 'not-a-word'))

/** Names version 1's events as it did, and says where the others are. */
const notAnEvent = (path: string) =>
  badRequest(
    `Each of events must be one of ${firstEventNames.join(', ')}, another event of GET /events/types, or a pattern such as reservation.*.`,
    inBody(path, 'not-a-word'),
  )

const refuseUnreadable = (name: EventName, { key }: KnownCaller): void => {
  const { scope } = events[name]
  if (scope !== null && !key.scopes.includes(scope)) throw scopeMissing(scope)
}

type AskedSettings = {
  readonly description?: string | null
  readonly payload?: string
  readonly include?: readonly string[]
  readonly signatures?: readonly string[]
}

/** The settings that were given. */
export const readSettings = ({
  description,
  payload,
  include,
  signatures,
}: AskedSettings): Partial<EndpointSettings> => ({
  ...(description !== undefined && { description }),
  ...readEach({
    ...(payload !== undefined && { payload: () => readWord('payload', payload, deliveryPayloads) }),
    ...(include && { include: () => readWords('include', include, deliveryIncludes) }),
    ...(signatures && { signatures: () => readSignatures(signatures) }),
  }),
})

/** In list order, without duplicates. */
const readWords = <Word extends string>(
  field: string,
  asked: readonly string[],
  words: readonly Word[],
): Word[] => {
  for (const [i, one] of asked.entries()) {
    if (words.every((word) => word !== one))
      throw badRequest(
        `Each of ${field} must be one of ${words.join(', ')}.`,
        inBody(`${field}[${i}]`, 'not-a-word'),
      )
  }
  return words.filter((word) => asked.includes(word))
}

const readSignatures = (asked: readonly string[]) => {
  const signatures = readWords('signatures', asked, deliverySignatures)
  if (!signatures.includes('service'))
    throw badRequest('signatures must include service.', inBody('signatures', 'not-a-word'))
  return signatures
}
