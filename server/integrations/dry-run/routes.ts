import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { countDryRun } from '../access/count-dry-run.ts'
import { comparesHidden, namesContact } from '../../platform/http/records/contacts-hidden.ts'
import { pathPattern } from '../../platform/http/path.ts'
import { noDryRun, tooManyRequests } from '../../platform/http/refusals.ts'
import { type Query, type Route, ok, readerOf, route } from '../../platform/http/serve.ts'
import { type DryRunParts, dryRun } from './dry-run.ts'

/** @param routes those of all other endpoints; rows marked `dryRun` can be tried. */
export const dryRunRoutes = (parts: DryRunParts, routes: readonly Route[]) => {
  const tryable = routes
    .filter(({ endpoint }) => endpoint.dryRun)
    .map((one) => ({ ...one, pattern: pathPattern(one.endpoint), reads: readerOf(one) }))
  return [
    route(endpoints.dryRun, {
      opensItsOwn: true,
      read: ({ body: { method, path, body }, query: _, params: __, expected, ...asked }) => {
        const { pathname, search } = URL.parse(path, 'http://host') ?? { pathname: '', search: '' }
        const at = (address: string) =>
          tryable.find((one) => one.endpoint.method === method && one.pattern.test(address))
        const tried = at(pathname)
        if (!tried) throw noDryRun(at(inVersion(pathname))?.endpoint.path)
        const { caller } = asked
        // What the call itself refuses is its answer.
        if (
          !namesContact(tried.endpoint, body ?? {}) &&
          comparesHidden(caller.key.scopes, tried.endpoint, body ?? {})
        )
          throw noDryRun()
        const params = { ...tried.pattern.exec(pathname)?.groups }
        return { tried, sent: { ...asked, body, query: queryOf(search), params, expected: () => expected } }
      },
      answer: async (_, { tried, sent }) => {
        const { left, resetSeconds } = await countDryRun(parts.context, sent.caller.key.id)
        if (left < 0) throw tooManyRequests(limits.dryRunsPerMinute, resetSeconds, 'dry runs')
        return ok(await dryRun(parts, tried, sent))
      },
    }),
  ]
}

const inVersion = (pathname: string): string => `/api/v1${pathname}`

/** Like the router: a repeated parameter has all its values. */
const queryOf = (search: string): Query =>
  Object.fromEntries(
    [...Map.groupBy(new URLSearchParams(search), ([word]) => word)].map(([word, pairs]) => {
      const values = pairs.map(([, value]) => value)
      return [word, values.length === 1 ? values[0] : values]
    }),
  )
