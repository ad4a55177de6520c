import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, dinner, openBook, staff } from '../../../book/reservations/test/book.ts'
import { type TestTable, heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { joinWaitlist } from '../../../book/waitlist/actions.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

const floor: readonly TestTable[] = Array.from({ length: 12 }, (_, n) => ({
  label: String(n + 1),
  most: n < 4 ? 2 : 4,
  shape: n % 3 === 0 ? 'round' : 'square',
  x: (n % 4) * 3,
  y: Math.floor(n / 4) * 3,
}))

describe('tables in service, in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  const openEvening = async (): Promise<{ book: TestBook; email: string }> => {
    const book = await openBook(service, dinner(tablesOf(floor)))
    await turnTablesOn(service, book.venue)
    for (const [guestName, time] of [
      ['Priya Raman', '19:30'],
      ['Ana Costa', '19:45'],
      ['Rosa Delgado', '20:30'],
    ] as const) {
      await book.booking('Confirmed', { guestName, time, partySize: 3, email: null })
    }
    const { email } = await staffOf(service, book.venue, 'host')
    return { book, email }
  }
  /** Somebody puts a party in line. */
  const waits = (book: TestBook) =>
    book.act((work) =>
      joinWaitlist(work, staff('host'), {
        ...{ guestName: 'Ivy', partySize: 2, email: null, phone: null, notes: null },
        ...{ windowStart: null, windowEnd: null },
      }),
    )
  const row = ({ page }: Visitor, name: string) => page.locator('.row', { hasText: name }).first()
  const statusOf = async (book: TestBook, name: string) =>
    (
      await book.query('select id, status from reservation where venue_id = $1 and guest_name = $2', [
        book.venue.id,
        name,
      ])
    )[0] as { id: number; status: string }

  it('seated at the table shown by one press, at another by two, taken back by one', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    await row(host, 'Priya Raman').getByRole('button', { name: 'Seat', exact: true }).click()
    await host.reads(/^Priya Raman, 3 guests: seated at 5\.$/)
    await row(host, 'Ana Costa')
      .getByRole('link', { name: /^Table 6.*Ana Costa/ })
      .click()
    await host.page.locator('#pick').getByRole('button', { name: 'Seat at 8' }).click()
    await host.reads(/^Ana Costa, 3 guests: seated at 8\.$/)
    const { id, status } = await statusOf(book, 'Ana Costa')
    assert.equal(status, 'Seated')
    assert.equal((await heldTables(service, book.venue))[id], '8!')
    await host.page.locator('.last').getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await statusOf(book, 'Ana Costa')).status === 'Confirmed')
  })

  it('on the floor two presses seat a party, a drag does too, and another screen sees it by itself', async () => {
    const { book, email } = await openEvening()
    const [one, two] = [await browser.visitor(service), await browser.visitor(service)]
    for (const host of [one, two]) {
      await host.signIn(email)
      await host.open('/office/floor')
    }
    const tile = ({ page }: Visitor, label: string) =>
      page.locator('.tt', { hasText: new RegExp(`^\\s*Table ${label}\\D`) })
    const seen = tile(two, '9').getByText('Raman 3').waitFor()
    await tile(one, '9').locator('.cover').click()
    await one.page
      .locator('#pick li', { hasText: 'Priya Raman' })
      .getByRole('button', { name: 'Seat' })
      .click()
    await one.reads(/^Priya Raman, 3 guests: seated at 9\.$/)
    await seen
    await row(one, 'Ana Costa').dragTo(tile(one, '10'))
    await one.reads(/^Ana Costa, 3 guests: seated at 10\.$/)
    await tile(one, '10').dragTo(tile(one, '9'))
    await one.reads(/^Ana Costa, 3 guests: now at 9\. Priya Raman is now at table 10\.$/)
    const { id } = await statusOf(book, 'Ana Costa')
    assert.equal((await heldTables(service, book.venue))[id], '9!')
    await one.page.locator('.last').getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await heldTables(service, book.venue))[id] === '10!')
  })

  it('each screen of the evening shows a change within 1.5 s', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    const { page } = host
    await page.clock.install()
    await host.signIn(email)
    const { id } = await statusOf(book, 'Ana Costa')
    const moves = ['arrive', 'undoArrive'] as const
    const screens = [
      ...['/office/service', '/office/floor', '/office/grid', '/office/today'],
      ...['/office/today?view=floor', '/office/today?view=timeline', '/office/waitlist'],
    ]
    for (const [n, screen] of screens.entries()) {
      await host.open(screen)
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
      // The longest anybody waits: it happens just after a look.
      let looked = false
      const look = page.waitForResponse((one) => one.url().includes('seen=')).then(() => (looked = true))
      await eventually(async () => {
        await page.clock.runFor(20)
        return looked
      })
      await look
      const move = moves[n % 2] as (typeof moves)[number]
      if (screen === '/office/waitlist') await waits(book)
      else await book.act((work) => moveReservation(work, staff('host'), { id, move }))
      const renewed = page.waitForResponse((one) => one.url().includes('seen=') && one.status() === 200)
      await page.clock.runFor(1_500)
      await renewed
      await page.clock.resume()
    }
  })

  it('the pages of tables have no fault for axe, fit every screen, and are light', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    const { id } = await statusOf(book, 'Ana Costa')
    await host.open('/office/floor')
    const table = await host.page.locator('.tt .cover').first().getAttribute('href')
    const paths = ['/office/service', '/office/floor', `/office/bookings/${id}/table`, table ?? '']
    assert.deepEqual(await faultsOf(host, paths), [])
    for (const [width, height] of [
      [1280, 800],
      [1180, 820],
      [820, 1180],
      [390, 844],
    ] as const) {
      await host.page.setViewportSize({ width, height })
      await host.open('/office/floor')
      const box = await host.page.locator('.tt .cover').first().boundingBox()
      assert.ok(box && box.width >= 44 && box.height >= 44 && box.y + box.height < height, `${width}`)
    }
  })

  it('without script the floor is a plain list of rooms, and a table a page', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service, { javaScriptEnabled: false })
    await host.signIn(email)
    await host.open('/office/floor')
    await host.page.getByRole('heading', { name: 'Dining room' }).waitFor()
    await host.page.locator('.tt .cover', { hasText: 'Table 12' }).click()
    await host.page.locator('li', { hasText: 'Priya Raman' }).getByRole('button', { name: 'Seat' }).click()
    await host.reads(/Priya Raman, 3 guests: seated at 12\./)
    const { id } = await statusOf(book, 'Priya Raman')
    assert.equal((await heldTables(service, book.venue))[id], '12!')
  })
})
