import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestDoors } from '../../core/venue/guest-settings-rules.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { actAt } from '../act.ts'
import { bookByPage, guestAt, setGuestPages } from '../guest.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/*
 * What each address of the service says to search engines. The addresses are those that the service routes, so a new page
 * is listed here or fails.
 */

/** `hidden`: it says `noindex`. `found`: a page for everybody, which says nothing. `no page`: data and files, which say nothing. */
type Said = 'hidden' | 'found' | 'no page'

/** By the pattern of the route; one that ends in a slash covers everything below it. */
const said: Readonly<Record<string, Said>> = {
  '/v/:slug': 'found',
  '/v/:slug/book': 'found',
  '/v/:slug/waitlist': 'found',
  '/v/:slug/enquire': 'found',
  '/v/:slug/news': 'found',
  '/v/:slug/tickets': 'found',
  '/v/:slug/tickets/:event': 'found',
  '/v/:slug/logo/:name': 'no page',
  '/v/:slug/picture/:name': 'no page',
  '/v/:slug/sitemap.xml': 'no page',
  '/r/:token': 'hidden',
  '/r/:token/': 'hidden',
  '/o/:token': 'hidden',
  '/o/:token/': 'hidden',
  '/w/:token': 'hidden',
  '/c/:token': 'hidden',
  '/b/:token': 'hidden',
  '/p/:token': 'hidden',
  '/u/:token': 'hidden',
  '/s/:token': 'hidden',
  '/l/:token': 'hidden',
  '/pay/:token': 'hidden',
  '/pay/:token/': 'hidden',
  '/': 'hidden',
  '/office': 'hidden',
  '/office/': 'hidden',
  '/operator': 'hidden',
  '/operator/': 'hidden',
  '/docs': 'found',
  '/docs/': 'found',
  '/docs.md': 'no page',
  '/llms.txt': 'no page',
  '/llms-full.txt': 'no page',
  '/oauth/authorize': 'hidden',
  '/oauth/installs': 'no page',
  '/.well-known/oauth-authorization-server': 'no page',
  '/robots.txt': 'no page',
  '/sitemap.xml': 'no page',
  '/favicon.ico': 'no page',
  '/openapi.json': 'no page',
  '/embed.js': 'no page',
  '/framed.js': 'no page',
  '/place.js': 'no page',
  '/guest.css': 'no page',
  '/accent/:color.css': 'no page',
  '/api/': 'no page',
}

const saidOf = (pattern: string): Said | undefined => {
  const below = Object.keys(said)
    .filter((one) => one.length > 1 && one.endsWith('/') && pattern.startsWith(one))
    .toSorted((one, other) => other.length - one.length)
  return said[pattern] ?? said[below[0] ?? '']
}

/** The patterns that answer GET, from the router's own drawing. */
const patternsOf = ({ app }: TestService): string[] => {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, lead, part, methods = ''] = /^([│ ]*)[└├]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      if (lead === undefined || part === undefined) return []
      above.splice(lead.length / 4, Infinity, part)
      const path = above
        .join('')
        .replaceAll('//', '/')
        .replaceAll(/\(\^[^/]*\$\)/g, '')
      return /\bGET\b/.test(methods) ? [path] : []
    })
}

describe('what the service says to search engines', () => {
  let service: TestService
  let practice: TestService
  before(async () => {
    ;[service, practice] = await Promise.all([startService(), startService({ PRACTICE: 'on' })])
  })
  after(() => Promise.all([service.stop(), practice.stop()]))

  const atVenue = async (at: TestService): Promise<TestVenue> => {
    const venue = await at.venue({ phone: '+1 212 555 0100' })
    await setRules(at, venue, everyEvening())
    await setGuestPages(at, venue, { doors: guestDoors })
    event = await actAt(at, venue, async (work) => {
      const actor = { kind: 'service' } as const
      const { id } = await makeEvent(work, actor, 'Wine dinner')
      const on = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 20, priceCents: 4_500 }
      await addOccurrence(work, actor, id, on)
      return id
    })
    return venue
  }
  let event = 0
  const sampleOf = (pattern: string, { slug }: TestVenue): string =>
    pattern
      .replace(':slug', slug)
      .replace(':event', String(event))
      .replace(':color', '1c5878')
      .replaceAll(/:\w+/g, 'x')
  const isHidden = async (at: TestService, path: string): Promise<boolean> => {
    const { headers, text, status } = await guestAt(at, path)
    const byHeader = headers.get('x-robots-tag') === 'noindex, nofollow'
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
    if (isPage && status === 200 && path.startsWith('/v/'))
      assert.equal(
        /<meta name="robots" content="noindex"/.test(text),
        byHeader,
        `${path}: header and page agree`,
      )
    return byHeader
  }

  it('each address is listed here, and says what is listed', async () => {
    const venue = await atVenue(service)
    const patterns = patternsOf(service)
    assert.ok(patterns.includes('/v/:slug/book') && patterns.includes('/office/sign-in'), 'all are known')
    const wrong: string[] = []
    for (const pattern of patterns) {
      const expected = saidOf(pattern)
      if (expected === undefined) wrong.push(`${pattern} is not listed`)
      else if ((await isHidden(service, sampleOf(pattern, venue))) !== (expected === 'hidden'))
        wrong.push(`${pattern} is not ${expected}`)
    }
    assert.deepEqual(wrong, [])
    const none = Object.keys(said).filter(
      (one) => !patterns.some((path) => path === one || path.startsWith(one)),
    )
    assert.deepEqual(none, [], 'nothing is listed that is not there')
  })

  it('on a practice instance nothing is for them', async () => {
    const venue = await atVenue(practice)
    for (const pattern of patternsOf(practice))
      assert.equal(await isHidden(practice, sampleOf(pattern, venue)), true, pattern)
    for (const path of ['/sitemap.xml', `/v/${venue.slug}/sitemap.xml`])
      assert.equal((await guestAt(practice, path)).status, 404, path)
    // What may not be fetched is not seen to say so.
    assert.doesNotMatch((await guestAt(practice, '/robots.txt')).text, /Disallow: \S|Sitemap/)
  })

  it('a door that is off, a venue that does not want to be found and a private link are not for them', async () => {
    const venue = await atVenue(service)
    const page = `/v/${venue.slug}`
    await setGuestPages(service, venue, { doors: ['book', 'enquire'] })
    const mine = await bookByPage(service, venue, {
      slot: '2026-10-06 19:00',
      name: 'Maya Okafor',
      email: 'maya@example.com',
    })
    assert.equal((await guestAt(service, mine)).status, 200)
    for (const [path, hidden] of [
      [page, false],
      [`${page}/enquire`, false],
      [`${page}/book?framed=`, false],
      [`${page}/news`, true],
      [`${page}/tickets`, true],
      ['/v/nobody-has-this', true],
      [mine, true],
    ] as const)
      assert.equal(await isHidden(service, path), hidden, path)
    await setGuestPages(service, venue, { found: false })
    for (const path of [page, `${page}/book`]) assert.equal(await isHidden(service, path), true, path)
  })

  it('the lists name the pages of the venues that want to be found, in each language, and no others', async () => {
    const [seen, unseen, shut] = [await atVenue(service), await atVenue(service), await atVenue(service)]
    await setGuestPages(service, seen, { doors: ['book', 'news'], languages: ['en', 'es'] })
    await setGuestPages(service, unseen, { found: false })
    await setGuestPages(service, shut, { doors: [] })
    // A list is kept for a minute.
    service.setClock(service.context.clock().add({ minutes: 1 }).toString())
    const robots = await guestAt(service, '/robots.txt')
    const { publicUrl } = service.context.config
    assert.match(robots.text, new RegExp(`^Sitemap: ${publicUrl}/sitemap.xml$`, 'm'))
    const { text } = await guestAt(service, '/sitemap.xml')
    assert.match(text, new RegExp(`<loc>${publicUrl}/v/${seen.slug}/sitemap.xml</loc>`))
    for (const { slug } of [unseen, shut]) {
      assert.doesNotMatch(text, new RegExp(`/v/${slug}/`))
      assert.equal((await guestAt(service, `/v/${slug}/sitemap.xml`)).status, 404)
    }
    const list = await guestAt(service, `/v/${seen.slug}/sitemap.xml`)
    assert.match(list.headers.get('content-type') ?? '', /^application\/xml/)
    const pages = [...list.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, one]) => one)
    assert.deepEqual(pages, [
      `${publicUrl}/v/${seen.slug}`,
      `${publicUrl}/v/${seen.slug}/book`,
      `${publicUrl}/v/${seen.slug}/news`,
    ])
    assert.match(list.text, new RegExp(`hreflang="es" href="${publicUrl}/v/${seen.slug}/book\\?lang=es"`))
    for (const one of pages) {
      const page = await guestAt(service, one.slice(publicUrl.length))
      assert.equal(page.status, 200, one)
      assert.match(page.text, new RegExp(`<link rel="canonical" href="${one}" />`))
    }
    const spanish = await guestAt(service, `/v/${seen.slug}/book?lang=es`)
    assert.match(
      spanish.text,
      new RegExp(`rel="canonical" href="${publicUrl}/v/${seen.slug}/book\\?lang=es"`),
    )
  })

  it('an address below a guests’ page that is not there is a page in their language, never JSON', async () => {
    const venue = await atVenue(service)
    for (const path of [`/v/${venue.slug}/menu`, '/v/', `/v/${venue.slug}/tickets/7`, '/r/', '/o/abc']) {
      const answer = await guestAt(service, path, { headers: { 'accept-language': 'es' } })
      assert.equal(answer.status, 404, path)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, path)
      assert.match(answer.text, /<html lang="es">/, path)
    }
  })

  it('there is a favicon for pages that name none', async () => {
    const answer = await fetch(`${service.url}/favicon.ico`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'image/x-icon')
    assert.deepEqual([...Buffer.from(await answer.arrayBuffer()).subarray(0, 4)], [0, 0, 1, 0])
  })
})
