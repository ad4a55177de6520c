import { html, textOf } from '../../html/html.ts'
import { pagePaths } from '../reference/places.ts'
import { growthByDay, growthList } from './changelog-page.ts'

/** The changelog as an Atom feed (RFC 4287), with an entry for each day of additions. */
export const changelogFeed = (baseUrl: string): string => {
  const page = `${baseUrl}${pagePaths.changelog}`
  const days = growthByDay()
  const [newest] = days
  if (!newest) throw new Error('Version 1 has gained nothing yet.')
  // The HTML tag escapes what XML needs escaped, and writes only entities that XML knows.
  return textOf(
    html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${page}</id>
  <title>Venue Data API: changelog</title>
  <updated>${momentOf(newest[0])}</updated>
  <author><name>Venue Data API</name></author>
  <link rel="self" type="application/atom+xml" href="${page}.atom" />
  <link rel="alternate" type="text/html" href="${page}" />${days.map(
    ([date, growths]) => html`
  <entry>
    <id>${page}#${date}</id>
    <title>${`${growths.length} ${growths.length === 1 ? 'addition' : 'additions'} on ${date}`}</title>
    <updated>${momentOf(date)}</updated>
    <link rel="alternate" type="text/html" href="${page}#${date}" />
    <content type="html">${textOf(growthList(growths))}</content>
  </entry>`,
  )}
</feed>
`,
  )
}

const momentOf = (date: string): string => `${date}T00:00:00Z`
