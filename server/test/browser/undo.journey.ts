import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openBook } from '../../reservations/test/book.ts'
import { staffOf, visitOffice } from '../office.ts'
import { type TestService, startService } from '../service.ts'
import type { TestBrowser } from './browser.ts'
import { withBrowser } from './with-browser.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

describe('undo without script', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  it('service 8.2: what was just done stands on the next page with its undo, one press away', async () => {
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
    await host.reads('Ben Iyer, 4 guests: back from the table.')
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
    await host.reads('not seated after all')
    assert.equal(await covers(), 0)

    // Looked at again, the page says nothing of it any longer: the press was for what was just done.
    await host.open('/office/service')
    assert.equal(await undo().count(), 0)
  })
})
