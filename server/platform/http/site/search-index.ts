import { type Endpoint, groups as about } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { edgeReasons, problemTypes, reasons } from '@venue-data/contract/reasons.ts'
import { textOf } from '../../html/html.ts'
import { type SchemaNode, nodeOf } from '../openapi/openapi-schema.ts'
import type { Chapter } from '../reference/chapter.ts'
import { conventions } from '../reference/conventions.ts'
import { deliveryChapters } from '../reference/deliveries.ts'
import { groupPath, pagePaths, placeOf } from '../reference/places.ts'
import { anchorOf, spaced } from '../reference/words.ts'
import { alsoCalled } from './also-called.ts'
import { frontFile, guideFiles, guidePath, openGuide } from './guides.ts'

/*
 * Everything the search script (assets/find.js) can find. It is built from the contract's rows and the guides, not from
 * the pages, so that the first page does not wait until all pages are built.
 */

/** An entry: its name, kind, page, text, and more words that lead to it. */
type Entry = readonly [title: string, kind: string, address: string, says: string, words: string]

/** Each with its other names, which rank like its title. */
export const searchIndex = (baseUrl: string): readonly (readonly [...Entry, called: string])[] =>
  entriesOf(baseUrl).map((entry) => [...entry, alsoCalled[entry[2]] ?? ''])

const entriesOf = (baseUrl: string): readonly Entry[] => [
  ...[...conventions(baseUrl), ...deliveryChapters()].map(chapterEntry),
  ...rows.map(endpointEntry),
  ...Object.entries(about).map(([group, says]): Entry => [
    group,
    'Reference',
    groupPath(group as keyof typeof about),
    says,
    '',
  ]),
  ...guideEntries(baseUrl),
  ...eventNames.map((name): Entry => [
    name,
    'Event',
    placeOf(`event-${name}`),
    events[name].when,
    'webhook event',
  ]),
  ...Object.entries(reasons).map(([reason, { status, when }]): Entry => [
    reason,
    `Reason, ${status}`,
    placeOf(`reason-${reason}`),
    plain(when),
    'reason refusal error',
  ]),
  ...Object.entries(edgeReasons).map(([reason, { status, type, when }]): Entry => [
    reason,
    `Reason in the problem form, ${status}`,
    placeOf(type),
    plain(when),
    problemTypes[type],
  ]),
  ...records.map(nodeOf).map(recordEntry),
  ['Changelog', 'What came when', pagePaths.changelog, '', 'feed atom news new'],
]

const rows: readonly Endpoint[] = Object.values(endpoints)

const endpointEntry = ({ id, method, path, summary, description, query = {}, body }: Endpoint): Entry => [
  summary,
  `${method} ${path.replace('/api/v1', '')}`,
  placeOf(anchorOf(id)),
  plain(description),
  [id, path, ...Object.keys(query), ...(body ? fieldNames(nodeOf(body)) : [])].join(' '),
]

const recordEntry = (node: SchemaNode): Entry => {
  const name = node.$id as string
  const says = plain(node.description ?? '')
  return [spaced(name), 'Record', placeOf(`record-${anchorOf(name)}`), says, fieldNames(node).join(' ')]
}

const chapterEntry = ({ id, title, body }: Chapter): Entry => {
  const words = textOf(body).replaceAll(/<[^>]*>/g, ' ')
  return [title, `Reference, ${id}`, placeOf(id), '', distinct(words)]
}

/** A guide, split at its headings. */
const guideEntries = (baseUrl: string): Entry[] =>
  [{ file: frontFile, title: 'Start here', path: '/docs' }, ...guideRows].flatMap(({ file, title, path }) =>
    openGuide(file, baseUrl).passages.map((passage): Entry => [
      passage.level === 1 ? title : passage.title,
      passage.level === 1 ? 'Guide' : title,
      passage.level === 1 ? path : `${path}#${passage.id}`,
      '',
      distinct(passage.words),
    ]),
  )

const guideRows = Object.values(guideFiles)
  .flat()
  .map(({ file, title }) => ({ file, title, path: guidePath(file) }))

const fieldNames = ({ properties = {}, items }: SchemaNode): string[] => [
  ...Object.entries(properties).flatMap(([name, node]) => [name, ...fieldNames(node)]),
  ...(items ? fieldNames(items) : []),
]

const plain = (text: string): string => text.replaceAll('`', '')

/** Each word once: the search does not need its position. */
const distinct = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]{2,}/gu))].join(' ')
