import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import { onlyValue, wholeAsked } from '../../platform/http/query-words.ts'
import { created, ok, route } from '../../platform/http/serve.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { presentKey, presentUsage } from './present.ts'
import { rotateKey } from './rotate-key.ts'
import { firstDay, usageOfKeys } from './usage-reads.ts'

export const accountRoutes = (context: Pick<Context, 'secrets' | 'random' | 'clock'>) => [
  route(endpoints.me, {
    read: ({ caller }) => caller,
    answer: async ({ venue: { slug, name, timezone, plan } }, { key }) =>
      ok({ venue: { slug, name, timezone }, plan, key: presentKey(key) }),
  }),

  route(endpoints.rotateKey, {
    read: ({ body: { overlapHours, replace = false }, caller }) => {
      if (overlapHours === undefined && !replace)
        throw badRequest(
          `Send overlapHours: for how many hours, 0 to ${limits.keyOverlapHours}, this key works on.`,
        )
      return { keyId: caller.key.id, overlapHours: overlapHours ?? 0, replace }
    },
    answer: async (work, asked) => created(await rotateKey(context, work, asked)),
  }),

  route(endpoints.getUsage, {
    read: ({ query, caller, now }) => ({
      key: caller.key,
      limit: caller.rate.limit,
      since: firstDay(
        now,
        wholeAsked('days', onlyValue('days', query['days']) ?? String(limits.usageDaysDefault), {
          from: 1,
          to: limits.usageDaysMost,
          of: 'days',
        }),
      ),
    }),
    answer: async ({ db }, { key, limit, since }) =>
      ok(presentUsage(key, limit, await usageOfKeys(db, [key.id], since))),
  }),
]
