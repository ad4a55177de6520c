import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner, openBook } from '../../reservations/test/book.ts'
import { type TestTable, heldTables, tablesOf, turnTablesOn } from '../../tables/test/floor.ts'
import { eventually } from '../eventually.ts'
import { staffOf } from '../office.ts'
import { type TestService, startService } from '../service.ts'
import { type TestBrowser, type Visitor, openBrowser } from './browser.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

const floor: readonly TestTable[] = Array.from({ length: 12 }, (_, n) => ({
  label: String(n + 1),
  most: n < 4 ? 2 : 4,
  shape: n % 3 === 0 ? 'round' : 'square',
  x: (n % 4) * 3,
  y: Math.floor(n / 4) * 3,
}))

describe('tables in service, in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), openBrowser()])
    service.setClock(evening)
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
    }
  })

  const openEvening = async (): Promise<{ book: TestBook; email: string }> => {
    const book = await openBook(service, dinner(tablesOf(floor)))
    await turnTablesOn(service, book.venue)
    for (const [guestName, time] of [
      ['Priya Raman', '19:30'],
      ['Ana Costa', '19:45'],
      ['Rosa Delgado', '20:30'],
    ] as const) {
      await book.booking('Confirmed', { guestName, time, partySize: 3, email: null })
    }
    const { email } = await staffOf(service, book.venue, 'host')
    return { book, email }
  }
  const row = ({ page }: Visitor, name: string) => page.locator('.row', { hasText: name }).first()
  const statusOf = async (book: TestBook, name: string) =>
    (
      await book.query('select id, status from reservation where venue_id = $1 and guest_name = $2', [
        book.venue.id,
        name,
      ])
    )[0] as { id: number; status: string }

  it('service 8.1: seated at the table shown by one press, at another by two, taken back by one', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    await row(host, 'Priya Raman').getByRole('button', { name: 'Seat', exact: true }).click()
    await host.reads(/^Priya Raman, 3 guests: seated at 5\.$/)
    await row(host, 'Ana Costa')
      .getByRole('link', { name: /^Table 6 of Ana Costa, free/ })
      .click()
    await host.page.locator('#pick').getByRole('button', { name: 'Seat at 8' }).click()
    await host.reads(/^Ana Costa, 3 guests: seated at 8\.$/)
    const { id, status } = await statusOf(book, 'Ana Costa')
    assert.equal(status, 'Seated')
    assert.equal((await heldTables(service, book.venue))[id], '8!')
    await host.page.locator('.last').getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await statusOf(book, 'Ana Costa')).status === 'Confirmed')
  })
})
