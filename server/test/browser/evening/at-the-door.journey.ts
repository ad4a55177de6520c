import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestBook, staff } from '../../../book/reservations/test/book.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { joinWaitlist } from '../../../book/waitlist/actions.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { coveredIn } from '../check-page.ts'
import { pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'
import { fours, hostWithTables } from './host-with-tables.ts'

const tablet = { width: 1180, height: 820 }

describe('a host at the door, in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T23:40:00Z') // 19:40 in New York
  })

  const open = async (labels: readonly string[]): Promise<{ book: TestBook; host: Visitor }> => {
    const { book, host } = await hostWithTables(service, browser, fours(...labels))
    await host.page.setViewportSize(tablet)
    return { book, host }
  }

  it('reads at an open pad what is free now, while somebody else seats and frees tables, and keeps what is typed', async () => {
    const { book, host } = await open(['T1'])
    const { page } = host
    const id = await book.booking('Confirmed', { guestName: 'Jason Xu', time: '19:30', email: null })
    const person = staff('host')
    await book.act((work) => moveReservation(work, person, { id, move: 'seat' }))
    await host.open('/office/service?list=waiting')
    await page.getByRole('button', { name: 'Party of 2', exact: true }).click()
    const answer = page.locator('#pad-answer')
    await answer.getByText(/No table for \d+ is open/).waitFor()
    await page.getByLabel('Name of the walk-in').fill('Rosa')
    await book.act((work) => moveReservation(work, person, { id, move: 'complete' }))
    await answer.getByRole('button', { name: /^Seat 2 at T1/ }).waitFor()
    assert.equal(await page.getByLabel('Name of the walk-in').inputValue(), 'Rosa')
  })

  it('seats a party of the line at a table of its choice, and its row keeps its place for a moment', async () => {
    const { book, host } = await open(['T1', 'T2'])
    const { page } = host
    await book.act((work) =>
      joinWaitlist(work, staff('host'), {
        ...{ guestName: 'Pat Nolan', partySize: 2, phone: null, quotedMinutes: 10, quotedByHand: true },
        ...{ windowStart: null, windowEnd: null },
      }),
    )
    await book.act((work) =>
      joinWaitlist(work, staff('host'), {
        ...{ guestName: 'Rosa Diaz', partySize: 2, phone: null, quotedMinutes: 20, quotedByHand: true },
        ...{ windowStart: null, windowEnd: null },
      }),
    )
    await page.clock.install()
    await host.open('/office/service?list=waiting')
    const row = page.locator('#waiting .row', { hasText: 'Pat Nolan' })
    const next = page.locator('#waiting .row', { hasText: 'Rosa Diaz' })
    const before = await next.boundingBox()
    await row.locator('.row-more').click()
    await row.locator('.row-menu').getByRole('link', { name: 'Choose a table' }).click()
    await page.locator('#pick').getByRole('button', { name: 'Seat at T2' }).click()
    await page.locator('#waiting .stand-in', { hasText: 'Pat Nolan, 2 guests: seated at T2' }).waitFor()
    assert.deepEqual(await next.boundingBox(), before, 'nothing slides under the finger')
    await page.clock.runFor(2_500)
    await page.locator('.stand-in').waitFor({ state: 'detached' })
  })

  it('is asked whose phone it is at the row that was pressed, and nothing lies over anything', async () => {
    const { book, host } = await open(['T1', 'T2'])
    const { page } = host
    const phone = '+12125550143'
    await book.booking('Confirmed', { time: '21:00', guestName: 'Valentina Stern', email: null, phone })
    await book.act((work) =>
      joinWaitlist(work, staff('host'), {
        ...{ guestName: 'Pat Nolan', partySize: 2, phone, quotedMinutes: 10, quotedByHand: true },
        ...{ windowStart: null, windowEnd: null },
      }),
    )
    await host.open('/office/service?list=waiting')
    const row = page.locator('#waiting .row', { hasText: 'Pat Nolan' })
    assert.match((await row.locator('.row-who').textContent()) ?? '', /T\d free/)
    const at = await row.boundingBox()
    await row.locator('.row-more').click()
    await page.getByRole('button', { name: /^Seat at T\d, free/ }).click()
    const box = page.locator('#said .asks')
    await box.getByText('Valentina Stern has this phone').waitFor()
    await pictureOf(page, '/asks-whose.1180')
    const asked = await box.boundingBox()
    assert.ok(at && asked)
    const apart = Math.max(asked.y - (at.y + at.height), at.y - (asked.y + asked.height))
    assert.ok(apart < 24, `${apart} px from the row`)
    assert.deepEqual(await coveredIn(page, '#said .asks'), [])
    const overprinted = await box.evaluate((asks) => {
      const parts = [...asks.children].map((one) => ({
        words: one.textContent,
        box: one.getBoundingClientRect(),
      }))
      return parts.flatMap((one, n) =>
        parts
          .slice(n + 1)
          .filter(
            ({ box: other }) =>
              one.box.left < other.right - 1 &&
              other.left < one.box.right - 1 &&
              one.box.top < other.bottom - 1 &&
              other.top < one.box.bottom - 1,
          )
          .map((other) => `${one.words.trim().slice(0, 30)} over ${other.words.trim().slice(0, 30)}`),
      )
    })
    assert.deepEqual(overprinted, [])
    await box.getByRole('button', { name: /^Make a new guest/ }).click()
    await host.reads(/Pat Nolan, 2 guests: seated at T\d/)
  })
})
