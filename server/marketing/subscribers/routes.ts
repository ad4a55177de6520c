import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { recordWrite } from '../../platform/http/records/record-write.ts'
import { created, ok, route } from '../../platform/http/serve.ts'
import { recordRoute } from '../../platform/http/records/single-record.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { readMoment } from '../../platform/kernel/time/written-time.ts'
import { addSubscriber } from './actions.ts'
import { changeTags, editSubscriber, readTagChanges, unsubscribeAddress } from './by-key.ts'
import { unsubscribe } from './leaving.ts'
import { listedSubscribers } from './list.ts'
import { presentSubscriber } from './subscriber.ts'
import { subscriberById } from './reads.ts'

export const subscriberRoutes = [
  listRoute(endpoints.listSubscribers, { source: listedSubscribers, present: presentSubscriber }),

  route(endpoints.createSubscriber, {
    read: ({ body: { email, firstName, tag, consent }, now }) => ({
      email,
      firstName: firstName ?? null,
      tag: tag ?? null,
      consent: {
        source: consent.source,
        statement: consent.statement ?? null,
        pageUrl: consent.pageUrl ?? null,
        agreedAt: consent.at === undefined ? undefined : agreedAt(consent.at, now),
      },
    }),
    answer: async (work, signUp) => {
      const { added, status, message, subscriber } = await addSubscriber(work, signUp)
      if (added && subscriber) return created({ added: true, status: 'subscribed', message, subscriber })
      return ok({ added: false, status, message, subscriber })
    },
  }),

  recordRoute(endpoints.getSubscriber, { byId: subscriberById, present: presentSubscriber }),

  recordWrite(endpoints.updateSubscriber, {
    read: ({ body }) => body,
    write: (work, { actor, input, ...seen }) => editSubscriber(work, actor, { ...seen, changes: input }),
    present: presentSubscriber,
  }),

  recordWrite(endpoints.changeTags, {
    read: ({ body }) => readTagChanges(body),
    write: (work, { actor, input, ...seen }) => changeTags(work, actor, { ...seen, changes: input }),
    present: presentSubscriber,
  }),

  recordWrite(endpoints.unsubscribe, {
    write: async (work, { actor, id, seenVersion }) => (await unsubscribe(work, actor, id, seenVersion)).row,
    present: presentSubscriber,
  }),

  route(endpoints.unsubscribeAddress, {
    read: ({ body, caller }) => ({ ...body, actor: { kind: 'key' as const, id: caller.key.id } }),
    answer: async (work, { email, reason, actor }) => {
      const { changed, row } = await unsubscribeAddress(work, actor, { email, reason })
      return ok({ changed, subscriber: row })
    },
  }),
]

/** Clocks differ a little: up to a minute ahead does not count as the future. */
const agreedAt = (text: string, now: Temporal.Instant): Temporal.Instant => {
  const moment = wholeMilliseconds(readMoment(text) as Temporal.Instant)
  const latest = now.add({ seconds: limits.consentAheadSeconds })
  if (Temporal.Instant.compare(moment, latest) > 0) {
    throw badRequest('consent.at must not be in the future.', inBody('consent.at', 'out-of-range'))
  }
  return moment
}
