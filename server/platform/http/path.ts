import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'

/*
 * The contract's paths, as routes and as patterns. A record's id is digits without a leading zero, so
 * `/reservations/find` is never taken for a record, with any method.
 */

type Addressed = Pick<Endpoint, 'path' | 'params'>

/** As many digits as JSON represents safely as an integer. */
const recordId = '[1-9][0-9]{0,15}'
export const recordIdPattern = new RegExp(`^${recordId}$`)

/** The path with its parameters in the router's syntax. */
export const routedPath = ({ path, params }: Addressed): string =>
  path.replaceAll(/\{(\w+)\}/g, params ? `:$1(^${recordId}$)` : ':$1')

/** A routed path as logs and metrics show it. */
export const routeName = (routed: string | undefined): string | undefined => routed?.replace(/\(.*\)/, '')

/** A pattern that matches request paths for this route; its groups are the parameters. */
export const pathPattern = ({ path, params }: { readonly path: string; readonly params?: object }): RegExp =>
  new RegExp(
    `^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, `(?<$1>${params ? recordId : '[^/]+'})`)}$`,
  )

/** The path of one request, with its parameters filled in. */
export const renderedPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
