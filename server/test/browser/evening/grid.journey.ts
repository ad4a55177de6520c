import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestBook, dinner, openBook } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsByAxe, lowTargets, sidewaysScroll } from '../check-page.ts'
import { withBrowser } from '../with-browser.ts'

const sizes = [
  { width: 1280, height: 800 },
  { width: 1180, height: 820 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** Where the words of each hour are, which take less room than the hour. */
const wordsOfHours = `[...document.querySelectorAll('.g-head .g-track > span:not(.now-flag)')].map((one) => {
  const range = document.createRange()
  range.selectNodeContents(one)
  const { left, right, top, bottom } = range.getBoundingClientRect()
  return { left, right, top, bottom }
})`

describe('the grid in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T22:00:00Z') // 18:00 in New York
  })

  const open = async (): Promise<{ book: TestBook; email: string; id: number }> => {
    const tables = ['11', '12', '14', '15'].map((label) => ({ label, most: 4 }))
    const book = await openBook(service, dinner(tablesOf(tables)))
    await turnTablesOn(service, book.venue)
    const id = await book.booking('Confirmed', { time: '19:00', partySize: 4, guestName: 'Okafor' })
    await book.booking('Confirmed', { time: '20:15', partySize: 2, guestName: 'Stern' })
    const { email } = await staffOf(service, book.venue, 'host')
    return { book, email, id }
  }
  const drag = async (
    { page }: Visitor,
    name: string,
    to: { row?: string; pixels?: number; end?: boolean },
  ) => {
    const block = page.locator('.blk', { hasText: name })
    const box = await block.boundingBox()
    assert.ok(box)
    const from = { x: to.end ? box.x + box.width - 4 : box.x + 20, y: box.y + box.height / 2 }
    const row = to.row && (await page.locator(`.g-row[data-label="${to.row}"]`).boundingBox())
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 10, from.y)
    await page.mouse.move(from.x + (to.pixels ?? 0), row ? row.y + row.height / 2 : from.y, { steps: 4 })
    await page.mouse.up()
  }

  it('the minute of now covers no hour, whatever the minute', async () => {
    const { email } = await open()
    const host = await browser.visitor(service)
    await host.signIn(email)
    try {
      for (const minute of ['21:57', '22:02', '22:20', '22:58']) {
        service.setClock(`2026-10-06T${minute}:00Z`)
        await host.open('/office/grid')
        const flag = await host.page.locator('.now-flag').boundingBox()
        assert.ok(flag)
        const hours: readonly Box[] = await host.page.evaluate(wordsOfHours)
        assert.ok(hours.length > 3)
        for (const { left, right, top, bottom } of hours) {
          const isBeside: boolean = right <= flag.x || flag.x + flag.width <= left
          const isAbove: boolean = bottom <= flag.y || flag.y + flag.height <= top
          assert.ok(isBeside || isAbove, `an hour is covered at ${minute}`)
        }
      }
    } finally {
      service.setClock('2026-10-06T22:00:00Z')
    }
  })

  it('a block is dragged to another table, later, and longer; another screen sees it, and undo puts it back', async () => {
    const { book, email, id } = await open()
    const [host, other] = [await browser.visitor(service), await browser.visitor(service)]
    for (const one of [host, other]) {
      await one.signIn(email)
      await one.open('/office/grid')
    }
    const seen = other.page.locator('.g-row[data-label="14"] .blk', { hasText: 'Okafor' }).waitFor()
    await drag(host, 'Okafor', { row: '14' })
    await host.reads('Okafor, 4 guests: now at 14.')
    await seen
    assert.equal((await heldTables(service, book.venue))[id], '14!')
    const hour = (await host.page.locator('.g-head .n12').first().boundingBox())?.width ?? 0
    await drag(host, 'Okafor', { pixels: hour / 2 })
    await host.reads('Okafor, 4 guests: 30 min later.')
    assert.equal((await book.row(id)).time, '19:30')
    await drag(host, 'Okafor', { pixels: hour / 4, end: true })
    await host.reads('Okafor, 4 guests: 15 min longer.')
    await host.page.locator('.last').getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await book.row(id)).duration_minutes === 120)
    assert.match(host.page.url(), /office\/grid$/, 'a drag opens nothing')
    await host.page.locator('.blk', { hasText: 'Okafor' }).click()
    await host.page.locator('#sheet-over').getByRole('link', { name: 'See all' }).click()
    await host.page.waitForURL(/office\/bookings\/\d+$/)
  })

  it('is accessible at four sizes, light and dark; without script a block leads to its sheet', async () => {
    const { email } = await open()
    const host = await browser.visitor(service)
    await host.signIn(email)
    for (const size of sizes) {
      await host.page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await host.page.emulateMedia({ colorScheme })
        await host.open('/office/grid')
        const found = [
          ...(await faultsByAxe(host.page, colorScheme === 'dark' ? 'contrast' : undefined)),
          ...(await sidewaysScroll(host.page)),
          ...(await lowTargets(host.page)),
        ]
        assert.deepEqual(found, [], `${size.width} ${colorScheme}`)
      }
    }
    const plain = await browser.visitor(service, { javaScriptEnabled: false })
    await plain.signIn(email)
    await plain.open('/office/grid')
    await plain.page.locator('.blk', { hasText: 'Stern' }).click()
    await plain.page.getByLabel('How long').selectOption('90')
    await plain.page.locator('#table-picks label', { hasText: '15' }).first().click()
    await plain.page.locator('#send button').click()
    await plain.reads(/Stern: 2 guests, 8:15\sPM, table 15, for 1 h 30 min \(was table \d+, for 2 h\)\./)
    await plain.open('/office/grid')
    await plain.page.locator('.g-row[data-label="15"] .blk', { hasText: 'Stern' }).waitFor()
  })
})
