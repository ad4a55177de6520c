import { type Endpoint, type Group, groups as about } from '@venue-data/contract/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type Html, html, textOf } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import type { Chapter } from './chapter.ts'
import { conventions } from './conventions.ts'
import { endpointPart, methodBadge } from './endpoint-part.ts'
import { errors, reasonCodes } from './errors.ts'
import { eventChapters, eventsChapter } from './events.ts'
import { keepingACopy } from './keeping-a-copy.ts'
import { recordChapters } from './records.ts'
import { segmentChapter } from './segments.ts'
import { webhookChapters } from './webhooks.ts'
import { anchorOf } from './words.ts'

export type PageAddresses = {
  /** Where the API is reached from outside, without a slash at the end. */
  readonly baseUrl: string
  readonly stylesheet: string
  readonly script: string
}

/** The published reference as one page: what applies everywhere, the endpoints by group, the records, the events. */
export const referencePage = ({ baseUrl, stylesheet, script }: PageAddresses): string => {
  const { basics, sections } = chaptersOf(baseUrl)
  const contents = contentsList(basics, sections)
  return textOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta
            name="description"
            content="Reference of the Venue Data API: endpoints, records, events and errors."
          />
          <link rel="icon" href="${icon}">
          <title>Venue Data API reference</title>
          <link rel="stylesheet" href="${stylesheet}" />
          <script src="${script}" defer></script>
        </head>
        <body>
          <a class="skip" href="#introduction">Skip to content</a>
          <header class="top">
            <a class="brand" href="#top">Venue Data API</a> <span class="version">version 1</span>
          </header>
          <nav class="side" aria-label="Contents">${contents}</nav>
          <main id="top">
            <details class="contents">
              <summary>Contents</summary>
              <nav aria-label="Contents">${contents}</nav>
            </details>
            <h1>API reference</h1>
            ${basics.map(({ body }) => body)}
            ${[...groups].map(
              ([group, rows]) =>
                html` <div class="group" id="group-${anchorOf(group)}">
                  <h2><a href="#group-${anchorOf(group)}">${group}</a></h2>
                  <p class="about">${about[group]}</p>
                  ${rows.map((endpoint) => endpointPart(baseUrl, endpoint))}
                </div>`,
            )}
            ${sections.map(sectionOf)}
          </main>
          <a class="upward" href="#top">Contents</a>
        </body>
      </html> `,
  )
}

/** What the page has besides the endpoints: what comes before them, and what follows. */
export const chaptersOf = (
  baseUrl: string,
): { readonly basics: readonly Chapter[]; readonly sections: readonly Section[] } => ({
  basics: [...conventions(baseUrl), errors()],
  sections: [
    { title: 'Webhooks', chapters: [...webhookChapters(), keepingACopy(baseUrl), eventsChapter()] },
    { title: 'Event samples', heading: true, chapters: eventChapters() },
    { title: 'Records', heading: true, chapters: [...recordChapters(), segmentChapter()] },
    { title: 'More', chapters: [reasonCodes()] },
  ],
})

const groups = Map.groupBy<Group, Endpoint>(Object.values(endpoints), ({ group }) => group)

/** What follows the endpoints: separate chapters, or parts of one under a heading. */
type Section = { readonly title: string; readonly chapters: readonly Chapter[]; readonly heading?: true }

const sectionOf = ({ title, chapters, heading }: Section): Html =>
  heading
    ? html` <div class="group" id="${anchorOf(title)}">
        <h2><a href="#${anchorOf(title)}">${title}</a></h2>
        ${chapters.map(({ body }) => body)}
      </div>`
    : html`${chapters.map(({ body }) => body)}`

const contentsList = (basics: readonly Chapter[], sections: readonly Section[]): Html =>
  html` ${linkGroup('Basics', basics)}
  ${[...groups].map(
    ([group, rows]) =>
      html` <p>${group}</p>
        <ul>
          ${rows.map(({ id, method, summary }) => html`<li><a href="#${anchorOf(id)}">${summary} ${methodBadge(method)}</a></li>`)}
        </ul>`,
  )}
  ${sections.map(({ title, chapters }) => linkGroup(title, chapters))}`

const linkGroup = (title: string, chapters: readonly Chapter[]): Html =>
  html` <p>${title}</p>
    <ul>
      ${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>`
