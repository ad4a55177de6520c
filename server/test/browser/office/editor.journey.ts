import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dinner, openBook } from '../../../book/reservations/test/book.ts'
import { type TestTable, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import { type TestBrowser, openBrowser } from '../browser.ts'
import { faultsByAxe, sidewaysScroll, unfold } from '../check-page.ts'
import { faultsOf, pictureOf } from '../look-at-pages.ts'

const floor: readonly TestTable[] = Array.from({ length: 8 }, (_, n) => ({
  label: String(n + 11),
  most: n < 4 ? 2 : 4,
  shape: n % 3 === 0 ? 'round' : 'square',
  x: (n % 4) * 4,
  y: Math.floor(n / 4) * 4,
}))
const path = '/office/settings/tables'

describe('the room editor in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), openBrowser()])
    service.setClock('2026-10-06T20:00:00Z')
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
    }
  })

  const open = async () => {
    const book = await openBook(service, dinner(tablesOf(floor)))
    const manager = await browser.visitor(service)
    const { email } = await staffOf(service, book.venue, 'manager')
    await manager.signIn(email)
    await manager.open(path)
    const { page } = manager
    const tile = (label: string) =>
      page.locator('#editor .tt').filter({ has: page.locator(`b:text-is("${label}")`) })
    const stored = async () =>
      book.query(
        `select label, x, y, least, most, features, online from dining_table
          where venue_id = $1 and removed_at is null order by length(label), label`,
        [book.venue.id],
      )
    return { book, email, manager, page, tile, stored }
  }

  it('a venue without tables begins with the drawing, not with lines', async () => {
    const book = await openBook(service, dinner())
    const manager = await browser.visitor(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    await manager.open(path)
    const { page } = manager
    assert.equal(await page.getByLabel('Tables (0)').isVisible(), false, 'the lines are folded away')
    const press = (name: string) => page.locator('#editor').getByRole('button', { name, exact: true }).click()
    await press('New table')
    await press('New table')
    await press('Save')
    await page.getByText('Tables saved.').waitFor()
    const stored = await book.query(
      'select label from dining_table where venue_id = $1 and removed_at is null',
      [book.venue.id],
    )
    assert.equal(stored.length, 2)
    assert.equal(await page.locator('#editor .tt').count(), 2)
  })

  it('closes a table on certain days by ticks, and the card is accessible and holds still', async () => {
    const { manager, page } = await open()
    const card = page.locator('#by-day')
    await card.locator('summary').click()
    await card.getByLabel('Room or table').selectOption('Table 12')
    await card.getByLabel('Monday').check()
    await card.getByLabel('Through').fill('2026-12-31')
    await card.getByRole('button', { name: 'Close on these days' }).click()
    await card.getByText('Table 12', { exact: true }).first().waitFor()
    assert.match((await card.textContent()) ?? '', /Mondays, through Thursday, December 31, 2026/)
    assert.deepEqual(await faultsOf(manager, [path]), [])
  })

  it('a table is dragged, several are moved by arrows, copied and aligned; undone or saved as one', async () => {
    const { book, manager, page, tile, stored } = await open()
    const ids = await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])
    const box = (await tile('11').boundingBox()) as { x: number; y: number; width: number; height: number }
    const step = (box.width + 4) / 4
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + step * 2, y + step * 8, { steps: 4 })
    await page.mouse.up()
    await manager.reads('Table 11')
    await tile('12').press('ArrowDown')
    await page.getByText('Table 12: column 5, row 2.').waitFor()
    await tile('13').click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Align top' }).click()
    await page.getByLabel('Fewest guests', { exact: true }).fill('2')
    await page.getByLabel('Features', { exact: true }).fill('window')
    await page.getByLabel('Features', { exact: true }).blur()
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByText('12+13 can be joined from now on').waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied as 19, 20.').waitFor()
    await pictureOf(page, '/editor')
    assert.deepEqual(await faultsByAxe(page), [])
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await page.locator('#editor .tt').count(), 8)
    await tile('14').click()
    await page.getByLabel('Label', { exact: true }).fill('14A')
    await page.getByLabel('Guests can book it online').uncheck()
    await page.locator('#editor').getByRole('button', { name: 'Save' }).click()
    await manager.reads('Tables saved.')
    const rows = await stored()
    const by = Object.fromEntries(rows.map((row) => [row.label, row]))
    assert.deepEqual([by['11']?.x, by['11']?.y], [2, 8])
    assert.deepEqual([by['12']?.y, by['13']?.y, by['13']?.least, by['13']?.features], [0, 0, 2, ['window']])
    assert.equal(by['14A']?.online, false)
    const after = await book.query('select id from dining_table where venue_id = $1 and label = $2', [
      book.venue.id,
      '14A',
    ])
    assert.equal(
      after[0]?.id,
      ids.find(({ label }) => label === '14')?.id,
      'the same table under another label',
    )
    const owner = await browser.visitor(service)
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    await owner.open('/office/activity')
    await owner.page.locator('summary', { hasText: 'fields' }).first().click()
    await owner.reads(/table 14:.*now 14A.*staff only/)
  })

  it('walls, doors and bars are drawn, moved and sized by keys and by drag, and the floor has them under its tables', async () => {
    const { book, manager, page } = await open()
    await turnTablesOn(service, book.venue)
    const press = (name: string) => page.locator('#editor').getByRole('button', { name, exact: true }).click()
    const part = (what: string) => page.locator(`#editor .canvas .drawn.part-${what}`)
    await press('Wall')
    await part('wall').focus()
    for (const key of ['ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key)
    await page.getByText('Wall: column 1, row 9, 10 by 1.').waitFor()
    await press('Door')
    await page.getByLabel('Wide, in steps').fill('3')
    await page.getByLabel('Wide, in steps').blur()
    await press('Bar')
    const box = await part('bar').boundingBox()
    const canvas = await page.locator('#editor .canvas').boundingBox()
    assert.ok(box && canvas)
    const step = canvas.width / 24
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + step * 5, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    const drawn = () =>
      book.query('select what, x, y, wide, high from room_part where venue_id = $1 order by id', [
        book.venue.id,
      ])
    assert.deepEqual(await drawn(), [], 'nothing is saved yet')
    await press('Save')
    await page.getByText('Tables saved.').waitFor()
    assert.deepEqual(await drawn(), [
      { what: 'wall', x: 0, y: 8, wide: 10, high: 1 },
      { what: 'door', x: 0, y: 9, wide: 3, high: 1 },
      { what: 'bar', x: 5, y: 10, wide: 6, high: 2 },
    ])
    await pictureOf(page, '/editor-drawn')
    for (const size of [
      { width: 1180, height: 820 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      await manager.open('/office/floor')
      assert.equal(await page.locator('.room .drawn.part-wall').isVisible(), size.width > 700)
      await pictureOf(page, `/floor-drawn.${size.width}`)
    }
    await page.setViewportSize({ width: 1180, height: 820 })
    // Tables grow to their pane: together with what is drawn they reach its foot.
    const [pane, bar] = await Promise.all([
      page.locator('.floor .list-rows').boundingBox(),
      page.locator('.room .drawn.part-bar').boundingBox(),
    ])
    assert.ok(pane && bar && pane.y + pane.height - (bar.y + bar.height) < 40, JSON.stringify([pane, bar]))
    assert.deepEqual(manager.complaints(), [])
    assert.deepEqual(await faultsOf(manager, ['/office/floor', path]), [])
  })

  it('asks before leaving what was arranged and not saved', async () => {
    const { manager, page, tile } = await open()
    await tile('15').press('ArrowRight')
    manager.answers('no')
    await page.getByRole('link', { name: 'Service', exact: true }).first().click()
    await page.getByText('column 2, row 5').first().waitFor({ state: 'attached' })
    assert.equal(new URL(page.url()).pathname, path)
    await page.locator('#editor').getByRole('button', { name: 'Save' }).click()
    await manager.reads('Tables saved.')
    await page.getByRole('link', { name: 'Service', exact: true }).first().click()
    await page.locator('#arriving').waitFor()
  })

  it('says so when somebody else saved first, and keeps what was arranged', async () => {
    const { book, manager, page, tile } = await open()
    await tile('15').press('ArrowRight')
    await book.query(`update dining_table set most = 6 where venue_id = $1 and label = '18'`, [book.venue.id])
    await page.locator('#editor').getByRole('button', { name: 'Save' }).click()
    await manager.reads(/Nothing was saved/)
    await page.getByText('column 2, row 5').first().waitFor({ state: 'attached' })
  })

  it('is accessible where there is room for it, light and dark; on a phone and without script there are the lines', async () => {
    const { email, manager, page } = await open()
    for (const size of [
      { width: 1280, height: 800 },
      { width: 1180, height: 820 },
      { width: 820, height: 1180 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await manager.open(path)
        await pictureOf(page, `/editor-${size.width}-${colorScheme}`)
        await unfold(page)
        assert.deepEqual([...(await faultsByAxe(page)), ...(await sidewaysScroll(page))], [])
        assert.equal(await page.locator('#editor').isVisible(), size.width >= 700)
      }
    }
    const plain = await browser.visitor(service, { javaScriptEnabled: false })
    await plain.signIn(email)
    await plain.open(path)
    assert.equal(await plain.page.locator('#editor').isVisible(), false)
    await plain.page.getByLabel('Tables (8)').fill('label,room,most\n1,Patio,4')
    await plain.page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await plain.reads('Tables saved.')
  })
})
