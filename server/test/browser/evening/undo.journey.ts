import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bookByStaff } from '../../../book/reservations/bookings.ts'
import { type TestBook, dinner, openBook, staff } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { eventually } from '../../eventually.ts'
import { staffOf, visitOffice } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

describe('undo without script', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  it('the next page says what was just done and offers to undo it with one press', async () => {
    const book = await openBook(service)
    const booking = await book.booking('Confirmed', { time: '19:30', guestName: 'Ben Iyer', partySize: 4 })
    const { email } = await staffOf(service, book.venue, 'host')
    const atDoor = visitOffice(service)
    await atDoor.signIn(email)
    const joined = await atDoor.post('/office/waitlist', {
      ...{ token: crypto.randomUUID(), guestName: 'Jack Carter', partySize: '2', quotedMinutes: '10' },
    })
    const entry = Number(/#w(\d+)/.exec(joined.to ?? '')?.[1])
    const host = await browser.visitor(service, { javaScriptEnabled: false })
    const { page } = host
    await host.signIn(email)
    await host.open('/office/service')
    const statusOf = async () => (await book.row(booking)).status
    const entryStatus = async () =>
      (await book.query('select status from waitlist_entry where id = $1', [entry]))[0]?.status
    const undo = () => page.locator('#said').getByRole('button', { name: 'Undo', exact: true })

    await page.locator(`#b${booking}`).getByRole('button', { name: 'Seat', exact: true }).click()
    await host.reads('Ben Iyer, 4 guests: seated.')
    assert.equal(await statusOf(), 'Seated')
    await undo().click()
    await host.reads('Ben Iyer, 4 guests: seating undone.')
    assert.equal(await statusOf(), 'Confirmed')
    assert.equal(new URL(page.url()).pathname, '/office/service')

    await page.locator(`#w${entry}`).getByRole('button', { name: 'Page', exact: true }).click()
    await host.reads(/Jack Carter, 2 guests: paged/)
    assert.equal(await entryStatus(), 'offered')
    await undo().click()
    await host.reads('Jack Carter, 2 guests: still waiting.')
    assert.equal(await entryStatus(), 'waiting')

    const covers = async () =>
      (
        await book.query(`select 1 from reservation where venue_id = $1 and source = 'walkin'`, [
          book.venue.id,
        ])
      ).length
    await host.open('/office/service?size=3')
    await page.getByRole('button', { name: /^Seat/ }).and(page.locator('#pad-answer button')).first().click()
    await host.reads(/A walk-in, 3 guests: seated/)
    assert.equal(await covers(), 1)
    await undo().click()
    await host.reads('walk-in removed')
    assert.equal(await covers(), 0)

    // Looked at again, the page says nothing of it any longer: the press was for what was just done.
    await host.open('/office/service')
    assert.equal(await undo().count(), 0)
  })
})

describe('an Undo that somebody is in the way of', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  /** Maya has table 1 at half past eight, and is just about to be cancelled by mistake. */
  const open = async () => {
    const tables = ['1', '2'].map((label) => ({ label, most: 4 }))
    const turns = { turnMinutes: [{ upTo: 99, minutes: 90 }] }
    const book = await openBook(service, dinner({ ...tablesOf(tables), ...turns }))
    await turnTablesOn(service, book.venue)
    const maya = await book.booking('Confirmed', { guestName: 'Maya Okafor', partySize: 4, time: '20:30' })
    assert.deepEqual(await heldTables(service, book.venue), { [maya]: '1' })
    const { email } = await staffOf(service, book.venue, 'host')
    return { book, maya, email }
  }
  /** Another host books a party at the table that came free. */
  const bookThere = async (book: TestBook): Promise<number> => {
    const [one] = await book.query(`select id from dining_table where venue_id = $1 and label = '1'`, [
      book.venue.id,
    ])
    const asked = { guestName: 'Li Zhao', partySize: 3, email: null, phone: null, notes: null }
    const made = await book.act((work) =>
      bookByStaff(work, staff('host'), {
        ...{ ...asked, ...book.when('2026-10-06', '20:45') },
        tables: [Number(one?.['id'])],
      }),
    )
    assert.ok(made.kind === 'done')
    return made.record.id
  }
  const question =
    /Maya Okafor, 4 guests: undo anyway\?\s+Table 1 is taken by Li Zhao, 3 guests, from 8:45\sPM to 10:15\sPM\. Maya Okafor gets another table, or waits for one\./
  const statusOf = async (book: TestBook, id: number) => (await book.row(id)).status

  it('exactly as it was while nobody is; by name, and anyway, where somebody is', async () => {
    const { book, maya, email } = await open()
    const host = await browser.visitor(service)
    const { page } = host
    await host.signIn(email)
    await host.open('/office/service')
    const said = page.locator('#said')
    const cancel = async () => {
      const row = page.locator(`#b${maya}`)
      await row.getByRole('button', { name: /^More for/ }).click()
      await page.locator(`#b${maya}-cancel-guest`).click()
      await host.reads(/Maya Okafor, 4 guests: cancelled for the guest\./)
    }
    await cancel()
    await said.getByRole('button', { name: 'Undo', exact: true }).click()
    await host.reads(/Maya Okafor, 4 guests: back in the book\./)
    assert.deepEqual(await heldTables(service, book.venue), { [maya]: '1' })

    await cancel()
    const zhao = await bookThere(book)
    await said.getByRole('button', { name: 'Undo', exact: true }).click()
    await eventually(
      async () => assert.match((await said.innerText()).replaceAll(/\s+/g, ' '), question) === undefined,
    )
    assert.equal(await statusOf(book, maya), 'Cancelled')
    await said.getByRole('button', { name: 'Never mind' }).click()
    await eventually(async () => !(await said.innerText()).includes('anyway'))
    assert.equal(await statusOf(book, maya), 'Cancelled')
    assert.deepEqual(await heldTables(service, book.venue), { [maya]: '1', [zhao]: '1!' })

    // On her own page nobody is put back: what was cancelled finds a table like any other.
    await host.open(`/office/bookings/${maya}`)
    await page.getByRole('button', { name: 'Restore' }).click()
    await eventually(async () => (await statusOf(book, maya)) === 'Confirmed')
    assert.deepEqual(await heldTables(service, book.venue), { [maya]: '2', [zhao]: '1!' })
  })

  for (const javaScriptEnabled of [true, false]) {
    it(`"Undo anyway" gives the party another table and leaves the other theirs, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { book, maya, email } = await open()
      const host = await browser.visitor(service, { javaScriptEnabled })
      const { page } = host
      await host.signIn(email)
      await host.open('/office/service')
      const row = page.locator(`#b${maya}`)
      await row.getByRole('button', { name: /^More for/ }).click()
      await page.locator(`#b${maya}-cancel-guest`).click()
      await host.reads(/Maya Okafor, 4 guests: cancelled for the guest\./)
      const zhao = await bookThere(book)
      await page.locator('#said').getByRole('button', { name: 'Undo', exact: true }).click()
      const anyway = page.getByRole('button', { name: 'Undo anyway' })
      await anyway.waitFor()
      assert.match(await page.locator('body').innerText(), /Table 1 is taken by Li Zhao/)
      await anyway.click()
      await host.reads(/Maya Okafor, 4 guests: back in the book/)
      await eventually(async () => (await statusOf(book, maya)) === 'Confirmed')
      assert.deepEqual(await heldTables(service, book.venue), { [maya]: '2', [zhao]: '1!' })
    })
  }
})
