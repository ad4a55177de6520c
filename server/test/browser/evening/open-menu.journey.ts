import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, dinner, openBook, staff } from '../../../book/reservations/test/book.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

describe('the lists of the evening while the menu of a row is open', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  /** Four parties who are due, and the ids of their bookings by their names. */
  const open = async (): Promise<{ book: TestBook; host: Visitor; ids: Record<string, number> }> => {
    service.setClock('2026-10-06T23:00:00Z') // 19:00 in New York
    const book = await openBook(service, dinner())
    const ids: Record<string, number> = {}
    for (const guestName of ['Ana Costa', 'Bo Reyes', 'Cy Moss', 'Di Lund'])
      ids[guestName] = await book.booking('Confirmed', { guestName, time: '19:00' })
    const host = await browser.visitor(service)
    await host.signIn((await staffOf(service, book.venue, 'host')).email)
    return { book, host, ids }
  }
  /** Another host's press. */
  const presses = (book: TestBook, id: number | undefined, move: 'arrive' | 'seat' | 'complete') =>
    book.act((work) => moveReservation(work, staff('host'), { id: id ?? 0, move }))
  const menuOf = async ({ page }: Visitor, list: string, name: string) => {
    const row = page.locator(`#${list} .list-rows > ul > .row`, { hasText: name })
    await row.locator('.row-more').click()
    const menu = row.locator('.row-menu:popover-open')
    await menu.waitFor()
    return menu
  }

  for (const [browsers, isMoving] of [
    ['a browser that moves a row with its menu open', true],
    ['one that closes the menu then', false],
  ] as const) {
    it(`they renew themselves around it, and it stays open: in ${browsers}`, async () => {
      const { book, host, ids } = await open()
      const { page } = host
      if (!isMoving) await page.addInitScript('delete Element.prototype.moveBefore')
      await host.open('/office/service')
      const menu = await menuOf(host, 'arriving', 'Cy Moss')
      await menu.evaluate((one) => {
        Object.assign(one, { isSame: true })
      })
      await presses(book, ids['Ana Costa'], 'seat')
      await page.locator('#seated .row', { hasText: 'Ana Costa' }).waitFor()
      await presses(book, ids['Di Lund'], 'arrive')
      await page.locator('#waiting .row', { hasText: 'Di Lund' }).waitFor()
      service.setClock('2026-10-06T23:07:00Z')
      await page.locator('#clock', { hasText: '7:07' }).waitFor()
      assert.equal(await menu.evaluate((one) => 'isSame' in one), true, 'the same menu')
      assert.equal(await page.locator('.row-menu:popover-open').count(), 1)
      await menu.getByRole('button', { name: 'Here', exact: true }).click()
      await page.locator('#waiting .row', { hasText: 'Cy Moss' }).waitFor()
      assert.equal(await page.locator('.row-menu:popover-open').count(), 0)
      assert.deepEqual(host.complaints(), [])
    })

    it(`a row that another host takes elsewhere keeps its place until its menu closes: in ${browsers}`, async () => {
      const { book, host, ids } = await open()
      const { page } = host
      if (!isMoving) await page.addInitScript('delete Element.prototype.moveBefore')
      await host.open('/office/service')
      await presses(book, ids['Ana Costa'], 'seat')
      await page.locator('#seated .row', { hasText: 'Ana Costa' }).waitFor()
      // The only row of a list, which has no rows any more once it is gone.
      const menu = await menuOf(host, 'seated', 'Ana Costa')
      await presses(book, ids['Ana Costa'], 'complete')
      await presses(book, ids['Bo Reyes'], 'arrive')
      await page.locator('#waiting .row', { hasText: 'Bo Reyes' }).waitFor()
      await menu.waitFor()
      assert.equal(await page.locator('#seated .list-rows > ul > .row', { hasText: 'Ana Costa' }).count(), 1)
      await page.keyboard.press('Escape')
      await page.locator('#seated .list-rows > ul > .row').waitFor({ state: 'detached' })
      assert.deepEqual(host.complaints(), [])
    })
  }

  it('what the row missed is there as soon as its menu closes, though nothing else changes any more', async () => {
    const { book, host, ids } = await open()
    const { page } = host
    await host.open('/office/service')
    await menuOf(host, 'arriving', 'Cy Moss')
    await presses(book, ids['Cy Moss'], 'arrive')
    await presses(book, ids['Bo Reyes'], 'arrive')
    await page.locator('#waiting .row', { hasText: 'Bo Reyes' }).waitFor()
    assert.equal(await page.locator('#arriving .row', { hasText: 'Cy Moss' }).count(), 1)
    await page.keyboard.press('Escape')
    await page.locator('#waiting .row', { hasText: 'Cy Moss' }).waitFor()
    assert.deepEqual(host.complaints(), [])
  })
})
