import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'
import { fours, hostWithTables } from './host-with-tables.ts'

describe('small presses of an evening in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  const open = async () => {
    service.setClock('2026-10-06T23:00:30Z') // 19:00 in New York
    const opened = await hostWithTables(service, browser, fours('1', '2', '3'))
    const { book } = opened
    await book.booking('Requested', { guestName: 'Rita Okafor', partySize: 2, time: '20:00' })
    await book.booking('Confirmed', { guestName: 'Ana Costa', partySize: 2, time: '19:00' })
    return opened
  }

  it('Escape closes a strip, and the keyboard is at its summary again', async () => {
    const { host, page } = await open()
    await host.open('/office/service')
    await page.locator('#requests > summary').click()
    await page.locator('#requests[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#requests:not([open])').waitFor()
    assert.equal(await page.evaluate('document.activeElement.parentElement.id'), 'requests')
  })

  it('the undo of a press is there after other pages, and does it without leaving the page', async () => {
    const { host, page } = await open()
    await host.open('/office/service')
    await page
      .locator('.row', { hasText: 'Ana Costa' })
      .first()
      .getByRole('button', { name: /^Seat/ })
      .first()
      .click()
    await host.reads(/Ana Costa, 2 guests: seated at/)
    await host.open('/office/floor')
    await host.open('/office/grid')
    await host.open('/office/floor')
    await page.locator('#said').getByRole('button', { name: 'Undo' }).click()
    await host.reads(/Ana Costa, 2 guests: seating undone/)
    assert.equal(new URL(page.url()).pathname, '/office/floor')
  })

  /** Three parties that sit, at a screen whose clock moves only as the test says: however slow the machine, presses are a moment apart. */
  const threeSeated = async () => {
    const { book, host, page } = await open()
    for (const guestName of ['Bo Reyes', 'Cy Moss'])
      await book.booking('Confirmed', { guestName, partySize: 2, time: '19:00' })
    await book.query(
      `update reservation set status = 'Seated', seated_at = $2, checked_in_at = $2 where venue_id = $1 and status = 'Confirmed'`,
      [book.venue.id, '2026-10-06T22:50:00Z'],
    )
    await page.clock.install()
    await host.open('/office/service')
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const done = async (name: string) => {
      const row = page.locator('#seated .row', { hasText: name })
      await row.locator('.row-more').click()
      await row.locator('.row-menu').getByRole('button', { name: /^Done/ }).click()
      await host.reads(new RegExp(`${name}, 2 guests: left`))
    }
    return { book, page, done }
  }

  it('a press in a menu that was opened since the last press is done, though all menus lie at one place', async () => {
    const { page, done } = await threeSeated()
    await done('Ana Costa')
    await page.clock.runFor(200)
    await done('Bo Reyes')
  })

  /** Two taps at one place, so many milliseconds apart on a screen whose clock the test moves. */
  const tapTwice = async (page: Page, button: Locator, apart: number, done: () => Promise<void>) => {
    const box = await button.boundingBox()
    assert.ok(box)
    const tap = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await tap()
    await done()
    await page.clock.runFor(apart)
    await tap()
  }

  it('a second tap on a button that says something else by then does nothing: the next stage waits until it can have been read', async () => {
    for (const apart of [700, 1_000, 1_300, 1_900]) {
      const { book, page } = await threeSeated()
      const row = page.locator('#seated .row', { hasText: 'Ana Costa' })
      const next = row.locator('.row-go button')
      await tapTwice(page, next, apart, () => row.getByRole('button', { name: 'Serve starters' }).waitFor())
      // The next look of the screen, too, leaves it so.
      assert.equal(await next.getAttribute('aria-disabled'), 'true', `${apart}`)
      const stage = async () =>
        (
          await book.query(
            `select floor_stage from reservation where venue_id = $1 and guest_name = 'Ana Costa'`,
            [book.venue.id],
          )
        )[0]?.['floor_stage']
      assert.equal(await stage(), 'Ordered', `${apart}`)
      await page.clock.runFor(2_100 - apart)
      await next.click()
      await row.getByRole('button', { name: 'Serve entrées' }).waitFor()
      assert.equal(await stage(), 'Starters', `${apart}`)
    }
  })

  it('a second tap on Page does not seat a party that is not there, and one on Undo does not do again what was undone', async () => {
    const { book, host, page } = await open()
    await host.open('/office/service?size=2')
    await page.locator('#pad-answer').getByLabel('Name of the walk-in').fill('Pia Long')
    await page.getByRole('button', { name: /^Wait, quote/ }).click()
    await host.reads(/on the waitlist/)
    await page.clock.install()
    await host.open('/office/service')
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const row = page.locator('#waiting .row', { hasText: 'Pia Long' })
    const seat = row.getByRole('button', { name: 'Seat', exact: true }).first()
    await tapTwice(page, row.locator('.row-go button'), 1_400, () => seat.waitFor())
    assert.equal(await seat.getAttribute('aria-disabled'), 'true')
    const undo = page.locator('#said').getByRole('button', { name: 'Undo' })
    await tapTwice(page, undo, 1_400, () => page.locator('#said').getByText('still waiting').waitFor())
    await page.clock.runFor(1_000)
    await row.getByRole('button', { name: 'Page', exact: true }).click()
    await seat.waitFor()
    const done = await book.query(
      `select action from activity where venue_id = $1 and record_kind = 'waitlist_entry' order by id`,
      [book.venue.id],
    )
    assert.deepEqual(
      done.map(({ action }) => action),
      ['join', 'page', 'notYet', 'page'],
    )
  })

  it('two rows that leave one after the other both keep their places, and the Undo is in the last one’s', async () => {
    const { book, page, done } = await threeSeated()
    await done('Ana Costa')
    await page.clock.runFor(700)
    await done('Bo Reyes')
    const places = page.locator('#seated .stand-in')
    await places.nth(1).waitFor()
    assert.deepEqual(await places.allTextContents(), [
      'Ana Costa, 2 guests: left.',
      'Bo Reyes, 2 guests: left.Undo',
    ])
    await page.clock.runFor(1_400)
    assert.deepEqual(await places.allTextContents(), ['Bo Reyes, 2 guests: left.Undo'])
    await places.getByRole('button', { name: 'Undo' }).click()
    await page.locator('#seated .row', { hasText: 'Bo Reyes' }).waitFor()
    assert.equal(await places.count(), 0)
    const status = await book.query(
      `select guest_name, status from reservation where venue_id = $1 and status in ('Seated', 'Completed') order by 1`,
      [book.venue.id],
    )
    assert.deepEqual(status.map(Object.values), [
      ['Ana Costa', 'Completed'],
      ['Bo Reyes', 'Seated'],
      ['Cy Moss', 'Seated'],
    ])
  })

  it('the minutes of an overdue wait are as red as those of the row around them', async () => {
    const { book, host, page } = await open()
    await host.open('/office/service?size=2')
    await page.locator('#pad-answer').getByLabel('Name of the walk-in').fill('Over Due')
    await page.getByRole('button', { name: /^Wait, quote/ }).click()
    await host.reads(/on the waitlist/)
    await book.query(
      `update waitlist_entry set quoted_minutes = 10, quoted_at = $2, created_at = $2 where venue_id = $1`,
      [book.venue.id, '2026-10-06T22:20:00Z'],
    )
    await host.open('/office/service')
    const colors = await page.evaluate<string[]>(
      `['.row-when .bad [data-next]', '.row-when .bad', '.row-fact'].map((one) =>
        getComputedStyle(document.querySelector('#waiting ' + one)).color)`,
    )
    assert.equal(colors[0], colors[1])
    assert.notEqual(colors[0], colors[2])
  })

  it('a block of the grid that is cut at the left keeps its size and its name apart', async () => {
    const { book, host, page } = await open()
    await book.query(
      `update reservation set status = 'Completed', seated_at = starts_at - interval '1 hour', completed_at = $2 where venue_id = $1 and status = 'Confirmed'`,
      [book.venue.id, '2026-10-06T23:00:00Z'],
    )
    await page.setViewportSize({ width: 820, height: 1180 })
    await host.open('/office/grid')
    await page.locator('.blk.done', { hasText: 'Ana Costa' }).waitFor()
    for (const left of [40, 25, 15]) {
      const lies = await page.evaluate<{ size: number; name: number; moved: boolean }>(`(() => {
        const [grid, block, first] = ['.g', '.g .blk.done', '.g .g-t'].map((one) => document.querySelector(one))
        grid.scrollLeft += block.getBoundingClientRect().right - first.getBoundingClientRect().right - ${left}
        const name = [...block.querySelectorAll('span')].find(({ innerText, children }) => innerText === 'Ana Costa' && children.length === 0)
        return {
          size: block.querySelector('b').getBoundingClientRect().right,
          name: name.getBoundingClientRect().left,
          moved: grid.scrollLeft > 0,
        }
      })()`)
      assert.ok(lies.moved)
      assert.ok(lies.size <= lies.name, `${left}: ${JSON.stringify(lies)}`)
    }
  })
})
