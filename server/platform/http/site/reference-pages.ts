import { type Endpoint, type Group, groups as about } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type Html, html } from '../../html/html.ts'
import type { Chapter } from '../reference/chapter.ts'
import { conventions } from '../reference/conventions.ts'
import { deliveryChapters } from '../reference/deliveries.ts'
import { endpointPart, methodBadge } from '../reference/endpoint-part.ts'
import { errors, reasonCodes } from '../reference/errors.ts'
import { eventChapters, eventsChapter } from '../reference/events.ts'
import { groupPath, pagePaths } from '../reference/places.ts'
import { recordChapters } from '../reference/records.ts'
import { segmentChapter } from '../reference/segments.ts'
import { anchorOf } from '../reference/words.ts'
import { changelogPage } from './changelog-page.ts'
import type { Page, Shelf } from './page.ts'

/*
 * The reference: the conventions, a page for each group of endpoints, and the records, events and reasons.
 */

export const referenceShelves = (baseUrl: string): readonly Shelf[] => [
  {
    title: 'Reference',
    pages: [
      chapterPage('Conventions', pagePaths.conventions, () => conventions(baseUrl)),
      ...[...rowsByGroup].map(([group, rows]) => groupPage(baseUrl, group, rows)),
    ],
  },
  {
    title: 'Look up',
    pages: [
      chapterPage('Records', pagePaths.records, () => [...recordChapters(), segmentChapter()]),
      eventsPage,
      chapterPage('Errors and reasons', pagePaths.errors, () => [errors(), reasonCodes()]),
      changelogPage,
    ],
  },
]

/** Each group's endpoints, in the order shown. */
export const rowsByGroup: ReadonlyMap<Group, readonly Endpoint[]> = Map.groupBy<Group, Endpoint>(
  Object.values(endpoints),
  ({ group }) => group,
)

const chapterPage = (title: string, path: string, chapters: () => readonly Chapter[]): Page => ({
  title,
  path,
  open: () => {
    const parts = chapters()
    return {
      body: html`<h1>${title}</h1>
        ${parts.map(({ body }) => body)}`,
      headings: parts,
    }
  },
})

const groupPage = (baseUrl: string, group: Group, rows: readonly Endpoint[]): Page => ({
  title: group,
  path: groupPath(group),
  open: () => ({
    body: html`<h1>${group}</h1>
      <p class="lead">${about[group]}</p>
      ${rows.map((endpoint) => endpointPart(baseUrl, endpoint))}`,
    headings: rows.map(({ id, summary, method }) => ({
      id: anchorOf(id),
      title: summary,
      mark: methodBadge(method),
    })),
  }),
})

const eventsPage: Page = {
  title: 'Events and deliveries',
  path: pagePaths.events,
  open: () => {
    const chapters = [...deliveryChapters(), eventsChapter()]
    const samples = eventChapters()
    return {
      body: html`<h1>Events and deliveries</h1>
        ${chapters.map(({ body }) => body)} ${sampleGroup(samples)}`,
      headings: [...chapters, { id: 'event-samples', title: 'Each with a sample' }, ...samples],
    }
  },
}

const sampleGroup = (samples: readonly Chapter[]): Html =>
  html` <div class="group" id="event-samples">
    <h2><a href="#event-samples">Each with a sample</a></h2>
    <p class="about">A delivery of each event, formatted; on the wire it is one line.</p>
    ${samples.map(({ body }) => body)}
  </div>`
