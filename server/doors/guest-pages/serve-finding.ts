import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { pageMethods } from '../../platform/http/server.ts'
import { html, textOf } from '../../platform/html/html.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { guestDoors } from '../../core/venue/guest-settings-rules.ts'
import { venuesToBeFound } from '../../core/venue/venues-to-be-found.ts'
import { venueBySlug } from '../../core/venue/venues.ts'
import { nothingHere } from './frame/serve-visits.ts'
import { doorPath } from './frame/visit.ts'

/*
 * What search engines ask for before they look at pages: where they may look, and what there is. Each venue that wants to
 * be found has a list of its pages, and one list names those lists. A practice instance has none, and nothing of it is
 * for search engines.
 */

export const findingRoutes = ['/robots.txt', '/sitemap.xml', '/v/:slug/sitemap.xml', '/favicon.ico'] as const

/** A list of lists names this many at most (sitemaps.org). */
const mostVenues = 50_000
const listForMs = 60_000

export const serveFinding = (
  app: FastifyInstance,
  { db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>,
): void => {
  const { publicUrl, practice } = config
  const get = (
    url: (typeof findingRoutes)[number],
    type: string,
    answer: (slug: string) => Promise<string | Buffer>,
  ) =>
    app.route({
      method: pageMethods('GET'),
      url,
      config: { isFile: true },
      handler: async (request, reply) => {
        const body = await answer((request.params as { slug?: string }).slug ?? '')
        return reply.header('cache-control', 'public, max-age=3600').type(type).send(body)
      },
    })

  get('/robots.txt', 'text/plain; charset=utf-8', async () => robotsText(publicUrl, practice))

  let kept = { at: -Infinity, text: '' }
  get('/sitemap.xml', 'application/xml; charset=utf-8', async () => {
    if (practice) throw nothingHere()
    const now = clock().epochMilliseconds
    if (Math.abs(now - kept.at) >= listForMs) {
      const slugs = await venuesToBeFound(db, mostVenues)
      kept = {
        at: now,
        text: textOf(listOfLists(slugs.map((slug) => `${publicUrl}${doorPath({ slug })}/sitemap.xml`))),
      }
    }
    return kept.text
  })

  get('/v/:slug/sitemap.xml', 'application/xml; charset=utf-8', async (slug) => {
    const venue = await venueBySlug(db, slug)
    const kept = venue && (await guestSettingsOf(db.within(venue.id), venue.id))
    if (!venue || !kept || practice || !kept.settings.found || kept.settings.doors.length === 0)
      throw nothingHere()
    const { doors, languages } = kept.settings
    const pages = [undefined, ...guestDoors.filter((door) => doors.includes(door))]
    return textOf(
      listOfPages(
        pages.map((door) => `${publicUrl}${doorPath(venue, door)}`),
        languages,
      ),
    )
  })

  // Browsers ask for it along with pages that name no icon, such as what is downloaded.
  const icon = readFileSync(new URL('./assets/favicon.ico', import.meta.url))
  get('/favicon.ico', 'image/x-icon', async () => icon)
}

/**
 * Steps of booking are addresses without end, and none of them is a page of its own. Private links are not listed: a page
 * that may not be fetched is not seen to say `noindex`. The same goes for a practice instance as a whole.
 */
const robotsText = (publicUrl: string, practice: boolean): string =>
  practice
    ? 'User-agent: *\nDisallow:\n'
    : `User-agent: *
Disallow: /api/
Disallow: /v/*?
Allow: /v/*?lang=

Sitemap: ${publicUrl}/sitemap.xml
`

const listOfLists = (addresses: readonly string[]) =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map(
    (one) => html`
  <sitemap><loc>${one}</loc></sitemap>`,
  )}
</sitemapindex>
`

/** Each page in each of its languages; by itself it is in the visitor's. */
const listOfPages = (addresses: readonly string[], languages: readonly string[]) =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${addresses.map(
    (one) => html`
  <url>
    <loc>${one}</loc>${
      languages.length > 1 && [
        html`
    <xhtml:link rel="alternate" hreflang="x-default" href="${one}"/>`,
        languages.map(
          (language) => html`
    <xhtml:link rel="alternate" hreflang="${language}" href="${one}?lang=${language}"/>`,
        ),
      ]
    }
  </url>`,
  )}
</urlset>
`
