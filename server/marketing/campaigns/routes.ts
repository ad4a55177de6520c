import { type Composed, bodyFormats } from '@venue-data/contract/records/campaign.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Context } from '../../context.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { readWord } from '../../platform/http/read-body.ts'
import { ok, route } from '../../platform/http/serve.ts'
import { recordRoute } from '../../platform/http/records/single-record.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { sharedRuns } from '../../platform/kernel/running/shared-runs.ts'
import { readMoment } from '../../platform/kernel/time/written-time.ts'
import { createCampaign } from './actions.ts'
import { cancelCampaign } from './cancel.ts'
import { composeCampaign } from './audience/compose.ts'
import { listedCampaigns } from './list.ts'
import { countsOf, presentCampaign } from './present.ts'
import { campaign } from './reads.ts'
import { everyone, readSegment } from './audience/segments.ts'
import { checkContent } from './checklist/check-content.ts'
import { sendCampaign } from './send.ts'
import { testCampaign } from './send-a-test.ts'
import { askSender } from './checklist/sender-facts.ts'

export const campaignRoutes = (context: Context) => {
  // Twenty who build one list at once get it from two runs: the one under way, and one after all had asked.
  const composing = sharedRuns<Composed>()
  return [
    listRoute(endpoints.listCampaigns, {
      source: listedCampaigns,
      present: (row, venue) => presentCampaign(venue, row),
    }),

    recordRoute(endpoints.getCampaign, {
      byId: campaign,
      present: (row, venue) => presentCampaign(venue, row),
    }),

    route(endpoints.createCampaign, {
      read: ({ body, caller }) => ({
        actor: actorOf(caller.key.id),
        text: {
          name: body.name,
          subject: body.subject,
          preheader: body.preheader ?? '',
          bodyHtml: body.bodyHtml ?? '',
          bodyText: body.bodyText ?? '',
          bodyFormat: readWord('bodyFormat', body.bodyFormat, bodyFormats) ?? 'guided',
          segment: body.segment === undefined ? everyone : readSegment(body.segment),
        },
      }),
      answer: async (work, { actor, text }) =>
        ok({ ok: true, campaign: presentCampaign(work.venue, await createCampaign(work, actor, text)) }),
    }),

    route(endpoints.composeCampaign, {
      read: ({ body: { id, segment } }) => ({
        id,
        segment: segment === undefined ? undefined : readSegment(segment),
      }),
      answer: async ({ venue }, asked) =>
        ok(await composing(JSON.stringify([venue.id, asked]), () => composeCampaign(context, venue, asked))),
    }),

    route(endpoints.testCampaign, {
      read: ({ body }) => body.id,
      answer: async ({ venue }, id) => ok(await testCampaign(context, venue, id)),
    }),

    route(endpoints.sendCampaign, {
      read: ({ body: { id, scheduledAt, confirmCount }, caller, now }) => ({
        actor: actorOf(caller.key.id),
        send: {
          id,
          scheduledAt: scheduledAt === undefined ? null : readSendTime(scheduledAt, now),
          confirmCount,
        },
      }),
      before: ({ db, venue }) => askSender(context, db, venue.id),
      answer: async (work, { actor, send }) => {
        const { row, ...counts } = await sendCampaign(work, actor, checkContent(context), send)
        return ok({
          ok: true,
          campaign: presentCampaign(work.venue, row),
          ...counts,
          holdUntil: row.send_hold_until,
        })
      },
    }),

    route(endpoints.cancelCampaign, {
      read: ({ body, caller }) => ({ actor: actorOf(caller.key.id), id: body.id }),
      answer: async ({ venue }, { actor, id }) => {
        const row = await cancelCampaign(context, venue, actor, id)
        return ok({ ok: true, campaign: presentCampaign(venue, row), counts: countsOf(row) })
      },
    }),
  ]
}

const actorOf = (keyId: number): Actor => ({ kind: 'key', id: keyId })

const readSendTime = (text: string, now: Temporal.Instant): Temporal.Instant => {
  const moment = readMoment(text)
  if (!moment) {
    throw badRequest(
      'scheduledAt must be a date and time with a zone, such as 2026-10-06T15:00:00Z.',
      inBody('scheduledAt', 'not-a-moment'),
    )
  }
  if (Temporal.Instant.compare(moment, now) < 0) {
    throw badRequest(
      'scheduledAt has passed already; leave it out to send now.',
      inBody('scheduledAt', 'out-of-range'),
    )
  }
  return moment
}
