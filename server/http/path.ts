import type { Endpoint } from '@venue-data/contract/endpoint.ts'

/*
 * The paths of the contract's rows, as the router knows them and as a pattern. A record's id is digits without a zero in
 * front, so that `/reservations/find` is never taken for a record, whatever the method.
 */

type Addressed = Pick<Endpoint, 'path' | 'params'>

/** As many digits as a whole number of JSON safely has. */
const recordId = '[1-9][0-9]{0,15}'
export const recordIdPattern = new RegExp(`^${recordId}$`)

/** The path with its parameters written as the router wants them. */
export const routedPath = ({ path, params }: Addressed): string =>
  path.replaceAll(/\{(\w+)\}/g, params ? `:$1(^${recordId}$)` : ':$1')

/** A routed path as logs and figures name it. */
export const routeName = (routed: string | undefined): string | undefined => routed?.replace(/\(.*\)/, '')

/** What the paths of requests for this address look like; its groups are the parameters. */
export const pathPattern = ({ path, params }: { readonly path: string; readonly params?: object }): RegExp =>
  new RegExp(
    `^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, `(?<$1>${params ? recordId : '[^/]+'})`)}$`,
  )

/** The path of one request, parameters and all. */
export const renderedPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
