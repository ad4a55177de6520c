import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBrowser, Visitor } from '../browser.ts'
import { coveredIn } from '../check-page.ts'
import { type FullHouse, openFullHouse } from './full-house.ts'
import { phone, pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

const tablet = { width: 1180, height: 820 }

describe('what only a press brings into sight on the other screens of the evening', () => {
  let house: FullHouse
  let browser: TestBrowser
  withBrowser(openFullHouse, (opened) => {
    ;[house, browser] = opened
  })

  it('is covered by nothing and covers nothing that is pressed with it, on a tablet and on a phone', async () => {
    const host = await browser.visitor(house.service)
    const { email, password } = house.signIn('manager')
    await host.signIn(email, password)
    const { page } = host
    const found: string[] = []
    for (const size of [tablet, phone]) {
      await page.setViewportSize(size)
      const look = async (what: string, part: string) => {
        await page.locator(part).first().waitFor()
        await pictureOf(page, `/covered-${what.replaceAll(' ', '-')}.${size.width}`)
        const faults = await coveredIn(page, part)
        found.push(...faults.map((one) => `${size.width} ${what}: ${one}`))
      }

      await host.open('/office/floor')
      await look('floor with the practice banner', '.lintel')
      for (const room of ['Bar', 'Dining room']) {
        await page.locator('.rooms a', { hasText: room }).click()
        found.push(...(await labelsCovered(page)).map((one) => `${size.width} table ${one}`))
      }
      await page.locator('.room.shown .tt .cover').first().click()
      await look('table that is taken', '#pick:popover-open')
      await page.keyboard.press('Escape')
      await page.locator('.room.shown .tt.free .cover').first().click()
      await look('table that is free', '#pick:popover-open')
      await page.keyboard.press('Escape')

      await page.context().setOffline(true)
      await host.reads(/No connection: what you see is from/)
      await look('network lost on the floor', '.lintel')
      await page.context().setOffline(false)

      await host.open('/office/service')
      await page.keyboard.press('?')
      await look('keys', '#keys[open]')
      await page.keyboard.press('Escape')
      await page.getByLabel('Find a party or a guest').fill('ma')
      await page.locator('#found a').first().waitFor()
      await look('what a search found', '#found')
      await look('the band over it', '.lintel .button')
      await page.keyboard.press('Escape')
      if (size.width < 700) {
        await page.locator('.rail .all > summary').click()
        await look('more places', '.rail')
      }

      // Over the page where there is room, else a page of its own.
      const sheet = size.width < 700 ? 'main .sheet' : '#sheet-over[open]'
      await host.open('/office/service')
      await page.locator('.lintel a[href="/office/bookings/new"]').click()
      await look('a new booking', sheet)
      await page.locator(`${sheet} input[name="guestName"]`).fill('Ma')
      await look('a guest who is found in it', sheet)

      await host.open('/office/line-up')
      await page.locator('.hand-over > summary').first().click()
      await look('a section to hand over', '#now')
    }
    // What the browser and htmx say of a look that nothing answered.
    const expected = /ERR_INTERNET_DISCONNECTED|Failed to fetch/
    assert.deepEqual(
      host.complaints().filter((one) => !expected.test(one)),
      [],
    )
    assert.deepEqual(found, [])
  })

  it('would be found: a banner that lies over the search and the walk-in', async () => {
    const host = await browser.visitor(house.service)
    const { email, password } = house.signIn('host')
    await host.signIn(email, password)
    await host.page.setViewportSize(tablet)
    await host.open('/office/floor')
    assert.deepEqual(await coveredIn(host.page, '.lintel'), [])
    await host.page.locator('.practice').evaluate((banner) => {
      banner.style.cssText = 'position: fixed; inset: 0 0 auto; height: 80px; z-index: 99'
    })
    const found = (await coveredIn(host.page, '.lintel')).join()
    for (const one of ['id="find"', 'walk-in-link']) assert.ok(found.includes(one), found)
  })
})

/** Labels of tables that who serves there, or how many it seats, is drawn over. */
const labelsCovered = (page: Visitor['page']): Promise<string[]> =>
  page.locator('.room.shown .tt').evaluateAll((tables) =>
    tables
      .filter((table) => {
        const [label, seats] = ['b', '.seats'].map((part) => {
          const range = table.ownerDocument.createRange()
          range.selectNodeContents(table.querySelector(part))
          range.setStartAfter(table.querySelector(`${part} .hidden-text`))
          return range.getBoundingClientRect()
        })
        return label.right > seats.left + 1 && label.bottom > seats.top + 1 && seats.bottom > label.top + 1
      })
      .map((table) => table.querySelector('b').textContent),
  )
