import { type Html, html } from '../../html/html.ts'
import { type Growth, changelog } from '../changelog.ts'
import { pagePaths } from '../reference/places.ts'
import { prose } from '../reference/words.ts'
import type { Page } from './page.ts'

/** Additions to version 1 by day: the content of GET /api/v1/changelog, for people. */
export const changelogPage: Page = {
  title: 'Changelog',
  path: pagePaths.changelog,
  open: () => ({
    body: html`<article class="guide">
      <h1>Changelog</h1>
      <p>
        What came to version 1, newest first. Nothing you rely on goes away or changes its meaning. Follow it as a
        <a href="/docs/changelog.atom">feed</a>, or in a program as <a href="/api/v1/changelog">JSON</a>.
      </p>
      ${growthByDay().map(
        ([date, growths]) =>
          html`<h2 id="${date}"><a href="#${date}">${date}</a></h2>
            ${growthList(growths)}`,
      )}
    </article>`,
    headings: growthByDay().map(([date]) => ({ id: date, title: date })),
  }),
}

/** The days with additions, newest first. */
export const growthByDay = (): readonly (readonly [string, readonly Growth[]])[] => [
  ...Map.groupBy(changelog(), ({ date }) => date),
]

/** One day's additions, by kind. */
export const growthList = (growths: readonly Growth[]): Html =>
  html`${[...Map.groupBy(growths, ({ growth }) => growth)].map(
    ([growth, ofKind]) =>
      html` <h3>${kinds[growth]}</h3>
        <ul>
          ${ofKind.map(({ name, what }) => html`<li><code>${name}</code> ${prose(what)}</li>`)}
        </ul>`,
  )}`

const kinds: Readonly<Record<Growth['growth'], string>> = {
  endpoint: 'Endpoints',
  word: 'Query parameters',
  field: 'Fields',
  event: 'Events',
  reason: 'Reason codes',
  header: 'Headers',
}
