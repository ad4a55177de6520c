import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestBook, dinner, openBook } from '../../../book/reservations/test/book.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

/** Tuesday 6 October 2026, 18:40 in New York. */
const evening = '2026-10-06T22:40:00Z'

describe('a host’s evening', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  /** A book with a request, a party that is due, one that never came, and a slot at 19:30 that is all but full. */
  const openHouse = async (): Promise<{ book: TestBook; email: string }> => {
    const rules = dinner({ pacing: { intervalMinutes: 15, maxCovers: 6, maxParties: null } })
    const book = await openBook(service, rules)
    await book.booking('Requested', { time: '19:00', guestName: 'Maya Okafor' })
    await book.booking('Confirmed', { time: '18:30', guestName: 'Ben Iyer', partySize: 4 })
    await book.booking('Confirmed', { time: '17:30', guestName: 'Noor Haddad' })
    await book.booking('Confirmed', { time: '19:30', guestName: 'Lena Fuchs', partySize: 5 })
    const { email } = await staffOf(service, book.venue, 'host')
    return { book, email }
  }
  const statusOf = async (book: TestBook, name: string) => {
    const [row] = await book.query('select status from reservation where venue_id = $1 and guest_name = $2', [
      book.venue.id,
      name,
    ])
    return row?.status
  }

  for (const script of [true, false]) {
    it(`goes from the request to the last guest ${script ? 'on one page that stays' : 'without script'}`, async () => {
      const { book, email } = await openHouse()
      const host = await browser.visitor(service, { javaScriptEnabled: script })
      await host.signIn(email)
      await host.open('/office/today')
      await host.reads('Needs an answer')
      const { page } = host

      await pressIn(host, 'Maya Okafor', 'Confirm', /Maya Okafor, 2 guests: confirmed for/)
      await pressIn(host, 'Ben Iyer', 'Arrived', 'Ben Iyer, 4 guests: here.')
      await pressIn(host, 'Ben Iyer', 'Seat', 'Ben Iyer, 4 guests: seated.')
      assert.equal(await statusOf(book, 'Ben Iyer'), 'Seated')

      await page.getByRole('link', { name: 'Floor', exact: true }).click()
      await pressIn(host, 'Ben Iyer', '→ Ordered', 'Ben Iyer, 4 guests: ordered.')
      await page.getByRole('link', { name: 'List', exact: true }).click()
      await pressIn(host, 'Ben Iyer', 'Done: they left', 'Ben Iyer, 4 guests: left.')
      await pressIn(host, 'Noor Haddad', 'No-show', 'Noor Haddad, 2 guests: marked as a no-show.')
      assert.equal(await statusOf(book, 'Noor Haddad'), 'No-show')
      await host.press('Undo')
      await host.reads('Noor Haddad, 2 guests: expected again.')
      assert.equal(await statusOf(book, 'Noor Haddad'), 'Confirmed')

      await page.getByRole('link', { name: 'Walk-in' }).click()
      await page.getByRole('button', { name: 'Party of 3', exact: true }).click()
      await host.reads('7 of 6')
      await page.getByLabel('Name of the walk-in').fill('Ana Costa')
      await host.press('Seat anyway')
      await host.reads('Ana Costa, 3 guests: seated.')
      assert.equal(await statusOf(book, 'Ana Costa'), 'Seated')
    })

    it(`books by phone with reasons and a knowing override ${script ? 'while typing' : 'without script'}`, async () => {
      const { book, email } = await openHouse()
      const host = await browser.visitor(service, { javaScriptEnabled: script })
      await host.signIn(email)
      await host.page.getByRole('link', { name: 'New booking' }).click()
      if (script) await host.page.locator('#sheet-over').waitFor()
      else await host.page.waitForURL(/bookings\/new/)
      await host.fill('Name', 'Omar Diaz')
      await host.fill('Guests', '3')
      await host.fill('Time', '7:30 pm')
      if (script) {
        // The reason is there before anything is sent, and goes when the time is another.
        await host.reads('8 of 6 guests with this party')
        await host.fill('Time', '19:45')
        await host.reads('3 of 6 guests with this party')
        await host.fill('Time', '19:30')
        await host.reads('8 of 6 guests with this party')
      } else {
        await host.press('Book')
        await host.reads('8 of 6')
      }
      const plain = host.page.getByRole('button', { name: 'Book', exact: true })
      const anyway = host.page.getByRole('button', { name: 'Book anyway' })
      assert.equal(await plain.count(), 0, 'only the knowing override is offered')
      assert.equal(await statusOf(book, 'Omar Diaz'), undefined, 'asked first')
      // It takes no press that was meant for the button it has just replaced: a hand presses again.
      await eventually(async () => {
        if ((await statusOf(book, 'Omar Diaz')) !== undefined) return true
        await anyway.click({ timeout: pressedAgainMs })
        return false
      })
      await host.reads(/Omar Diaz, 3 guests at 7:30\sPM( on .*)?(, table \S+)?: booked\./)
      assert.equal(await statusOf(book, 'Omar Diaz'), 'Confirmed')
    })

    it(`takes a party from the line to its table ${script ? '' : 'without script'}`, async () => {
      const { book, email } = await openHouse()
      const host = await browser.visitor(service, { javaScriptEnabled: script })
      await host.signIn(email)
      await host.open('/office/waitlist')
      await host.fill('Guests', '2')
      await host.fill('Name', 'Ivy Chen')
      await host.press('Add to waitlist')
      await host.reads('Ivy Chen, 2 guests: on the waitlist, quoted 10 minutes.')
      await pressIn(host, 'Ivy Chen', 'Page', 'Ivy Chen, 2 guests: paged')
      await pressIn(host, 'Ivy Chen', 'Seat now', 'Ivy Chen, 2 guests: seated.')
      await eventually(async () => (await statusOf(book, 'Ivy Chen')) === 'Seated')
    })
  }

  it('shows a move on a second tablet by itself, in the book, on the floor and in line', async () => {
    const { email } = await openHouse()
    const [one, two] = [await browser.visitor(service), await browser.visitor(service)]
    for (const host of [one, two]) await host.signIn(email)
    await one.open('/office/waitlist')
    for (const name of ['Ivy Chen', 'Ola Berg']) {
      await one.fill('Name', name)
      await one.press('Add to waitlist')
      await one.reads(`${name}, 2 guests: on the waitlist`)
    }
    const move = async (name: string, button: string, seen: string) => {
      const there = rowOf(two, name).getByText(seen).first().waitFor()
      await rowOf(one, name).getByRole('button', { name: button, exact: true }).first().click()
      await there
    }
    const both = async (path: string) => {
      for (const host of [one, two]) await host.open(path)
    }
    await both('/office/today')
    await move('Maya Okafor', 'Confirm', 'Confirmed')
    await move('Ben Iyer', 'Arrived', 'Here since')
    await move('Lena Fuchs', 'Seat', 'Seated')
    await both('/office/today?view=floor')
    await move('Lena Fuchs', '→ Ordered', 'Ordered')
    await move('Ben Iyer', 'Seat', '0 min')
    await both('/office/waitlist')
    await move('Ivy Chen', 'Page', 'Paged')
    await move('Ola Berg', 'Page', 'Paged')
  })

  it('on a phone the first bookings are in sight, and every place is behind "More"', async () => {
    const { email } = await openHouse()
    const host = await browser.visitor(service, { viewport: { width: 390, height: 844 } })
    await host.signIn(email)
    await host.open('/office/today')
    const { page } = host
    const box = await page.locator('#book > .bookings .booking').first().boundingBox()
    assert.ok(box && box.y + box.height < 640, `the first booking ends at ${box && box.y + box.height}`)
    await page.getByRole('link', { name: /^Answer/ }).click()
    await pressIn(host, 'Maya Okafor', 'Confirm', /Maya Okafor, 2 guests: confirmed for/)
    // The result of a press is shown above the bar, so that the bar can be pressed.
    const said = await page.locator('.said-box').boundingBox()
    const bar = await page.getByRole('navigation', { name: 'Places' }).boundingBox()
    assert.ok(said && bar && said.y + said.height <= bar.y)
    await page.getByRole('navigation', { name: 'Places' }).getByText('More', { exact: true }).click()
    await page.locator('.all').getByRole('link', { name: 'Tickets' }).click()
    await page.waitForURL(/office\/tickets/)
    await host.open('/office/today')
    await page.getByRole('link', { name: 'Walk-in' }).click()
    await page.getByRole('button', { name: 'Party of 2', exact: true }).click()
    await page.getByRole('button', { name: /^Seat 2/ }).click()
    await host.reads(/A walk-in, 2 guests: seated/)
  })

  it('on a phone the evening opens with who is expected while nobody waits, even if somebody did not come back', async () => {
    const { book, email } = await openHouse()
    await book.query(
      `insert into waitlist_entry (venue_id, guest_name, party_size, date, service_date, status, source, created_at, updated_at)
       values ($1, 'Jason', 4, '2026-10-06', '2026-10-06', 'expired', 'staff', $2, $2)`,
      [book.venue.id, '2026-10-06T18:00:00Z'],
    )
    const host = await browser.visitor(service, { viewport: { width: 390, height: 844 } })
    await host.signIn(email)
    await host.open('/office/service')
    await host.reads('Ben Iyer')
    assert.equal(await host.page.locator('[data-list="arriving"][aria-current]').count(), 1)
  })

  it('on a phone a chart that goes on beyond the edge shows so there, and only there', async () => {
    const { email } = await openHouse()
    const host = await browser.visitor(service, { viewport: { width: 390, height: 844 } })
    await host.open('/office')
    await host.signIn(email)
    await host.open('/office/today?view=timeline')
    const shades = await host.page.evaluate<unknown>(`(() => {
      const chart = document.querySelector('.slots')
      const { backgroundImage, backgroundAttachment } = getComputedStyle(chart)
      return {
        goesOn: chart.scrollWidth > chart.clientWidth,
        drawn: backgroundImage.match(/linear-gradient/g)?.length,
        backgroundAttachment,
      }
    })()`)
    // Two covers that move with the chart, over two shades that stay at the edges.
    assert.deepEqual(shades, {
      goesOn: true,
      drawn: 4,
      backgroundAttachment: 'local, local, scroll, scroll',
    })
  })

  it('says that a page is stale, and overwrites nothing', async () => {
    const { book, email } = await openHouse()
    const stale = await browser.visitor(service, { javaScriptEnabled: false })
    await stale.signIn(email)
    await stale.open('/office/today')
    const other = await browser.visitor(service)
    await other.signIn(email)
    await other.open('/office/today')
    await pressIn(other, 'Ben Iyer', 'Seat', 'Ben Iyer, 4 guests: seated.')
    await rowOf(stale, 'Ben Iyer').getByRole('button', { name: 'Arrived' }).click()
    await stale.reads(
      'The booking of Ben Iyer has changed: it is now Seated, 4 guests at 6:30 PM on Tuesday, October 6.',
    )
    assert.equal(await statusOf(book, 'Ben Iyer'), 'Seated')
  })
})

/** The row of a party, in the list, on the floor or in line. */
const rowOf = ({ page }: Visitor, name: string) => page.locator('li', { hasText: name }).first()

/** A button that takes no press for so long is pressed again. */
const pressedAgainMs = 1_000

/**
 * Presses a button of a party and waits until the page says what came of it. The row rests for a moment after each
 * renewal, so a press that came too soon is made again, as a hand would.
 */
const pressIn = async (
  visitor: Visitor,
  name: string,
  button: string,
  says: string | RegExp,
): Promise<void> => {
  const pressed = rowOf(visitor, name).getByRole('button', { name: button, exact: true }).first()
  const sentence = visitor.page.getByText(says).filter({ visible: true })
  await eventually(async () => {
    if ((await sentence.count()) > 0) return true
    if (await pressed.isEnabled({ timeout: pressedAgainMs })) await pressed.click({ timeout: pressedAgainMs })
    return false
  })
}
