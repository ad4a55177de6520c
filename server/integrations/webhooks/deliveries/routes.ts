import { endpoints } from '@venue-data/contract/endpoints.ts'
import { isEventOrPattern, namesMeant } from '@venue-data/contract/webhooks/events.ts'
import { replayWords } from '@venue-data/contract/webhooks/logged-delivery.ts'
import type { Work } from '../../../context.ts'
import { writeCursor } from '../../../platform/http/lists/list-cursor.ts'
import { readWord } from '../../../platform/http/read-body.ts'
import { type AnswerHead, ok, route } from '../../../platform/http/serve.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { inBody } from '../../../platform/kernel/problem.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { readMoment } from '../../../platform/kernel/time/written-time.ts'
import { type AskedLog, readLogAsked } from './asked.ts'
import { presentDelivery, presentWithAttempts } from './present.ts'
import { attemptsOf, deliveriesOf, deliveryOf, isEndpoint } from './reads.ts'
import { reachOf } from '../reach.ts'
import { replayByKey, sendAgain } from './send-again.ts'

export const deliveryRoutes = [
  route(endpoints.listDeliveries, {
    read: ({ query, params, venue }) => {
      const endpoint = params['id'] ?? ''
      return { endpoint, asked: readLogAsked(query, { venue: venue.id, endpoint }) }
    },
    answer: async (work, { endpoint, asked }) => {
      await findEndpoint(work, endpoint)
      const { rows, next } = await deliveriesOf(work.db, work.venue.id, endpoint, asked, work.now())
      return {
        ...ok(rows.map(presentDelivery)),
        next: next && nextPage(asked, writeCursor(asked.about, next)),
      }
    },
  }),

  route(endpoints.getDelivery, {
    read: ({ params }) => placeOf(params),
    answer: async (work, place) => {
      const row = await findDelivery(work, place)
      return ok(presentWithAttempts(row, await attemptsOf(work.db, work.venue.id, row.id)))
    },
  }),

  route(endpoints.resendDelivery, {
    read: ({ params, caller }) => ({
      place: placeOf(params),
      actor: { kind: 'key', id: caller.key.id } as const,
      reach: reachOf(caller.key.scopes),
    }),
    answer: async (work, { place, actor, reach }) => {
      const { id } = await findDelivery(work, place)
      await sendAgain(work, actor, place.endpoint, id, reach)
      return { status: 202 as const, body: { delivery: presentDelivery(await findDelivery(work, place)) } }
    },
  }),

  route(endpoints.replayDeliveries, {
    read: ({ params, body, caller }) => ({
      endpoint: params['id'] ?? '',
      actor: { kind: 'key', id: caller.key.id } as const,
      reach: reachOf(caller.key.scopes),
      asked: {
        ...readTimes(body),
        names: body.events && namesMeant(readEvents(body.events)),
        only: readWord('only', body.only, replayWords),
        isPreview: body.preview,
      },
    }),
    answer: async (work, { endpoint, actor, reach, asked }) => {
      await findEndpoint(work, endpoint)
      const count = await replayByKey(work, actor, endpoint, asked, reach)
      return { status: 202 as const, body: { count, firstDueAt: count === 0 ? null : toMoment(work.now()) } }
    },
  }),
]

const nextPage = ({ query }: AskedLog, cursor: string): AnswerHead['next'] => ({
  query: new URLSearchParams([...query, ['after', cursor] as const].map((pair) => [...pair])).toString(),
  cursor,
})

type Place = { readonly endpoint: string; readonly delivery: string }

const placeOf = (params: Readonly<Record<string, string>>): Place => ({
  endpoint: params['id'] ?? '',
  delivery: params['deliveryId'] ?? '',
})

const findEndpoint = async ({ db, venue }: Work, id: string): Promise<void> => {
  if (!isUuid(id) || !(await isEndpoint(db, venue.id, id))) throw notFound('webhook endpoint')
}

const findDelivery = async (work: Work, { endpoint, delivery }: Place) => {
  await findEndpoint(work, endpoint)
  const found = isUuid(delivery)
    ? await deliveryOf(work.db, work.venue.id, endpoint, delivery, work.now())
    : undefined
  if (!found) throw notFound('delivery')
  return found
}

/** The forms of the moments were checked with the fields. */
const readTimes = (body: { readonly since: string; readonly until?: string }) => {
  const since = readMoment(body.since) as Temporal.Instant
  const until = body.until === undefined ? undefined : readMoment(body.until)
  if (until && Temporal.Instant.compare(until, since) <= 0) {
    throw badRequest('until must be after since.', inBody('until', 'out-of-range'))
  }
  return { since, until }
}

const readEvents = (asked: readonly string[]): readonly string[] => {
  const wrong = asked.findIndex((name) => !isEventOrPattern(name))
  if (wrong === -1) return asked
  throw badRequest(
    'Each of events must be an event, such as reservation.created or reservation.*.',
    inBody(`events[${wrong}]`, 'not-a-word'),
  )
}
