import { endpoints } from '@venue-data/contract/endpoints.ts'
import {
  type EventName,
  eventNames,
  eventPatterns,
  events,
  firstEventNames,
} from '@venue-data/contract/events.ts'
import type { KnownCaller } from '../access/key-check.ts'
import type { Context } from '../context.ts'
import { readListWindow } from '../http/list-window.ts'
import { scopeMissing } from '../http/refusals.ts'
import { created, ok, route } from '../http/serve.ts'
import { inBody } from '../kernel/problem.ts'
import { badRequest } from '../kernel/refusal.ts'
import { addEndpoint, addHook, pingEndpoint, removeEndpoint } from './actions.ts'
import { type DestinationRules, checkDestination } from './destination.ts'
import { presentEndpoint } from './present.ts'
import { newestEndpoints } from './reads.ts'

export const webhookRoutes = (context: Pick<Context, 'config' | 'secrets' | 'random' | 'sender'>) => {
  const { config } = context
  return [
    route(endpoints.listWebhooks, {
      read: ({ query }) => readListWindow(query),
      answer: async ({ db, venue }, window) =>
        ok((await newestEndpoints(db, venue.id, window)).map(presentEndpoint)),
    }),

    route(endpoints.createWebhook, {
      read: ({ body, caller }) => ({
        url: body.url,
        address: readAddress('url', body.url, { practice: config.practice }),
        events: readEvents(body.events, caller),
        keyId: caller.key.id,
      }),
      answer: async (work, asked) => created(await addEndpoint(work, context, asked)),
    }),

    route(endpoints.deleteWebhook, {
      read: ({ params }) => params.id ?? '',
      answer: async (work, id) => ok(await removeEndpoint(work, 'webhook', id)),
    }),

    route(endpoints.testWebhook, {
      read: ({ params }) => params.id ?? '',
      answer: async (work, id) => ok(await pingEndpoint(work, context, id)),
    }),

    route(endpoints.createHook, {
      read: ({ body: { event, targetUrl }, caller }) => ({
        event: readEvent(event, caller),
        url: targetUrl,
        address: readAddress('targetUrl', targetUrl, {
          practice: config.practice,
          onlyHost: config.automationHookHost,
        }),
        keyId: caller.key.id,
      }),
      answer: async (work, asked) => created(await addHook(work, context, asked)),
    }),

    route(endpoints.deleteHook, {
      read: ({ params }) => params.id ?? '',
      answer: async (work, id) => ok(await removeEndpoint(work, 'hook', id)),
    }),
  ]
}

const readAddress = (field: string, url: string, rules: DestinationRules): string => {
  const destination = checkDestination(url, rules)
  if (destination.kind === 'refused') {
    throw badRequest(destination.sentence, inBody(field, 'not-an-address'))
  }
  return destination.address
}

const readEvents = (asked: readonly string[], caller: KnownCaller): readonly string[] => {
  for (const [i, name] of asked.entries()) {
    // What a pattern stands for is told as far as the key may read it.
    if (eventPatterns.includes(name)) continue
    if (!isEventName(name)) throw mustBeOneOf('Each of events', `events[${i}]`)
    refuseUnreadable(name, caller)
  }
  return [...new Set(asked)]
}

const readEvent = (name: string, caller: KnownCaller): EventName => {
  if (!isEventName(name)) throw mustBeOneOf('event', 'event')
  refuseUnreadable(name, caller)
  return name
}

const isEventName = (name: string): name is EventName => eventNames.some((one) => one === name)

/** The sentence of version 1, to the byte: later names are in the documentation. */
const mustBeOneOf = (what: string, path: string) =>
  badRequest(`${what} must be one of ${firstEventNames.join(', ')}.`, inBody(path, 'not-a-word'))

const refuseUnreadable = (name: EventName, { key }: KnownCaller): void => {
  const { scope } = events[name]
  if (scope !== null && !key.scopes.includes(scope)) throw scopeMissing(scope)
}
