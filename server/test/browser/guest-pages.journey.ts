import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestLanguages } from '../../kernel/guest-language.ts'
import { setGuestPages } from '../guest.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'
import type { TestBrowser } from './browser.ts'
import { sidewaysScroll } from './check-page.ts'
import { faultsOf, pictureOf, phone } from './look-at-pages.ts'
import { withBrowser } from './with-browser.ts'

/** Any first visit, without a logo: page, styles and scripts, compressed. */
const mostBytes = 30 * 1024

describe('the pages for guests', () => {
  let service: TestService
  let venue: TestVenue
  let browser: TestBrowser
  withBrowser(startService, async (opened) => {
    ;[service, browser] = opened
    venue = await service.venue({ slug: 'the-blue-door', phone: '+1 212 555 0100' })
    await setRules(
      service,
      venue,
      everyEvening({ closures: [{ from: '2026-10-22', to: '2026-10-22', name: 'private event' }] }),
    )
    await service.db.session((client) =>
      client.query(`update venue set postal_address = $2 where id = $1`, [
        venue.id,
        '214 West 10th Street\nNew York, NY 10014',
      ]),
    )
    await setGuestPages(service, venue, {
      texts: {
        en: { welcome: 'A neighborhood kitchen behind a door you will know when you see it.', policy: null },
      },
    })
  })

  const doors = (): string[] => [
    `/v/${venue.slug}`,
    `/v/${venue.slug}?lang=es`,
    `/v/${venue.slug}/book?size=4`,
    `/v/${venue.slug}/book?size=4&date=2026-10-09`,
    `/v/${venue.slug}/book?size=4&day=2026-10-09&time=19:30`,
    `/v/${venue.slug}/news`,
    `/v/${venue.slug}/enquire?lang=es`,
  ]

  it('are accessible in light and dark, with and without script, and light', async () => {
    const guest = await browser.visitor(service)
    assert.deepEqual(await faultsOf(guest, doors(), { mostBytes }), [])
    const plain = await browser.visitor(service, { javaScriptEnabled: false })
    for (const path of doors()) {
      await plain.open(path)
      await plain.page.getByRole('heading', { level: 1 }).waitFor()
    }
  })

  it('the longest words of every language fit at 390 px, and nothing is cut off', async () => {
    const guest = await browser.visitor(service, { viewport: phone })
    for (const language of guestLanguages)
      for (const path of doors().filter((one) => !one.includes('lang='))) {
        const at = `${path}${path.includes('?') ? '&' : '?'}lang=${language}`
        await guest.open(at)
        assert.equal(await guest.page.locator('html').getAttribute('lang'), language, at)
        assert.deepEqual(await sidewaysScroll(guest.page), [], at)
        const cut = await guest.page
          .locator('main')
          .evaluate((main) =>
            [...main.querySelectorAll('a, button, li, b, small, th, td, label, h1, h2')]
              .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
              .map((one) => one.outerHTML.slice(0, 120)),
          )
        assert.deepEqual(cut, [], at)
        await pictureOf(guest.page, at)
      }
  })

  it('fit into 320 px, which is 400 percent on a desk', async () => {
    const guest = await browser.visitor(service, { viewport: { width: 320, height: 800 } })
    for (const path of doors()) {
      await guest.open(path)
      assert.deepEqual(await sidewaysScroll(guest.page), [], path)
    }
  })
})
