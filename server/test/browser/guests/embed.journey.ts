import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { after, before, describe, it } from 'node:test'
import type { FrameLocator } from 'playwright-core'
import { eventually } from '../../eventually.ts'
import { setGuestPages } from '../../guest.ts'
import { owner } from '../../selling-online.ts'
import { actAt } from '../../act.ts'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { everyEvening, setRules } from '../../open-rules.ts'
import { staffOf, visitOffice } from '../../office.ts'
import type { TestService, TestVenue } from '../../service.ts'
import { startPaidService } from '../../stripe/paid-service.ts'
import type { StripeStandIn } from '../../stripe/stand-in.ts'
import { guestDoors } from '../../../core/venue/guest-settings-rules.ts'
import { frameSitesOf } from '../../../core/venue/frame-sites.ts'
import { type TestBrowser, type Visitor, openBrowser } from '../browser.ts'
import { faultsByAxe, sidewaysScroll } from '../check-page.ts'
import { phone, wide } from '../look-at-pages.ts'

/** A site of another origin, with policies of its own: no inline style, and no word to others of where one comes from. */
type SitePage = { readonly head?: string; readonly body?: string }

const startSite = async (pageOf: (path: string) => SitePage, policy: () => string) => {
  const server = createServer((request, response) => {
    const { head = '', body = '' } = pageOf(request.url ?? '/')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy())
    response.setHeader('referrer-policy', 'no-referrer')
    response.end(
      `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><title>Our site</title>${head}</head><body><main><h1>Dinner behind the blue door</h1>${body}</main></body></html>`,
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

type Heard = { readonly origin: string; readonly data: { readonly event?: string; readonly title?: string } }

describe('a door in the venue’s own site', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let browser: TestBrowser
  let site: Awaited<ReturnType<typeof startSite>>
  before(async () => {
    const [paid, opened] = await Promise.all([startPaidService(), openBrowser()])
    ;({ service, stripe } = paid)
    browser = opened
    venue = await service.venue({ slug: 'the-blue-door', phone: '+1 212 555 0100' })
    await setRules(service, venue, everyEvening())
    const tag = (more: string) =>
      `<script async src="${service.url}/embed.js" data-venue="the-blue-door" ${more}></script>`
    const inHead = (of: string): string => of.replace('async ', '')
    const button = tag('data-door="book" data-mode="button" data-color="#1c5878"')
    const nobody = (of: string): string => of.replace('the-blue-door', 'nobody')
    const pages: Readonly<Record<string, SitePage>> = {
      '/': { body: tag('data-door="book"') },
      '/news': { body: tag('data-door="news" data-lang="es" data-color="#FFD400"') },
      '/inquire': { body: tag('data-door="enquire"') },
      '/inquire-in-dialog': { body: tag('data-door="enquire" data-mode="button"') },
      '/button': {
        body: `<p>${button}</p><p><a href="/menu">Menu</a></p>${'<p>Dinner from five.</p>'.repeat(40)}`,
      },
      '/button-in-head': { head: inHead(button), body: '<p>Dinner from five.</p>' },
      '/in-head': { head: inHead(tag('data-door="news"')), body: '<p>Dinner from five.</p>' },
      '/tickets': { body: tag('data-door="tickets"') },
      '/by-hand': {
        body: `<iframe src="${service.url}/v/the-blue-door/book" width="360" height="900"></iframe>`,
      },
      '/unknown': { body: nobody(tag('data-door="book"')) },
      '/unknown-button': { body: nobody(button) },
    }
    site = await startSite(
      (path) => pages[path] ?? {},
      () => `default-src 'none'; script-src ${service.url}; frame-src ${service.url}`,
    )
    const frameSites = ['https://www.example.com', site.url]
    await setGuestPages(service, venue, { frameSites, doors: [...guestDoors] })
    const office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'owner')).email)
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
      await stripe.stop()
      await site.stop()
    }
  })

  /** What the site's own page complains of that is not expected of it. */
  const complaintsOf = (guest: Visitor): string[] =>
    guest
      .complaints()
      .filter((one) => !one.includes(`asks ${service.url}/`) && !one.includes('Blocked autofocusing'))
  const visitor = (options = {}) => browser.visitor(site, options)
  /** What the site's own page hears from now on. */
  const listenAt = async ({ page }: Visitor) => {
    await page.evaluate(
      `heard = []; addEventListener('message', ({ origin, data }) => heard.push({ origin, data }))`,
    )
    return (): Promise<Heard[]> => page.evaluate('heard')
  }
  const bookedIn = (heard: readonly Heard[]) => heard.filter(({ data }) => data.event === 'booked')
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
    const said = await listenAt(guest)
    const frame = guest.page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Book a table' }).waitFor()
    assert.equal(await guest.page.locator('iframe').getAttribute('title'), 'Book a table · The Blue Door')
    await fits(guest, frame)
    assert.equal(await frame.locator('header.top, footer.foot').count(), 0, 'the site is the frame')
    await frame.getByRole('button', { name: 'Friday, October 9, has tables' }).click()
    await frame.getByRole('heading', { name: 'Time on Friday, October 9' }).waitFor()
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
    await eventually(async () => bookedIn(await said()).length > 0)
    assert.deepEqual(
      bookedIn(await said()),
      [{ origin: service.url, data: { from: 'venue-pages', event: 'booked', door: 'book', partySize: 2 } }],
      'the site learns that something was booked, and of whom nothing',
    )
    await frame.getByRole('link', { name: 'See my booking' }).click()
    await guest.page.waitForURL((address) => address.href.startsWith(`${service.url}/r/`))
    assert.deepEqual(await guest.page.context().cookies(), [])
    assert.deepEqual(complaintsOf(guest), [])
  })

  const deposits = [{ asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }]
  /** While a deposit is asked for every table. */
  const withDeposits = async (act: () => Promise<void>) => {
    await setRules(service, venue, everyEvening({ guarantees: deposits }))
    try {
      await act()
    } finally {
      await setRules(service, venue, everyEvening())
    }
  }
  /** The guest pays at the processor, and is led back. */
  const payAndComeBack = async ({ page }: Visitor, to: string) => {
    await page.waitForURL((address) => address.href.startsWith(`${stripe.url}/pay/`))
    const paid = await stripe.pay(new URL(page.url()).pathname.replace('/pay/', ''))
    await page.goto(service.url + new URL(paid?.success_url ?? '').pathname)
    await page.waitForURL((address) => address.pathname.startsWith(to))
  }
  const paysElsewhere = (guest: Visitor) =>
    complaintsOf(guest).filter((one) => !one.includes(`asks ${stripe.url}/`))

  for (const [script, path] of [
    ['with script', '/'],
    ['without script, in a frame of the site’s own making', '/by-hand'],
  ] as const)
    it(`a deposit is paid out of the frame, ${script}: all before the payment stays inside it, and the window comes back to the booking`, () =>
      withDeposits(async () => {
        const guest = await visitor({ viewport: phone, javaScriptEnabled: path === '/' })
        const { page } = guest
        await guest.open(path)
        const frame = page.frameLocator('iframe')
        const details = frame.getByRole('heading', { name: 'Your details' })
        const fill = (email: string) => frame.getByLabel('Email', { exact: true }).fill(email)
        await frame.getByRole('button', { name: 'Friday, October 9, has tables' }).click()
        await frame.getByRole('heading', { name: 'Time on Friday, October 9' }).waitFor()
        await frame.getByRole('button', { name: '7:15 PM' }).click()
        await frame.getByLabel('Name').fill('Maya Okafor')
        await fill('maya')
        service.setClock(service.context.clock().add({ seconds: 30 }).toString())
        await frame.getByRole('button', { name: 'Continue' }).click()
        await frame.getByText('One thing needs fixing').waitFor()
        assert.equal(page.url(), site.url + path, 'a mistake stays in the frame')
        const extend = frame.getByRole('button', { name: 'Keep it 5 more minutes' })
        await extend.click()
        await extend.waitFor({ state: 'detached' })
        await details.waitFor()
        assert.equal(page.url(), site.url + path, 'so does holding the table for longer')
        await fill('maya@example.com')
        service.setClock(service.context.clock().add({ seconds: 30 }).toString())
        await frame.getByRole('button', { name: 'Continue' }).click()
        const leave = frame.getByRole('button', { name: 'Pay $40.00' })
        await leave.waitFor()
        assert.equal(page.url(), site.url + path, 'and so does the page that says what is paid')
        assert.match(await frame.locator('main').innerText(), /Cancel by 7:15 PM on Thursday, October 8/)
        assert.deepEqual(await sidewaysScroll(page), [])
        await leave.click()
        await payAndComeBack(guest, '/r/')
        assert.match(await page.locator('main').innerText(), /\$40\.00 paid/)
        assert.deepEqual(paysElsewhere(guest), [])
      }))

  it('tickets are chosen in the frame, paid out of it, and found there where they cost nothing', async () => {
    // The forms of the other tests are long ago: nobody is asked how much two and two is.
    service.setClock(service.context.clock().add({ minutes: 20 }).toString())
    const { id: event } = await actAt(service, venue, (work) => makeEvent(work, owner, 'Wine dinner'))
    const date = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 60 }
    for (const more of [{ priceCents: 9_500 }, { priceCents: 0, date: '2026-10-21' }])
      await actAt(service, venue, (work) => addOccurrence(work, owner, event, { ...date, ...more }))
    const guest = await visitor({ viewport: phone })
    const { page } = guest
    const choose = async (day: string) => {
      await guest.open('/tickets')
      const frame = page.frameLocator('iframe')
      await frame.getByRole('link', { name: 'Wine dinner' }).click()
      const label = frame.locator('option', { hasText: day })
      await frame.getByLabel('Date').selectOption((await label.getAttribute('value')) ?? '')
      await frame.getByRole('button', { name: 'Show the total' }).click()
      await frame.getByLabel('First name').fill('Maya')
      await frame.getByLabel('Last name').fill('Okafor')
      await frame.getByLabel('Email', { exact: true }).fill('maya')
      service.setClock(service.context.clock().add({ seconds: 30 }).toString())
      return frame
    }
    const stays = () => assert.equal(page.url(), `${site.url}/tickets`)
    const paid = await choose('Oct 20')
    await paid.getByRole('button', { name: 'Continue' }).click()
    await paid.getByText('One thing needs fixing').waitFor()
    stays()
    await paid.getByLabel('Email', { exact: true }).fill('maya@example.com')
    service.setClock(service.context.clock().add({ seconds: 30 }).toString())
    await paid.getByRole('button', { name: 'Continue' }).click()
    await paid.getByRole('button', { name: 'Pay $190.00' }).waitFor()
    stays()
    await paid.getByRole('button', { name: 'Pay $190.00' }).click()
    await payAndComeBack(guest, '/o/')
    const free = await choose('Oct 21')
    await free.getByLabel('Email', { exact: true }).fill('maya@example.com')
    await free.getByRole('button', { name: 'Get the tickets' }).click()
    await free.getByRole('heading', { name: 'Your tickets' }).waitFor()
    stays()
    await free.getByRole('link', { name: 'See my tickets' }).click()
    await page.waitForURL((address) => address.href.startsWith(`${service.url}/o/`))
    await page.getByRole('heading', { name: 'Your tickets' }).waitFor()
    assert.deepEqual(paysElsewhere(guest), [])
  })

  it('what is wrong takes the focus inside the frame, and a page that is only opened takes it from nobody', async () => {
    const guest = await visitor({ viewport: phone })
    const { page } = guest
    await guest.open('/')
    const frame = page.frameLocator('iframe')
    /** The element of the frame that has the focus, once it has one. */
    const focused = async () => {
      await page.waitForFunction(`document.activeElement.shadowRoot?.activeElement?.localName === 'iframe'`)
      return frame.locator(':focus').evaluate(({ id, localName }) => id || localName)
    }
    await frame.getByRole('heading', { name: 'Book a table' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.localName'), 'body')
    await frame.getByRole('button', { name: 'Friday, October 9, has tables' }).click()
    await frame.getByRole('heading', { name: 'Time on Friday, October 9' }).waitFor()
    await frame.getByRole('button', { name: '7:30 PM' }).click()
    await frame.getByRole('heading', { name: 'Your details' }).waitFor()
    await page.evaluate('document.activeElement.blur()')
    service.setClock(service.context.clock().add({ seconds: 30 }).toString())
    await frame.getByRole('button', { name: 'Request this table' }).click()
    await frame.getByText('2 things need fixing').waitFor()
    assert.equal(await focused(), 'mistakes')
    // A form that no page wrote.
    await frame.locator('input[name="day"]').evaluate((day: object) => Object.assign(day, { value: 'never' }))
    await frame.getByRole('button', { name: 'Request this table' }).click()
    await frame.getByRole('heading', { name: 'That did not work' }).waitFor()
    assert.equal(await focused(), 'h1')
    assert.deepEqual(complaintsOf(guest), [])
  })

  it('says what was booked to the sites the venue lists, by their origin, and so to nobody else', async () => {
    const guest = await visitor({ viewport: phone })
    const { page } = guest
    const button = page.getByRole('button', { name: 'Plan a private event' })
    // The forms of the other tests are long ago: nobody is asked how much two and two is.
    service.setClock(service.context.clock().add({ minutes: 20 }).toString())
    const inquire = async (path = '/inquire') => {
      await guest.open(path)
      const said = await listenAt(guest)
      if (path !== '/inquire') await button.click()
      const frame = page.frameLocator('iframe')
      await frame.getByLabel('How many guests').fill('40')
      await frame.getByLabel('Name', { exact: true }).fill('Maya Okafor')
      await frame.getByLabel('Email', { exact: true }).fill('maya@example.com')
      service.setClock(service.context.clock().add({ seconds: 30 }).toString())
      await frame.getByRole('button', { name: 'Send my inquiry' }).click()
      await frame.getByText('Sent', { exact: true }).waitFor()
      // What a frame says arrives in order, and its title comes last.
      await eventually(async () => (await said()).some(({ data }) => data.title === 'Sent'))
      return bookedIn(await said())
    }
    const data = { from: 'venue-pages', event: 'booked', door: 'enquire', partySize: 40 }
    assert.deepEqual(await inquire(), [{ origin: service.url, data }])
    await inquire('/inquire-in-dialog')
    await page.keyboard.press('Escape')
    await button.click()
    await page.frameLocator('iframe').getByLabel('How many guests').waitFor()
    // The same page, made for another site.
    await page.route('**/v/the-blue-door/enquire*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(
          /data-sites="[^"]*"/g,
          'data-sites="https://elsewhere.example"',
        ),
      })
    })
    assert.deepEqual(await inquire(), [])
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
    await frame.getByRole('button', { name: 'Friday, October 9, has tables' }).focus()
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

  it('a button pressed long after the page opened shows the door, also the second time', async () => {
    const guest = await visitor({ viewport: phone })
    const { page } = guest
    // The page's own timers pass six seconds without anybody waiting for them.
    await page.clock.install()
    for (const path of ['/button', '/button-in-head']) {
      await guest.open(path)
      const button = page.getByRole('button', { name: 'Book a table' })
      await button.waitFor()
      await page.clock.runFor(6_000)
      const heading = page.frameLocator('iframe').getByRole('heading', { name: 'Book a table' })
      for (const _ of ['first', 'second']) {
        await button.click()
        await heading.waitFor()
        await page.clock.runFor(30_000)
        assert.ok(await heading.isVisible(), `${path}: the door stays`)
        assert.equal(await page.getByRole('link', { name: 'Book a table' }).count(), 0)
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      }
    }
    assert.deepEqual(complaintsOf(guest), [])
  })

  it('a diner books on a phone through a button in a page that was open for a minute', async () => {
    const guest = await visitor({ viewport: phone })
    const { page } = guest
    // The forms of the other tests are long ago.
    service.setClock(service.context.clock().add({ minutes: 20 }).toString())
    await page.clock.install()
    await guest.open('/button')
    const said = await listenAt(guest)
    await page.clock.runFor(60_000)
    await page.getByRole('button', { name: 'Book a table' }).click()
    const dialog = page.getByRole('dialog', { name: 'Book a table' })
    const box = await dialog.boundingBox()
    assert.deepEqual([box?.x, box?.y, box?.width, box?.height], [0, 0, phone.width, phone.height])
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('Guests').selectOption('4')
    await frame.getByRole('button', { name: 'Saturday, October 10, has tables' }).click()
    await frame.getByRole('heading', { name: 'Time on Saturday, October 10' }).waitFor()
    await page.clock.runFor(60_000)
    await frame.getByRole('button', { name: '7:30 PM' }).click()
    await frame.getByLabel('Name').fill('Grace Hopper')
    await frame.getByLabel('Email', { exact: true }).fill('grace@example.com')
    assert.deepEqual(await sidewaysScroll(page), [])
    service.setClock(service.context.clock().add({ minutes: 2 }).toString())
    await page.clock.runFor(120_000)
    await frame.getByRole('button', { name: 'Request this table' }).click()
    await frame.getByRole('heading', { name: 'We have your request' }).waitFor()
    await eventually(async () => bookedIn(await said()).length > 0)
    assert.deepEqual(
      bookedIn(await said()).map(({ data }) => data),
      [{ from: 'venue-pages', event: 'booked', door: 'book', partySize: 4 }],
    )
    await frame.getByRole('link', { name: 'See my booking' }).click()
    await page.waitForURL((address) => address.href.startsWith(`${service.url}/r/`))
    await page.getByRole('heading', { name: 'We have your request' }).waitFor()
    const { body } = await service.call('GET', '/api/v1/reservations?limit=1', { key: venue.key })
    const [{ guestName, partySize, date, time, source }] = body
    assert.deepEqual(
      [guestName, partySize, date, time, source],
      ['Grace Hopper', 4, '2026-10-10', '19:30', 'public'],
    )
    assert.deepEqual(complaintsOf(guest), [])
  })

  it('a tag in the head puts its door at the end of the page', async () => {
    const guest = await visitor({ viewport: phone })
    await guest.open('/in-head')
    await guest.page
      .frameLocator('iframe')
      .getByRole('heading', { name: /^News from/ })
      .waitFor()
    assert.equal(await guest.page.evaluate(`document.body.lastElementChild.shadowRoot !== null`), true)
    assert.deepEqual(complaintsOf(guest), [])
  })

  it('a button whose door is shut opens a dialog with a link that looks like one', async () => {
    const guest = await visitor({ viewport: phone })
    await guest.open('/unknown-button')
    await guest.page.getByRole('button', { name: 'Book a table' }).click()
    const link = guest.page.getByRole('dialog').getByRole('link', { name: 'Book a table' })
    await link.waitFor()
    const look = await link.evaluate((one) => {
      const style = one.ownerDocument.defaultView?.getComputedStyle(one)
      return [style?.textDecorationLine, style?.backgroundColor]
    })
    assert.deepEqual(look, ['underline', 'rgba(0, 0, 0, 0)'])
    assert.equal(await link.getAttribute('href'), `${service.url}/v/nobody/book`)
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
      const heard = await frameSitesOf(service.db, venue.id)
      assert.deepEqual(
        heard.filter(({ listed }) => !listed).map(({ site: origin }) => origin),
        [site.url],
        'staff see who asked',
      )
    } finally {
      await setGuestPages(service, venue, { frameSites: [site.url] })
    }
    guest.complaints()
  })
})
