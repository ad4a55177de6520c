import { type Endpoint, groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { problemTypes, reasons } from '@venue-data/contract/reasons.ts'
import { nodeOf } from '../openapi/openapi-schema.ts'
import { anchorOf } from './words.ts'

/*
 * The page that covers a topic, by its anchor. The docs used to be one page at /docs, and the anchors have not changed:
 * the first page still has each of them, next to a link to the new place.
 */

/** The page of a group of endpoints. */
export const groupPath = (group: keyof typeof groups): string => `/docs/reference/${anchorOf(group)}`

export const pagePaths = {
  conventions: '/docs/reference/conventions',
  records: '/docs/reference/records',
  // The problem types link here, each to its place on the page.
  errors: '/docs/errors',
  events: '/docs/events',
  changelog: '/docs/changelog',
} as const

const rows: readonly Endpoint[] = Object.values(endpoints)

const on = (path: string, anchors: readonly string[]): readonly (readonly [string, string])[] =>
  anchors.map((anchor) => [anchor, `${path}#${anchor}`])

/** Every anchor with its URL. */
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
 * The URL of an anchor.
 * @throws Error when no page has the anchor, which is a mistake in the text that links to it
 */
export const placeOf = (anchor: string): string => {
  const place = places.get(anchor)
  if (place === undefined) throw new Error(`Nothing in the reference is called ${anchor}.`)
  return place
}
