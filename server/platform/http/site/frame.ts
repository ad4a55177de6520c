import { type Html, html, textOf } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { markdownPath } from './markdown-pages.ts'
import type { Opened, Page, Shelf } from './page.ts'

/** URLs that every page loads, or may load. */
export type Assets = {
  readonly stylesheet: string
  readonly script: string
  /** The search code and its index, loaded on the first search. */
  readonly finder: string
  readonly index: string
}

/** A page's full layout: top bar, contents, and links to the previous and next page. */
export const framed = (shelves: readonly Shelf[], page: Page, assets: Assets): string => {
  const opened = page.open()
  const contents = contentsOf(shelves, page, opened)
  const pages = shelves.flatMap(({ pages }) => pages)
  const at = pages.indexOf(page)
  return textOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="description" content="${page.title}: documentation of the Venue Data API." />
          <link rel="icon" href="${icon}">
          <title>${page.title} · Venue Data API</title>
          <link rel="stylesheet" href="${assets.stylesheet}" />
          <link rel="alternate" type="text/markdown" href="${markdownPath(page.path)}" />
          <link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.atom" />
          <script src="${assets.script}" defer></script>
        </head>
        <body>
          <a class="skip" href="#content">Skip to content</a>
          <header class="top">
            <a class="brand" href="/docs">Venue Data API</a> <span class="version">version 1</span>
            <search data-finder="${assets.finder}" data-index="${assets.index}">
              <a href="/docs#by-name">Find by name</a>
            </search>
          </header>
          <nav class="side" aria-label="Contents">${contents}</nav>
          <main id="content">
            <details class="contents">
              <summary>Contents</summary>
              <nav aria-label="Contents">${contents}</nav>
            </details>
            ${opened.body} ${onward(pages[at - 1], pages[at + 1])}
            <a class="upward" href="#content">Contents</a>
          </main>
        </body>
      </html> `,
  )
}

const contentsOf = (shelves: readonly Shelf[], page: Page, { headings }: Opened): Html =>
  html`${shelves.map(
    ({ title, pages }) =>
      html` <p>${title}</p>
        <ul>
          ${pages.map(
            (one) => html`<li>
              <a href="${one.path}"${one === page && html` aria-current="page"`}>${one.title}</a>
              ${one === page && headingList(page, headings)}
            </li>`,
          )}
        </ul>`,
  )}`

const headingList = ({ path }: Page, headings: Opened['headings']): Html | false =>
  headings.length > 0 &&
  html`<ul>
    ${headings.map(({ id, title, mark }) => html`<li><a href="${path}#${id}">${title} ${mark}</a></li>`)}
  </ul>`

const onward = (before: Page | undefined, after: Page | undefined): Html =>
  html` <nav class="onward" aria-label="Before and after">
    ${before && html`<a href="${before.path}" rel="prev">← ${before.title}</a>`}
    ${after && html`<a href="${after.path}" rel="next">${after.title} →</a>`}
  </nav>`
