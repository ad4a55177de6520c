import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type EventName, eventNames, kindOfEvent } from '@venue-data/contract/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import type { Caller } from '../access/key-check.ts'
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
      read: ({ body: { url, events }, caller }) => ({
        url,
        address: readAddress('url', url, { practice: config.practice }),
        events: readableBy(caller, [
          ...new Set(events.map((name, i) => readEvent(name, 'Each of events', `events[${i}]`))),
        ]),
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
        event: readableBy(caller, [readEvent(event, 'event', 'event')])[0] as EventName,
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

/** `what` begins the sentence, `path` names the place. */
const readEvent = (name: string, what: string, path: string): EventName => {
  const known = eventNames.find((one) => one === name)
  if (!known) {
    throw badRequest(`${what} must be one of ${eventNames.join(', ')}.`, inBody(path, 'not-a-word'))
  }
  return known
}

/** What happens to records that a key may not read is not told to what it makes either. */
const readableBy = ({ key }: Caller, names: readonly EventName[]): readonly EventName[] => {
  for (const name of names) {
    const kind = kindOfEvent(name)
    const scope = kind && (`${kinds[kind].scope}:read` as const)
    if (scope && !key.scopes.includes(scope)) throw scopeMissing(scope)
  }
  return names
}
