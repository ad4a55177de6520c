import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { WebhookEndpoint } from '@venue-data/contract/webhooks/webhook.ts'
import type { Context, Work } from '../../context.ts'
import { isExpected } from '../../platform/http/records/if-match.ts'
import { readWord } from '../../platform/http/read-body.ts'
import { changedMeanwhile } from '../../platform/http/records/record-write.ts'
import { tagsOf } from '../../platform/http/records/record-tag.ts'
import { created, ok, route } from '../../platform/http/serve.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { isUuid } from '../../platform/kernel/uuid.ts'
import { presentEndpoint } from './present.ts'
import { isEventName, readAddress, readEvents, readSettings } from './read-asked.ts'
import { reachOf } from './reach.ts'
import { endpointById } from './reads.ts'
import { rotateSecret } from './rotate-secret.ts'
import { sendSample } from './samples.ts'
import { changeEndpoint } from './settings.ts'

/* One webhook endpoint: reading it and changing its settings. */

export const settingsRoutes = (context: Pick<Context, 'config' | 'secrets' | 'random' | 'sender'>) => [
  route(endpoints.getWebhook, {
    read: ({ params, caller }) => ({ id: params['id'] ?? '', scopes: caller.key.scopes }),
    answer: async (work, { id, scopes }) => {
      const endpoint = await shown(work, id)
      return { ...ok(endpoint), etag: tag(endpoint, scopes) }
    },
  }),

  route(endpoints.updateWebhook, {
    read: ({ params, body, caller, expected }) => ({
      id: params['id'] ?? '',
      actor: { kind: 'key', id: caller.key.id } as const,
      by: { id: caller.key.id, scopes: caller.key.scopes },
      seen: { expected, scopes: caller.key.scopes },
      changes: {
        ...(body.url !== undefined && {
          url: body.url,
          address: readAddress('url', body.url, { practice: context.config.practice }),
        }),
        ...(body.events && { events: readEvents(body.events, caller) }),
        ...readSettings(body),
        ...(body.status !== undefined && { status: readWord('status', body.status, ['active', 'paused']) }),
      },
    }),
    answer: async (work, { id, actor, by, seen: { expected, scopes }, changes }) => {
      await changeEndpoint(work, context, actor, {
        id,
        changes,
        by,
        seen: async ({ revision }) => {
          if (isExpected(expected, revision)) return
          const current = await shown(work, id)
          throw changedMeanwhile('webhook endpoint', current, tag(current, scopes))
        },
      })
      return ok(await shown(work, id))
    },
  }),

  route(endpoints.rotateWebhookSecret, {
    read: ({ params, body: { overlapHours, replace = false }, caller }) => {
      if (overlapHours === undefined && !replace)
        throw badRequest(
          `Send overlapHours: for how many hours, 0 to ${limits.rotationHours}, the present secret counts, too.`,
          inBody('overlapHours', 'missing'),
        )
      return {
        actor: { kind: 'key', id: caller.key.id } as const,
        asked: {
          id: params['id'] ?? '',
          overlapHours: overlapHours ?? 0,
          replace,
          reach: reachOf(caller.key.scopes),
        },
      }
    },
    answer: async (work, { actor, asked }) => created(await rotateSecret(work, context, actor, asked)),
  }),

  route(endpoints.sampleWebhook, {
    read: ({ params, body: { event }, caller }) => {
      if (!isEventName(event))
        throw badRequest(
          'event must be the name of one event, such as reservation.seated.',
          inBody('event', 'not-a-word'),
        )
      return { id: params['id'] ?? '', event, reach: reachOf(caller.key.scopes) }
    },
    answer: async (work, { id, event, reach }) => ok(await sendSample(work, context, id, event, reach)),
  }),
]

const tag = tagsOf(WebhookEndpoint)

const shown = async ({ db, venue, now }: Work, id: string) => {
  const moment = now()
  const row = isUuid(id) ? await endpointById(db, venue.id, id, moment) : undefined
  if (!row) throw notFound('webhook endpoint')
  return presentEndpoint(row, moment)
}
