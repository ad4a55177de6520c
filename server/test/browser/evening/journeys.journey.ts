import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { type TestBook, dinner, openBook } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

/*
 * What a host does all evening, from the first screen on, with every key and press counted. The same tasks without
 * script take more of them: pages in the place of what opens over the page.
 */

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

/** A hand at a screen: nothing else touches the page, so its counts are all that was done. */
type Hand = {
  press: (what: Locator) => Promise<void>
  type: (keys: string) => Promise<void>
  key: (name: string) => Promise<void>
  /** Keys and presses since the last look. */
  took: () => { keys: number; presses: number }
}

const handOf = ({ page }: Visitor): Hand => {
  let [keys, presses] = [0, 0]
  return {
    press: async (what) => {
      presses++
      await what.filter({ visible: true }).first().click()
    },
    type: async (typed) => {
      keys += typed.length
      await page.keyboard.type(typed)
    },
    key: async (name) => {
      keys++
      await page.keyboard.press(name)
    },
    took: () => {
      const all = { keys, presses }
      ;[keys, presses] = [0, 0]
      return all
    },
  }
}

describe('a host’s tasks, counted', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  const openEvening = async ({ script = true, tables = true }) => {
    const floor = [2, 2, 4, 4, 4, 6].map((most, n) => ({ label: String(n + 1), most }))
    const pacing = { pacing: { intervalMinutes: 15, maxCovers: 12 } }
    const book = await openBook(service, dinner({ ...pacing, ...(tables && tablesOf(floor)) }))
    if (tables) await turnTablesOn(service, book.venue)
    for (const [guestName, time] of [
      ['Priya Raman', '19:30'],
      ['Zora Quist', '19:45'],
      ['Rosa Delgado', '20:30'],
    ] as const) {
      await book.booking('Confirmed', { guestName, time, partySize: 3 })
    }
    await book.query(
      `insert into guest (venue_id, name, phone, phone_key, staff_notes, visit_count, created_at, updated_at)
       values ($1, 'Jack Carter', '+1 212 555 0187', '12125550187', '', 29, now(), now())`,
      [book.venue.id],
    )
    const visitor = await browser.visitor(service, { javaScriptEnabled: script })
    await visitor.signIn((await staffOf(service, book.venue, 'host')).email)
    await visitor.open('/office/service')
    return { book, visitor, hand: handOf(visitor), page: visitor.page }
  }
  const row = ({ page }: Visitor, name: string) => page.locator('.row', { hasText: name }).first()
  const booked = async (book: TestBook, name: string) =>
    (
      await book.query(
        `select r.id::int, r.status, r.party_size, r.date::text, r.time::text, g.name as guest
           from reservation r left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id
          where r.venue_id = $1 and r.guest_name = $2`,
        [book.venue.id, name],
      )
    )[0] as {
      id: number
      status: string
      party_size: number
      date: string
      time: string
      guest: string | null
    }
  const isNow = (book: TestBook, name: string, status: string) =>
    eventually(async () => (await booked(book, name)).status === status)
  const tableOf = async (book: TestBook, name: string) =>
    (await heldTables(service, book.venue))[(await booked(book, name)).id]

  const chooseSize = async (hand: Hand, scope: Locator, size: number) => {
    const pad = scope.locator('a.pad-size', { hasText: `Party of ${size}` })
    await hand.press(pad)
    await pad.and(scope.locator('[aria-current]')).waitFor()
  }

  /** "What is free at eight for five?", asked at the first screen: what the 8:00 PM of tonight says then. */
  const freeAtEight = async ({ visitor, hand }: Awaited<ReturnType<typeof openEvening>>, scope: Locator) => {
    await hand.press(visitor.page.locator('.lintel [aria-keyshortcuts="n"]'))
    await chooseSize(hand, scope, 5)
    await hand.press(scope.locator('.day-pick', { hasText: 'Tomorrow' }))
    const eight = scope.locator('.times[aria-label*="October 7"] .time', { hasText: '8:00 PM' })
    await eight.getByText(/room for|open/).waitFor()
    return eight
  }

  it('with script: a party by three letters, seated at a table, undone; a regular; what is free at eight for five', async () => {
    const there = await openEvening({})
    const { book, visitor, hand, page } = there
    await hand.key('/')
    await hand.type('qui')
    const found = page.locator('#found .row', { hasText: 'Zora Quist' })
    await found.waitFor()
    assert.deepEqual(hand.took(), { keys: 4, presses: 0 }, 'three letters, and one key to the search')
    await hand.key('Enter')
    await page.waitForURL(/office\/bookings\/\d+$/)
    await visitor.open('/office/service')
    hand.took()

    await hand.press(row(visitor, 'Zora Quist').getByRole('link', { name: /^Table 4.*Quist/ }))
    await hand.press(page.locator('#pick').getByRole('button', { name: 'Seat at 6' }))
    await visitor.reads('Zora Quist, 3 guests: seated at 6.')
    assert.deepEqual(hand.took(), { keys: 0, presses: 2 }, 'seated at another table')
    assert.equal(await tableOf(book, 'Zora Quist'), '6!')
    await hand.press(page.locator('.last').getByRole('button', { name: 'Undo' }))
    await isNow(book, 'Zora Quist', 'Confirmed')
    assert.deepEqual(hand.took(), { keys: 0, presses: 1 }, 'undone')
    assert.equal(await tableOf(book, 'Zora Quist'), '4')

    const sheet = page.locator('#sheet-over')
    await freeAtEight(there, sheet)
    assert.deepEqual(
      hand.took(),
      { keys: 0, presses: 3 },
      'the sheet, the size and the day, and nothing typed',
    )
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await visitor.open('/office/service')

    await hand.key('/')
    await hand.type('cart')
    await hand.press(page.locator('#found').getByRole('link', { name: 'Book for Jack Carter' }))
    await sheet.getByText('Regular 29').waitFor()
    await hand.key('4')
    assert.deepEqual(
      hand.took(),
      { keys: 6, presses: 1 },
      'a regular, whom the sheet shows before anything is saved',
    )
    await hand.press(sheet.locator('.time', { hasText: '8:30 PM' }))
    hand.took()
    await hand.press(sheet.locator('#send').getByRole('button', { name: 'Book', exact: true }))
    await visitor.reads(/Jack Carter, 4 guests at 8:30\sPM on Tuesday, October 6(, table \S+)?: booked\./)
    assert.deepEqual(
      hand.took(),
      { keys: 0, presses: 1 },
      'six keys and two presses, besides the one for the time',
    )
    const made = await booked(book, 'Jack Carter')
    assert.deepEqual(
      [made.guest, made.party_size, made.date, made.time],
      ['Jack Carter', 4, '2026-10-06', '20:30:00'],
    )
  })

  for (const tables of [true, false]) {
    const name = tables
      ? 'without script: the same tasks, on pages'
      : 'without tables and without script: the same tasks'
    it(name, async () => {
      const there = await openEvening({ script: false, tables })
      const { book, visitor, hand, page } = there
      await hand.press(page.getByRole('searchbox'))
      await hand.type('qui')
      await hand.key('Enter')
      await page.waitForURL(/office\/search/)
      assert.deepEqual(hand.took(), { keys: 4, presses: 1 })
      await hand.press(page.locator('.finds').getByRole('link', { name: /Zora Quist/ }))
      await visitor.reads('Zora Quist')

      await visitor.open('/office/service')
      if (tables) {
        await hand.press(row(visitor, 'Zora Quist').getByRole('link', { name: /^Table 4.*Quist/ }))
        await hand.press(page.getByRole('button', { name: 'Seat at 6' }))
        await visitor.reads('Zora Quist, 3 guests: seated at 6.')
        assert.equal(await tableOf(book, 'Zora Quist'), '6!')
      } else {
        await hand.press(row(visitor, 'Zora Quist').getByRole('button', { name: 'Seat', exact: true }))
        await visitor.reads('Zora Quist, 3 guests: seated.')
      }
      await isNow(book, 'Zora Quist', 'Seated')
      await hand.press(page.getByLabel('More for Zora Quist'))
      await hand.press(page.getByRole('button', { name: 'Undo seating' }))
      await isNow(book, 'Zora Quist', 'Confirmed')
      hand.took()

      const eight = await freeAtEight(there, page.locator('main'))
      assert.deepEqual(hand.took(), { keys: 0, presses: 3 })
      assert.match((await eight.textContent()) ?? '', /8:00\sPM/)

      await visitor.open('/office/service')
      await hand.press(page.getByRole('searchbox'))
      await hand.type('cart')
      await hand.key('Enter')
      await hand.press(page.locator('.finds').getByRole('link', { name: 'Book for Jack Carter' }))
      await chooseSize(hand, page.locator('main'), 4)
      await hand.press(page.locator('.time', { hasText: '8:30 PM' }))
      await visitor.reads('Regular 29')
      await hand.press(page.locator('#send').getByRole('button', { name: 'Book', exact: true }))
      await visitor.reads(/Jack Carter, 4 guests at 8:30\sPM/)
      assert.deepEqual(hand.took(), { keys: 5, presses: 5 }, 'two of them for the size and the time')
      const made = await booked(book, 'Jack Carter')
      assert.deepEqual(
        [made.guest, made.party_size, made.date, made.time],
        ['Jack Carter', 4, '2026-10-06', '20:30:00'],
      )

      await visitor.open('/office/service')
      await hand.press(page.getByRole('button', { name: 'Party of 2', exact: true }))
      await hand.press(page.getByRole('button', { name: tables ? 'Seat 2 at 1' : 'Seat 2 now' }))
      await visitor.reads(tables ? /2 guests: seated at 1\./ : /2 guests: seated\./)
      assert.deepEqual(hand.took(), { keys: 0, presses: 2 }, 'a walk-in')
    })
  }

  it('without tables: a party by three letters, seated by one press, undone by one; what is free at eight for five', async () => {
    const there = await openEvening({ tables: false })
    const { book, visitor, hand, page } = there
    await hand.key('/')
    await hand.type('qui')
    await page.locator('#found .row', { hasText: 'Zora Quist' }).waitFor()
    assert.deepEqual(hand.took(), { keys: 4, presses: 0 })
    await page.keyboard.press('Escape')
    await hand.press(row(visitor, 'Zora Quist').getByRole('button', { name: 'Seat', exact: true }))
    await isNow(book, 'Zora Quist', 'Seated')
    await hand.press(page.locator('.last').getByRole('button', { name: 'Undo' }))
    await isNow(book, 'Zora Quist', 'Confirmed')
    assert.deepEqual(hand.took(), { keys: 0, presses: 2 })
    await freeAtEight(there, page.locator('#sheet-over'))
    assert.deepEqual(hand.took(), { keys: 0, presses: 3 })
    assert.equal(await page.locator('#table-picks').count(), 0, 'no table is spoken of')
    await page.keyboard.press('Escape')
    await hand.press(page.getByRole('button', { name: 'Party of 2', exact: true }))
    await hand.press(page.getByRole('button', { name: 'Seat 2 now' }))
    await visitor.reads(/2 guests: seated\./)
    assert.deepEqual(hand.took(), { keys: 0, presses: 2 }, 'a walk-in')
  })
})
