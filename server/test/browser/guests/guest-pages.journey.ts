import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { setGuestPages } from '../../guest.ts'
import { everyEvening, setRules } from '../../open-rules.ts'
import { type TestService, type TestVenue, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { sidewaysScroll } from '../check-page.ts'
import { faultsOf, pictureOf, phone } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

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

  it('ask for the time on one screen of a phone, in every language, with script and without, and in a frame', async () => {
    // A day with a full time has a line more: that it can be waited for.
    const full = await service.venue({ slug: 'the-green-door', phone: '+1 212 555 0101' })
    await setRules(service, full, everyEvening({ pacing: { intervalMinutes: 15, maxCovers: 2 } }))
    await service.call('POST', '/api/v1/reservations', {
      key: full.key,
      body: { guestName: 'Ada', date: '2026-10-09', time: '19:00', partySize: 2 },
    })
    const inEach = guestLanguages.flatMap((language) => [
      `/v/${venue.slug}/book?lang=${language}`,
      `/v/${full.slug}/book?date=2026-10-09&lang=${language}`,
    ])
    for (const javaScriptEnabled of [true, false]) {
      const guest = await browser.visitor(service, { viewport: phone, javaScriptEnabled })
      const bottomOf = async (of: string): Promise<number> => {
        const box = await guest.page.locator(of).boundingBox()
        assert.ok(box)
        return box.y + box.height
      }
      for (const path of [...inEach, ...inEach.map((one) => `${one}&framed=`)]) {
        await guest.open(path)
        assert.equal(await guest.page.locator('.times.large button').count(), 5, path)
        assert.equal(await guest.page.locator('input[value="list"]').count(), path.includes('date=') ? 1 : 0)
        const bottom = await bottomOf('main .card')
        assert.ok(bottom <= phone.height, `${path}: ${bottom} px to the end of the times`)
        await guest.page.locator('.times.large button').first().click()
        const details = await bottomOf('#f-name')
        assert.ok(details <= phone.height, `${path}: ${details} px to the end of the first detail`)
      }
    }
  })

  it('what is chosen stays chosen, whichever button of the form is pressed, without script', async () => {
    const guest = await browser.visitor(service, { viewport: phone, javaScriptEnabled: false })
    const { page } = guest
    await guest.open(`/v/${venue.slug}/book?lang=en`)
    await page.getByLabel('Guests').selectOption('5')
    await page.getByLabel('Around').selectOption('21')
    await page.getByRole('button', { name: 'Friday, October 9, has tables' }).click()
    await page.getByRole('heading', { name: 'Time on Friday, October 9' }).waitFor()
    assert.equal(await page.getByLabel('Guests').inputValue(), '5')
    assert.equal(await page.locator('.times.large button').last().textContent(), '9:30 PM')
    await page.getByRole('button', { name: 'Later days' }).click()
    assert.equal(await page.getByLabel('Around').inputValue(), '21')
    await page.getByLabel('Guests').selectOption('3')
    await page.getByText('More times on Tuesday').click()
    await page.getByRole('button', { name: '6:00 PM' }).click()
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    const said = await page.getByRole('list', { name: 'Your booking so far' }).textContent()
    assert.match((said ?? '').replaceAll(/\s+/g, ' '), /Guests3.*Oct 27.*6:00 PM/)
  })

  it('fit into 320 px, which is 400 percent on a desk', async () => {
    const guest = await browser.visitor(service, { viewport: { width: 320, height: 800 } })
    for (const path of doors()) {
      await guest.open(path)
      assert.deepEqual(await sidewaysScroll(guest.page), [], path)
    }
  })
})
