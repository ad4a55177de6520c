import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { orderLink, ownOrder } from '../../../tickets/admission/own-order.ts'
import { qrOf, quietZone } from '../../../tickets/admission/qr.ts'
import { ticketsOfOrders } from '../../../tickets/admission/ticket-reads.ts'
import { sellTickets } from '../../../tickets/sell-tickets.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { actAt } from '../../act.ts'
import { staffOf as actorOf } from '../../desk.ts'
import { setGuestPages } from '../../guest.ts'
import { staffOf } from '../../office.ts'
import { type TestService, type TestVenue, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsOf, phone } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

/** Tuesday 6 October 2026, 19:00 in New York. */
const evening = '2026-10-06T23:00:00Z'

describe('an evening with tickets', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })
  const manager = actorOf('manager')

  const sold = async () => {
    const venue = await service.venue()
    const { occurrence, order } = await actAt(service, venue, async (work) => {
      const { id } = await makeEvent(work, manager, 'Wine dinner')
      const date = { title: null, date: '2026-10-06', startTime: '19:00', capacity: 60, priceCents: 5_000 }
      const { id: occurrence } = await addOccurrence(work, manager, id, date)
      const buyer = { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.com', phone: null }
      const made = await sellTickets(work, manager, {
        occurrenceId: occurrence,
        seats: 3,
        method: 'cash',
        buyer,
      })
      return { occurrence, order: made.order.id }
    })
    const codes = (await ticketsOfOrders(service.db, venue.id, [order])).map(({ code }) => code)
    const own = await ownOrder(service.db, venue.id, order)
    assert.ok(own)
    return {
      venue,
      order,
      codes,
      door: `/office/tickets/door/${occurrence}`,
      link: new URL(orderLink(service.context, venue.id, own)).pathname,
    }
  }
  const host = async (venue: TestVenue, options = {}): Promise<Visitor> => {
    const visitor = await browser.visitor(service, options)
    await visitor.signIn((await staffOf(service, venue, 'host')).email)
    return visitor
  }
  const answers = ({ page }: Visitor, words: RegExp) =>
    page.locator('#door-answer', { hasText: words }).waitFor()

  it('a buyer’s page is accessible in short and in long words, light and dark, and holds still on a phone', async () => {
    const { venue, link } = await sold()
    await setGuestPages(service, venue, { languages: [...guestLanguages] })
    const visitor = await browser.visitor(service, { viewport: phone })
    const shown = ['en', 'de', 'ja'].map((language) => `${link}?lang=${language}`)
    assert.deepEqual(await faultsOf(visitor, shown), [])
  })

  it('a host lets people in with the keys alone, takes it back, and the counts follow', async () => {
    const { venue, codes, door } = await sold()
    const visitor = await host(venue, { viewport: phone })
    const { page } = visitor
    await visitor.open('/office/tickets/door')
    await page.getByRole('link', { name: 'Open the door' }).press('Enter')
    // The page before has the counts, too, and no field to type into.
    await page.waitForURL(`**${door}`)
    await visitor.reads('of 3 in')
    // The field has the focus, as a scanner that types needs it.
    await page.keyboard.type(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await answers(visitor, /^In.*Ticket 1 of 3/s)
    await page.keyboard.type(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await answers(visitor, /Already in/)
    await page.keyboard.type('okafor')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Let in ticket 2' }).press('Enter')
    await answers(visitor, /^In.*Ticket 2 of 3/s)
    await page.locator('#door-counts', { hasText: /2 of 3 in/ }).waitFor()
    await page.getByRole('button', { name: 'Take back' }).press('Enter')
    await answers(visitor, /Taken back/)
    await page.locator('#door-counts', { hasText: /1 of 3 in/ }).waitFor()
    assert.deepEqual(await faultsOf(visitor, [door, '/office/tickets/door']), [])
  })

  it('without a network nothing is checked; what was scanned goes later, at its moment, and nothing is stored', async () => {
    const { venue, codes, door } = await sold()
    const visitor = await host(venue)
    const { page } = visitor
    await visitor.open(door)
    await page.context().setOffline(true)
    for (const code of codes.toReversed()) {
      await page.getByLabel('Code, name or order number').fill(code)
      await visitor.press('Check')
      await answers(visitor, /Not checked/)
    }
    await visitor.reads('3 not checked yet, waiting for the connection.')
    assert.deepEqual(
      await page.evaluate(`[...Object.keys(localStorage), ...Object.keys(sessionStorage)]`),
      [],
    )
    // The first of them is refused, and takes none of the others along.
    let isFirst = true
    await page.route('**/door/*', (route) => {
      if (!isFirst || route.request().method() !== 'POST') return route.fallback()
      isFirst = false
      return route.fulfill({ status: 400, body: '' })
    })
    await page.context().setOffline(false)
    await answers(visitor, /In.*Ticket 2 of 3.*In.*Ticket 1 of 3/s)
    await visitor.reads('1 of what waited could not be checked: look for the name.')
    await page.locator('#door-counts', { hasText: /2 of 3 in/ }).waitFor()
    // The browser says on its console that it had no network.
    assert.ok(
      visitor
        .complaints()
        .every((one) => /ERR_INTERNET_DISCONNECTED|Failed to fetch|network|status of 400/i.test(one)),
    )
  })

  it('the camera reads the code of a ticket, with the reader that only this page loads', async () => {
    const { venue, codes, door } = await sold()
    const visitor = await host(venue)
    const { page } = visitor
    const { size, bars } = qrOf(codes[2] ?? '')
    // A camera that sees the ticket.
    const seen = JSON.stringify({ whole: size + 2 * quietZone, quietZone, bars })
    await page.addInitScript(`
      const { whole, quietZone, bars } = ${seen}
      const canvas = document.createElement('canvas')
      canvas.width = 640
      canvas.height = 480
      const context = canvas.getContext('2d')
      setInterval(() => {
        context.fillStyle = '#fff'
        context.fillRect(0, 0, 640, 480)
        context.fillStyle = '#000'
        const scale = Math.floor(440 / whole)
        for (const { x, y, length } of bars)
          context.fillRect(100 + (x + quietZone) * scale, 20 + (y + quietZone) * scale, length * scale, scale)
      }, 50)
      navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
    `)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await visitor.open(door)
    assert.ok(!asked.includes('/office/assets/jsqr.js'), 'not before somebody scans')
    await visitor.press('Scan with the camera')
    await answers(visitor, /^In.*Ticket 3 of 3/s)
    await visitor.press('Stop the camera')
  })
})
