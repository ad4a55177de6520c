import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Context } from '../../context.ts'
import { readListWindow } from '../../platform/http/lists/list-window.ts'
import { readEach } from '../../platform/http/read-body.ts'
import { created, ok, route } from '../../platform/http/serve.ts'
import { addEndpoint, addHook, pingEndpoint, removeEndpoint } from './actions.ts'
import { presentEndpoint } from './present.ts'
import { readAddress, readEvent, readEvents, readSettings } from './read-asked.ts'
import { newestEndpoints } from './reads.ts'
import { settingsRoutes } from './settings-routes.ts'

export const webhookRoutes = (context: Pick<Context, 'config' | 'secrets' | 'random' | 'sender'>) => {
  const { config } = context
  return [
    route(endpoints.listWebhooks, {
      read: ({ query }) => readListWindow(query),
      answer: async ({ db, venue, now }, window) => {
        const moment = now()
        const rows = await newestEndpoints(db, venue.id, window, moment)
        return ok(rows.map((row) => presentEndpoint(row, moment)))
      },
    }),

    route(endpoints.createWebhook, {
      read: ({ body, caller }) => ({
        url: body.url,
        keyId: caller.key.id,
        ...readEach({
          address: () => readAddress('url', body.url, { practice: config.practice }),
          events: () => readEvents(body.events, caller),
          settings: () => readSettings(body),
        }),
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

    ...settingsRoutes(context),
  ]
}
