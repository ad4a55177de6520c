import { type Endpoint, endpoints } from '@venue-data/contract/endpoints.ts'
import { type Html, html, textOf } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { type Chapter, conventions } from './conventions.ts'
import { endpointPart, methodBadge } from './endpoint-part.ts'
import { errors, reasonCodes } from './errors.ts'
import { eventTable, recordChapters } from './records.ts'
import { anchorOf } from './words.ts'

export type PageAddresses = {
  /** Where the API is reached from outside, without a slash at the end. */
  readonly baseUrl: string
  readonly stylesheet: string
  readonly script: string
}

/** The published reference as one page: what holds everywhere, the endpoints by group, the records, the events. */
export const referencePage = ({ baseUrl, stylesheet, script }: PageAddresses): string => {
  const { basics, records, rest } = chaptersOf(baseUrl)
  const contents = contentsList(basics, records, rest)
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
          <a class="skip" href="#introduction">Skip to the text</a>
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
                  ${rows.map((endpoint) => endpointPart(baseUrl, endpoint))}
                </div>`,
            )}
            <div class="group" id="records">
              <h2><a href="#records">Records</a></h2>
              ${records.map(({ body }) => body)}
            </div>
            ${rest.map(({ body }) => body)}
          </main>
          <a class="upward" href="#top">Contents</a>
        </body>
      </html> `,
  )
}

/** What the page holds besides the endpoints. */
export const chaptersOf = (baseUrl: string) => ({
  basics: [...conventions(baseUrl), errors()],
  records: recordChapters(),
  rest: [eventTable(), reasonCodes()],
})

const groups = Map.groupBy<string, Endpoint>(Object.values(endpoints), ({ group }) => group)

const contentsList = (basics: Chapter[], records: Chapter[], rest: Chapter[]): Html =>
  html` ${linkGroup('Basics', basics)}
  ${[...groups].map(
    ([group, rows]) =>
      html` <p>${group}</p>
        <ul>
          ${rows.map(({ id, method, summary }) => html`<li><a href="#${anchorOf(id)}">${summary} ${methodBadge(method)}</a></li>`)}
        </ul>`,
  )}
  ${linkGroup('Records', records)} ${linkGroup('More', rest)}`

const linkGroup = (title: string, chapters: readonly Chapter[]): Html =>
  html` <p>${title}</p>
    <ul>
      ${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>`
