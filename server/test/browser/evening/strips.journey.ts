import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { lineUpOf } from '../../../book/servers/test/line-up.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { coveredIn } from '../check-page.ts'
import { phone, pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'
import { fours, hostWithTables } from './host-with-tables.ts'

const tablet = { width: 1180, height: 820 }

describe('what only a press brings into sight on the service screen', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T23:40:00Z') // 19:40 in New York
  })

  /** Who sits, is late, asks, waits and is without a table, under a name and a number that are known. */
  const openEvening = async () => {
    const pacing = { intervalMinutes: 15, maxCovers: 6 }
    const { book, host } = await hostWithTables(service, browser, fours('T1', 'T2', 'T3'), { pacing })
    const phone = '(212) 555-0143'
    const email = 'rita@example.com'
    await book.booking('Confirmed', { time: '19:15', guestName: 'Rita Okafor', email, phone })
    for (const [time, guestName] of [
      ['19:45', 'Priya Raman'],
      ['20:00', 'Maximiliane von Hohenstein-Wartenberg'],
      ['20:15', 'Jack Carter'],
    ] as const)
      await book.booking('Confirmed', { time, guestName, partySize: 4, email: null, phone: null })
    await book.booking('Requested', { time: '21:00', guestName: 'Asking Ann', email: null, phone: null })
    await book.query(
      "update guest set allergies = 'Peanuts', staff_notes = 'Asks for Ben' where venue_id = $1",
      [book.venue.id],
    )
    return { book, host }
  }

  it('is covered by nothing and covers nothing that is pressed with it, on a tablet and on a phone', async () => {
    const { book, host } = await openEvening()
    const { page } = host
    const found: string[] = []
    for (const size of [tablet, phone]) {
      await page.setViewportSize(size)
      const look = async (what: string, part: string) => {
        await page.locator(part).first().waitFor()
        await pictureOf(page, `/strip-${what.replaceAll(' ', '-')}.${size.width}`)
        const faults = await coveredIn(page, part)
        found.push(...faults.map((one) => `${size.width} ${what}: ${one}`))
      }
      const open = async (list = 'arriving') => host.open(`/office/service?list=${list}`)
      const row = (name: string) => page.locator('.row', { hasText: name }).first()

      await open()
      await page.locator('#requests > summary').click()
      await look('requests', '#requests .strip-open')
      await page.locator('#pacing > summary').click()
      await look('pacing', '#pacing .strip-open')

      await open()
      await row('Rita Okafor').locator('.peek > summary').click()
      await look('peek', '#arriving .peek-words:visible')
      await row('Rita Okafor')
        .getByRole('button', { name: /^More for/ })
        .click()
      await look('menu of a row', '.row-menu:popover-open')
      await page.locator('.row-menu:popover-open .ask-once > summary').click()
      await look('no-show asked', '.row-menu:popover-open')
      await page.keyboard.press('Escape')
      await row('Priya Raman').locator('a.table-cell, .table-cell a, a[href*="/table"]').first().click()
      await look('choice of a table', '#pick:popover-open')
      await page.keyboard.press('Escape')

      await open('waiting')
      await page.getByRole('button', { name: 'Party of 3', exact: true }).click()
      await look('pad', '#walk-in')
      await page.getByLabel('Name of the walk-in').fill('Somebody Else')
      await page.getByLabel(/phone/i).last().fill('(212) 555-0143')
      await page.getByRole('button', { name: /^Seat/ }).last().click()
      await host.reads(/Rita Okafor has this phone/)
      await look('whose number', '#pad-answer')
      await look('whose number in the last line', '#said')

      await open('waiting')
      await page.getByRole('button', { name: 'Party of 8', exact: true }).click()
      await look('pad of a large party', '#walk-in')
      await page.getByRole('button', { name: /^Wait/ }).click()
      await host.reads(/on the waitlist/)
      await look('last line', '#said')
      await page.locator('#waiting .row-more').first().click()
      await look('menu in the line', '.row-menu:popover-open')
      await page.keyboard.press('Escape')

      await page.context().setOffline(true)
      await host.reads(/No connection: what you see is from/)
      await look('network lost', '.lintel')
      await page.context().setOffline(false)
      await page.locator('#clock .when-live').waitFor({ state: 'attached' })
      await book.query('delete from waitlist_entry where venue_id = $1', [book.venue.id])
    }
    // What the browser and htmx say of a look that nothing answered.
    const expected = /ERR_INTERNET_DISCONNECTED|Failed to fetch/
    assert.deepEqual(
      host.complaints().filter((one) => !expected.test(one)),
      [],
    )
    assert.deepEqual(found, [])
  })

  it('no list is wider than its column, however long its head; the mark of a VIP is in the line of the name', async () => {
    const { book, host: visitor, page } = await hostWithTables(service, browser, fours('T1', 'T2', 'T3'))
    await lineUpOf(book, [{ name: 'Dana Wu', tables: 'T1 T2 T3' }])
    for (const guestName of ['Fernandezgonzalez', 'Maximilianewartenberg']) {
      const email = `${guestName}@example.com`
      const id = await book.booking('Confirmed', { guestName, time: '19:30', partySize: 4, email })
      await book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat' }))
    }
    await book.query(
      'insert into guest_house (venue_id, id, vip) select venue_id, id, true from guest where venue_id = $1',
      [book.venue.id],
    )
    await book.booking('Confirmed', { guestName: 'Howard', time: '20:30', partySize: 2, email: null })
    await visitor.open('/office/service')
    await page.getByRole('button', { name: 'Party of 6', exact: true }).click()
    await page.getByRole('button', { name: /^Wait/ }).click()
    await visitor.reads(/on the waitlist/)
    await page.keyboard.press('Escape')
    const found: string[] = []
    for (const size of [tablet, { width: 1100, height: 820 }, { width: 1280, height: 820 }]) {
      await page.setViewportSize(size)
      await visitor.open('/office/service?size=2')
      await visitor.reads(/for 2: now until 8:30\sPM, or/)
      await pictureOf(page, `/strip-heads.${size.width}`)
      const faults = [
        ...(await widerThanColumn(page)),
        ...(await coveredIn(page, '#waiting')),
        ...(await marksAlone(page)),
      ]
      found.push(...faults.map((one) => `${size.width}: ${one}`))
    }
    assert.deepEqual(found, [])
  })
})

/** What of the lists reaches past the column they are drawn in. */
const widerThanColumn = (page: Visitor['page']): Promise<string[]> =>
  page.locator('.list').evaluateAll((lists) =>
    lists.flatMap((list) => {
      const { right } = list.getBoundingClientRect()
      return [...list.querySelectorAll('header, header > *, .pad, .list-rows, .row')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > right + 0.5)
        .map((one) => `past #${list.id}: ${one.outerHTML.slice(0, 80)}`)
    }),
  )

/** Names of which the mark is not in the first line. */
const marksAlone = (page: Visitor['page']): Promise<string[]> =>
  page.locator('#seated .row-name').evaluateAll((names) =>
    names
      .filter((name) => {
        const range = name.ownerDocument.createRange()
        range.setStartAfter(name.querySelector('.marks'))
        range.setEndBefore(name.lastElementChild)
        const star = name.querySelector('.marks .i').getBoundingClientRect()
        const [first] = range.getClientRects()
        return first.top > star.bottom || first.bottom < star.top || first.left < star.right
      })
      .map((name) => name.textContent),
  )
