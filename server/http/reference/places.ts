import { type Endpoint, groups } from '@venue-data/contract/endpoint.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { eventNames } from '@venue-data/contract/events.ts'
import { problemTypes, reasons } from '@venue-data/contract/reasons.ts'
import { nodeOf } from '../openapi-schema.ts'
import { anchorOf } from './words.ts'

/*
 * Where on the site a thing is told of, by its anchor. All of it was one page once, at /docs, and the anchors are what
 * they were then: the first page still has each of them, beside a link to the place itself.
 */

/** The page of a group of endpoints. */
export const groupPath = (group: keyof typeof groups): string => `/docs/reference/${anchorOf(group)}`

export const pagePaths = {
  conventions: '/docs/reference/conventions',
  records: '/docs/reference/records',
  // The types of problems lead here, and to their place on it.
  errors: '/docs/errors',
  events: '/docs/events',
  changelog: '/docs/changelog',
} as const

const rows: readonly Endpoint[] = Object.values(endpoints)

const on = (path: string, anchors: readonly string[]): readonly (readonly [string, string])[] =>
  anchors.map((anchor) => [anchor, `${path}#${anchor}`])

/** Every anchor with its address. */
export const places: ReadonlyMap<string, string> = new Map([
  ...on(pagePaths.conventions, [
    'introduction',
    'authentication',
    'requests',
    'lists',
    'idempotency',
    'rate-limit',
    'versioning',
  ]),
  ...Object.keys(groups).map(
    (group) => [`group-${anchorOf(group)}`, groupPath(group as keyof typeof groups)] as const,
  ),
  ...rows.flatMap(({ id, group }) => on(groupPath(group), [anchorOf(id)])),
  ...on(pagePaths.errors, [
    'errors',
    'problem-form',
    ...Object.keys(problemTypes),
    'reasons',
    ...Object.keys(reasons).map((reason) => `reason-${reason}`),
  ]),
  ...on(pagePaths.events, [
    'receiving',
    'retrying',
    'events',
    'event-samples',
    ...eventNames.map((name) => `event-${name}`),
  ]),
  ['verifying', '/docs/guides/webhooks#verifying'],
  ['keeping-a-copy', '/docs/guides/keep-a-copy'],
  ['records', pagePaths.records],
  ...on(pagePaths.records, [
    ...records.map((record) => `record-${anchorOf(nodeOf(record).$id as string)}`),
    'segment',
  ]),
])

/**
 * The address of what has an anchor.
 * @throws Error when nothing has it, which is a slip in the text that asks
 */
export const placeOf = (anchor: string): string => {
  const place = places.get(anchor)
  if (place === undefined) throw new Error(`Nothing in the reference is called ${anchor}.`)
  return place
}
