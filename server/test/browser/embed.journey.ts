import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { after, before, describe, it } from 'node:test'
import type { FrameLocator } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { setGuestPages } from '../guest.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'
import { type TestBrowser, type Visitor, openBrowser } from './browser.ts'
import { faultsByAxe, sidewaysScroll } from './check-page.ts'
import { phone, wide } from './look-at-pages.ts'

/** A site of another origin, with a policy of its own that allows no inline style. */
const startSite = async (bodyOf: (path: string) => string, policy: () => string) => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy())
    response.end(
      `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><title>Our site</title></head><body><main><h1>Dinner behind the blue door</h1>${bodyOf(request.url ?? '/')}</main></body></html>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('a door in the venue’s own site', () => {
  let service: TestService
  let venue: TestVenue
  let browser: TestBrowser
  let site: Awaited<ReturnType<typeof startSite>>
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), openBrowser()])
    venue = await service.venue({ slug: 'the-blue-door', phone: '+1 212 555 0100' })
    await setRules(service, venue, everyEvening())
    const tag = (more: string) =>
      `<script async src="${service.url}/embed.js" data-venue="the-blue-door" ${more}></script>`
    const pages: Readonly<Record<string, string>> = {
      '/': tag('data-door="book"'),
      '/news': tag('data-door="news" data-lang="es" data-color="#FFD400"'),
      '/button': `<p>${tag('data-door="book" data-mode="button" data-color="#1c5878"')}</p><p style="height:200vh"><a href="/menu">Menu</a></p>`,
      '/unknown': tag('data-door="book"').replace('the-blue-door', 'nobody'),
    }
    site = await startSite(
      (path) => pages[path] ?? '',
      () => `default-src 'none'; script-src ${service.url}; frame-src ${service.url}`,
    )
    await setGuestPages(service, venue, { frameSites: [site.url] })
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
      await site.stop()
    }
  })

  /** What the site's own page complains of that is not expected of it. */
  const complaintsOf = (guest: Visitor): string[] =>
    guest
      .complaints()
      .filter((one) => !one.includes(`asks ${service.url}/`) && !one.includes('Blocked autofocusing'))
  const visitor = (options = {}) => browser.visitor(site, options)
  const heightOf = (guest: Visitor): Promise<number> =>
    guest.page.locator('iframe').evaluate((one) => one.getBoundingClientRect().height)
  const heightInside = (frame: FrameLocator): Promise<number> =>
    frame.locator('body').evaluate((one) => one.getBoundingClientRect().height)
  const fits = (guest: Visitor, frame: FrameLocator) =>
    eventually(async () => Math.abs((await heightOf(guest)) - (await heightInside(frame))) <= 1)

  it('embed.js is at most 4 KB compressed, names no other host and stores nothing', async () => {
    const answer = await fetch(`${service.url}/embed.js`)
    const text = await answer.text()
    assert.ok(gzipSync(text).length <= 4_096, `${gzipSync(text).length} bytes`)
    assert.equal(answer.headers.get('set-cookie'), null)
    assert.doesNotMatch(text, /https?:\/\/(?!…)|cookie\s*=|localStorage|sessionStorage|fetch\(/)
  })

  it('books a table inside the page: the frame fits its height, and the private link leaves it', async () => {
    const guest = await visitor({ viewport: phone })
    await guest.open('/')
    const frame = guest.page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Book a table' }).waitFor()
    assert.equal(await guest.page.locator('iframe').getAttribute('title'), 'Book a table · The Blue Door')
    await fits(guest, frame)
    assert.equal(await frame.locator('header.top, footer.foot').count(), 0, 'the site is the frame')
    await frame.getByRole('link', { name: /^9 has tables$/ }).click()
    await frame.getByRole('heading', { name: 'What time on Friday?' }).waitFor()
    await fits(guest, frame)
    await guest.page.evaluate('scrollTo(0, 5000)')
    await frame.getByRole('button', { name: '7:30 PM' }).click()
    await frame.getByLabel('Name').fill('Maya Okafor')
    await frame.getByLabel('Email', { exact: true }).fill('maya@example.com')
    await fits(guest, frame)
    // The next step begins at its top.
    await eventually(
      async () =>
        (await guest.page.locator('iframe').evaluate((one) => one.getBoundingClientRect().top)) >= -1,
    )
    assert.deepEqual(await sidewaysScroll(guest.page), [])
    // Nobody types that fast.
    service.setClock(service.context.clock().add({ seconds: 30 }).toString())
    await frame.getByRole('button', { name: 'Request this table' }).click()
    await frame.getByRole('heading', { name: 'We have your request' }).waitFor()
    await fits(guest, frame)
    await frame.getByRole('link', { name: 'See my booking' }).click()
    await guest.page.waitForURL((address) => address.href.startsWith(`${service.url}/r/`))
    assert.deepEqual(await guest.page.context().cookies(), [])
    assert.deepEqual(complaintsOf(guest), [])
  })

  it('speaks the site’s language and wears its color, from page to page', async () => {
    const guest = await visitor({ viewport: wide })
    await guest.open('/news')
    const frame = guest.page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Novedades de The Blue Door' }).waitFor()
    const fill = () =>
      frame.locator('button.btn').evaluate((one) => {
        const view = one.ownerDocument.defaultView
        return view?.getComputedStyle(one).backgroundColor
      })
    assert.equal(await fill(), 'rgb(255, 212, 0)')
    await frame.getByRole('button', { name: 'Inscribirme' }).click()
    await frame.getByText('Falta corregir una cosa').waitFor()
    assert.equal(await fill(), 'rgb(255, 212, 0)')
    assert.deepEqual(complaintsOf(guest), [])
  })

  it('as a button opens a dialog that keeps the focus, closes with Escape and gives the focus back', async () => {
    const guest = await visitor({ viewport: phone })
    const { page } = guest
    await guest.open('/button')
    const button = page.getByRole('button', { name: 'Book a table' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Book a table' })
    await dialog.waitFor()
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Book a table' }).waitFor()
    const focused = () =>
      page.evaluate(
        `(() => { const inner = document.activeElement?.shadowRoot?.activeElement; return inner ? (inner.ariaLabel || inner.localName) : document.activeElement?.localName })()`,
      )
    assert.equal(await focused(), 'Close', 'the close button is first')
    const seen = new Set<unknown>()
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab')
      seen.add(await focused())
    }
    assert.ok(!seen.has('a'), `nothing behind the dialog: ${[...seen].join(', ')}`)
    assert.ok(seen.has('iframe') && seen.has('Close'))
    await frame.getByRole('link', { name: /^9 has tables$/ }).focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await focused(), 'button')
    await button.click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await button.click()
    assert.deepEqual(await sidewaysScroll(page), [])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await faultsByAxe(page), [])
    guest.complaints()
  })

  it('where the venue does not list the site, or the door is shut, there is a link in place of the frame', async () => {
    const guest = await visitor({ viewport: phone })
    await guest.open('/unknown')
    await guest.page.getByRole('link', { name: 'Book a table' }).waitFor()
    await setGuestPages(service, venue, { frameSites: [] })
    try {
      await guest.open('/')
      const link = guest.page.getByRole('link', { name: 'Book a table' })
      await link.waitFor()
      assert.equal(await link.getAttribute('href'), `${service.url}/v/the-blue-door/book`)
      await link.click()
      await guest.page.waitForURL(`${service.url}/v/the-blue-door/book`)
    } finally {
      await setGuestPages(service, venue, { frameSites: [site.url] })
    }
    guest.complaints()
  })
})
