import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { listRoute } from '../http/list-route.ts'
import { created, ok, route } from '../http/serve.ts'
import { recordRoute } from '../http/single-record.ts'
import { wholeMilliseconds } from '../kernel/moment.ts'
import { badRequest } from '../kernel/refusal.ts'
import { readMoment } from '../kernel/written-time.ts'
import { addSubscriber } from './actions.ts'
import { listedSubscribers } from './list.ts'
import { presentSubscriber } from './present.ts'
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
]

/** Clocks differ a little: up to a minute ahead does not count as the future. */
const agreedAt = (text: string, now: Temporal.Instant): Temporal.Instant => {
  const moment = wholeMilliseconds(readMoment(text) as Temporal.Instant)
  const latest = now.add({ seconds: limits.consentAheadSeconds })
  if (Temporal.Instant.compare(moment, latest) > 0) throw badRequest('consent.at must not be in the future.')
  return moment
}
