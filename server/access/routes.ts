import { endpoints } from '@venue-data/contract/endpoints.ts'
import { ok, route } from '../http/serve.ts'

export const accountRoutes = [
  route(endpoints.me, {
    read: ({ caller }) => caller,
    answer: async ({ venue: { slug, name, timezone, plan } }, { key: { kind, scope } }) =>
      ok({ venue: { slug, name, timezone }, plan, key: { kind, scope } }),
  }),
]
