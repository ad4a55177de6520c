import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { bookByStaff } from '../../../book/reservations/bookings.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { coveredIn } from '../check-page.ts'
import { withBrowser } from '../with-browser.ts'
import { fours, hostWithTables } from './host-with-tables.ts'

const tablet = { width: 1180, height: 820 }
const phone = { width: 390, height: 844 }
/** A finger’s width and the gap beside it. */
const nearPx = 60

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

describe('a question', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T23:00:30Z') // 19:00 in New York
  })

  const open = async () => {
    const tables = [{ label: '1', most: 2 }, ...fours('2', '3')]
    const opened = await hostWithTables(service, browser, tables)
    const okafor = await opened.book.booking('Confirmed', {
      guestName: 'Okafor',
      partySize: 4,
      time: '19:15',
    })
    return { ...opened, okafor }
  }
  const boxOf = async (page: Page, selector: string): Promise<Box> => {
    const box = await page.locator(selector).first().boundingBox()
    assert.ok(box, selector)
    return box
  }
  /** The pixels between the question on screen and where the press was, and what covers the question. */
  const isAskedAt = async (page: Page, words: RegExp, press: Box, what: string): Promise<void> => {
    const question = page.locator('#said > .asks')
    await question.filter({ hasText: words }).waitFor()
    await isNear(page, '#said > .asks', press, what)
    await question.getByRole('button', { name: 'Never mind' }).click()
    await question.waitFor({ state: 'detached' })
  }
  const isNear = async (page: Page, asked: string, press: Box, what: string): Promise<void> => {
    const box = await boxOf(page, asked)
    const apart = (a: number, aSize: number, b: number, bSize: number) =>
      Math.max(0, b - (a + aSize), a - (b + bSize))
    const far = Math.max(
      apart(press.x, press.width, box.x, box.width),
      apart(press.y, press.height, box.y, box.height),
    )
    assert.ok(far <= nearPx, `${what}: ${far} px away, ${JSON.stringify({ press, box })}`)
    assert.deepEqual(await coveredIn(page, asked), [], what)
  }
  const tooSmall = /Table 1 seats 1–2; this is a party of 4/

  it('is asked where a party was dropped, on the floor and on the grid', async () => {
    const { book, host, page, okafor } = await open()
    await host.open('/office/floor')
    const [one] = await book.query(`select id from dining_table where venue_id = $1 and label = '1'`, [
      book.venue.id,
    ])
    const table = page.locator(`.tt[data-table="${Number(one?.['id'])}"]`)
    await page.locator(`#b${okafor}`).dragTo(table)
    const at = await table.boundingBox()
    assert.ok(at)
    await isAskedAt(page, tooSmall, at, 'floor')

    await host.open('/office/grid')
    const block = await boxOf(page, `.blk[data-id="${okafor}"]`)
    const row = await boxOf(page, '.g-row[data-label="1"]')
    const drop = { x: block.x + 20, y: row.y + row.height / 2, width: 1, height: 1 }
    await page.mouse.move(block.x + 20, block.y + 20)
    await page.mouse.down()
    await page.mouse.move(block.x + 32, block.y + 20)
    await page.mouse.move(drop.x, drop.y, { steps: 4 })
    await page.mouse.up()
    await isAskedAt(page, tooSmall, drop, 'grid')
  })

  it('is asked at the sizes of who walks in, and in the booking sheet at its button', async () => {
    const { book, host, page } = await open()
    const party = { guestName: 'Li Zhao', partySize: 2, email: null, phone: null, notes: null }
    const faster = (time: string, label: string) =>
      book.act(async (work) => {
        const [row] = await book.query(
          'select id::int from dining_table where venue_id = $1 and label = $2',
          [book.venue.id, label],
        )
        const tables = [Number(row?.['id'])]
        return bookByStaff(work, staff('host'), { ...party, ...book.when('2026-10-06', time), tables })
      })
    for (const size of [tablet, phone]) {
      await page.setViewportSize(size)
      await book.query(`delete from reservation where venue_id = $1 and guest_name = 'Li Zhao'`, [
        book.venue.id,
      ])
      await host.open('/office/service?list=waiting')
      await page.getByRole('button', { name: 'Party of 2', exact: true }).click()
      const seat = page.locator('#pad-answer').getByRole('button', { name: /^Seat 2 at 1/ })
      await seat.waitFor()
      await faster('19:00', '1')
      const at = await seat.boundingBox()
      await seat.click()
      const question = page
        .getByText(/Table 1 is taken by Li Zhao/)
        .filter({ visible: true })
        .first()
      await question.waitFor()
      assert.ok(at)
      await isNear(page, '#pad-answer .reasons', at, `${size.width}`)
    }
    await page.setViewportSize(tablet)
    await host.open('/office/service')
    await page.keyboard.press('n')
    const sheet = page.locator('#sheet-over')
    await sheet.getByLabel('Guests').fill('4')
    await sheet.locator('.time', { hasText: '9:30 PM' }).click()
    const looked = page.waitForResponse(/bookings\/reasons\?.*table=\d/)
    await sheet.locator('#table-picks label', { hasText: '3' }).last().click()
    await (await looked).finished()
    await sheet.getByLabel('Name', { exact: true }).fill('Ana Costa')
    await faster('21:30', '3')
    const button = sheet.getByRole('button', { name: 'Book', exact: true })
    const press = await button.boundingBox()
    await button.click()
    const said = sheet.getByText(/Table 3 is taken by Li Zhao/).first()
    await said.waitFor()
    assert.ok(press)
    await isNear(page, '#send .against', press, 'sheet')
  })

  for (const [name, size, isByKey] of [
    ['tablet', tablet, false],
    ['tablet, by keys', tablet, true],
    ['phone', phone, false],
  ] as const)
    it(`is asked at the press in the choice of a table, and at an Undo, on a ${name}`, async () => {
      const { book, host, page, okafor } = await open()
      await page.setViewportSize(size)
      await host.open('/office/service?list=arriving')
      await page.locator(`#t${okafor}`).click()
      await page.locator('#pick summary').first().click()
      await page.locator('#pick .pick-box', { hasText: /^\s*1/ }).locator('input').check()
      const seat = page.getByRole('button', { name: 'Seat at the checked tables' })
      await seat.scrollIntoViewIfNeeded()
      const at = await seat.boundingBox()
      assert.ok(at)
      await (isByKey ? seat.press('Enter') : seat.click())
      await isAskedAt(page, tooSmall, at, 'choice')

      // Cancelled by mistake, and the table is somebody else's before the Undo.
      const tables = await book.query(
        'select t.table_id::int as id from reservation_table t where t.reservation_id = $1',
        [okafor],
      )
      await page
        .locator(`#b${okafor}`)
        .getByRole('button', { name: /^More for/ })
        .click()
      await page.locator(`#b${okafor}-cancel-guest`).click()
      await host.reads(/Okafor, 4 guests: cancelled for the guest\./)
      await book.act((work) =>
        bookByStaff(work, staff('host'), {
          ...{ guestName: 'Li Zhao', partySize: 3, email: null, phone: null, notes: null },
          ...book.when('2026-10-06', '19:30'),
          tables: tables.map(({ id }) => Number(id)),
        }),
      )
      // Also where the Undo was left by another page.
      if (isByKey) await host.open('/office/service')
      const undo = page.locator('#said').getByRole('button', { name: 'Undo', exact: true })
      const button = await undo.boundingBox()
      assert.ok(button)
      await (isByKey ? page.keyboard.press('u') : undo.click())
      await page.locator('#said > .asks', { hasText: 'undo anyway?' }).waitFor()
      if (isByKey)
        assert.match(String(await page.evaluate('document.activeElement.textContent')), /Undo anyway/)
      await isAskedAt(page, /undo anyway\?/, button, 'undo')
    })
})
