import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { lineUpOf } from '../../../book/servers/test/line-up.ts'
import { heldTables } from '../../../book/tables/test/floor.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { phone } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'
import { hostWithTables } from './host-with-tables.ts'

const tables = [
  { label: '6', most: 2 },
  { label: '7', most: 4 },
  { label: '8', most: 4 },
]
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('an evening at the door without script', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  /** Howard has table 6 at 20:00, others the larger ones for the evening: what is left is an hour at 6. */
  const open = async () => {
    service.setClock('2026-10-06T22:55:00Z') // 18:55 in New York
    const { book } = await hostWithTables(service, browser, tables, ninety)
    const server = await staffOf(service, book.venue, 'server', `ann@${book.venue.slug}.example.com`)
    await lineUpOf(book, [
      { name: 'Ann Lee', tables: '6 7', account: server.id },
      { name: 'Bo Park', tables: '8' },
    ])
    const rows = await book.query('select id::int, label from dining_table where venue_id = $1', [
      book.venue.id,
    ])
    const table = (label: string) => Number(rows.find((one) => one.label === label)?.id)
    const booked = async (guestName: string, time: string, label: string, partySize = 2) => {
      const id = await book.booking('Confirmed', { guestName, time, partySize })
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await book.query(
        `insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)`,
        [book.venue.id, id, table(label)],
      )
      return id
    }
    const howard = await booked('Howard', '20:00', '6')
    const costa = await booked('Ana Costa', '19:00', '7', 4)
    const park = await booked('Jin Park', '19:00', '8', 4)
    const host = await browser.visitor(service, { javaScriptEnabled: false })
    await host.signIn(`host@${book.venue.slug}.example.com`)
    return { book, host, table, howard, costa, park, server }
  }
  /** What is to be seen and does nothing without script: buttons of no form, links to nowhere, fields of no form. */
  const dead = ({ page }: Visitor): Promise<string[]> =>
    page.locator('button, a, summary, input, select').evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('noscript'))
        .filter((one) => {
          if (one.matches('summary')) return one.parentElement.localName !== 'details'
          if (one.matches('a')) return !one.hasAttribute('href')
          if (one.hasAttribute('popovertarget') || one.hasAttribute('commandfor')) return false
          return !one.form || (one.matches('button') && one.type === 'button')
        })
        .map((one) => one.outerHTML.slice(0, 160)),
    )

  it('shows nothing to press that needs script, on any page of the door', async () => {
    const { book, costa, table } = await open()
    const owner = await browser.visitor(service, { javaScriptEnabled: false })
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    const faults: string[] = []
    for (const address of [
      '/office/service',
      '/office/service?size=2',
      '/office/service/sheet',
      '/office/service/close-out',
      '/office/floor',
      '/office/grid',
      '/office/line-up',
      '/office/waitlist',
      '/office/search?q=cos',
      '/office/call?number=%2B12125550143',
      `/office/bookings/${costa}`,
      `/office/bookings/${costa}/table`,
      '/office/bookings/new?date=2026-10-06&partySize=2&time=18:55',
      '/office/bookings/stranded',
      `/office/tables/${table('6')}`,
      '/office/settings/servers',
      '/office/account',
      '/office/data',
    ]) {
      const answer = await owner.page.goto(address)
      assert.equal(answer?.status(), 200, address)
      faults.push(...(await dead(owner)).map((one) => `${address}: ${one}`))
    }
    assert.deepEqual(faults, [])
  })

  const row = ({ page }: Visitor, name: string) => page.locator('.row', { hasText: name }).first()
  const undo = ({ page }: Visitor) => page.locator('#said').getByRole('button', { name: 'Undo', exact: true })

  it('a walk-in has a table for a while, or waits and is paged for it; each press is taken back by one', async () => {
    const { book, host, howard } = await open()
    const { page } = host
    await host.open('/office/service')
    await page.getByRole('button', { name: 'Party of 2', exact: true }).click()
    await page.getByRole('button', { name: /^Seat 2 at 6 until 8:00/ }).click()
    await host.reads(/2 guests: seated at 6/)
    const walkIn = async () =>
      (
        await book.query(
          `select duration_minutes, status from reservation where venue_id = $1 and source = 'walkin'`,
          [book.venue.id],
        )
      ).map(({ duration_minutes, status }) => [duration_minutes, status])
    assert.deepEqual(await walkIn(), [[65, 'Seated']])
    await undo(host).click()
    await host.reads(/2 guests: /)
    assert.equal((await heldTables(service, book.venue))[howard], '6!')
    assert.deepEqual(
      (await walkIn()).filter(([, status]) => status === 'Seated'),
      [],
    )

    await host.open('/office/service')
    await page.getByRole('button', { name: 'Party of 2', exact: true }).click()
    await host.fill('Name of the walk-in', 'Pia Long')
    await page.getByRole('button', { name: /^Wait, quote/ }).click()
    await host.reads(/Pia Long, 2 guests: on the waitlist/)
    await row(host, 'Pia Long').getByRole('button', { name: 'Page', exact: true }).click()
    await host.reads(/Pia Long, 2 guests: paged; table 6 is held/)
    await undo(host).click()
    await host.reads('Pia Long, 2 guests: still waiting.')
    await row(host, 'Pia Long').getByLabel('More for Pia Long').click()
    await row(host, 'Pia Long')
      .getByRole('button', { name: /^Seat at 6 until 8:00/ })
      .click()
    await host.reads(/Pia Long, 2 guests: seated at 6/)
  })

  it('a party is here, seated at another table once asked, served, moved and done; and one is not coming', async () => {
    const { book, host, costa, park, table } = await open()
    const { page } = host
    await host.open('/office/service')
    await row(host, 'Ana Costa').getByLabel('More for Ana Costa').click()
    await row(host, 'Ana Costa').getByRole('button', { name: 'Here', exact: true }).click()
    await page.locator('#waiting .row', { hasText: 'Ana Costa' }).waitFor()
    await host.open(`/office/bookings/${costa}/table?back=/office/service`)
    await page
      .locator('summary', { hasText: /tables/i })
      .first()
      .click()
    await page.locator('.pick-box', { hasText: /^\s*6/ }).locator('input').check()
    await page.getByRole('button', { name: 'Seat at the checked tables' }).click()
    await host.reads(/Table 6 seats 1–2; this is a party of 4/)
    await host.open('/office/service')
    await row(host, 'Ana Costa').getByRole('button', { name: /^Seat/ }).first().click()
    await host.reads(/Ana Costa, 4 guests: seated at 7/)
    await row(host, 'Ana Costa').getByRole('button', { name: 'Take order' }).click()
    await row(host, 'Ana Costa').getByRole('button', { name: 'Serve starters' }).waitFor()
    await host.open(`/office/tables/${table('7')}?back=/office/floor`)
    await host.reads('Ana Costa')
    await host.open('/office/service')
    await row(host, 'Ana Costa').getByLabel('More for Ana Costa').click()
    await row(host, 'Ana Costa').getByRole('button', { name: /^Done/ }).click()
    await host.reads(/Ana Costa, 4 guests: left/)
    await undo(host).click()
    assert.equal((await book.row(costa)).status, 'Seated')

    await row(host, 'Jin Park').getByLabel('More for Jin Park').click()
    await page.locator(`#b${park}-cancel-guest`).click()
    await host.reads(/Jin Park, 4 guests: cancelled for the guest\./)
    await undo(host).click()
    assert.equal((await book.row(park)).status, 'Confirmed')
  })

  it('somebody who phones has a table for a while; a section is skipped, handed over, cut and taken back', async () => {
    const { book, host, costa, table } = await open()
    const { page } = host
    await host.open('/office/bookings/new?date=2026-10-06&partySize=2&time=18:55')
    await page
      .locator('#table-picks label', { hasText: /until 8:00/ })
      .first()
      .click()
    await host.fill('Name', 'Ben Ito')
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await host.reads(/Ben Ito, 2 guests at 6:55\sPM, table 6/)
    const [made] = await book.query(
      `select duration_minutes from reservation where venue_id = $1 and guest_name = 'Ben Ito'`,
      [book.venue.id],
    )
    assert.equal(made?.['duration_minutes'], 65)

    await book.act((work) =>
      moveReservation(work, staff('host'), { id: costa, move: 'seat', tables: [table('7')] }),
    )
    await host.open('/office/line-up')
    await host.press('Skip Bo Park')
    await host.reads('Bo Park is skipped until the next party sits.')
    await host.press('Undo')
    await host.reads('Bo Park is back in the rotation.')
    await host.press('Cut Bo Park')
    await host.reads(/the tables of Bo Park take nobody new/)
    await host.press('Undo')
    await host.reads('The tables of Bo Park are in use again.')
    await page.locator('.hand-over summary').first().click()
    await host.press('Hand over')
    await host.reads('Handed over to Bo Park.')
    await host.press('Undo')
    await host.reads('Handed back.')
  })

  it('somebody who serves says on their phone how far a party is, and takes it back', async () => {
    const { book, server, costa, table } = await open()
    const seat = { id: costa, move: 'seat', tables: [table('7')] } as const
    await book.act((work) => moveReservation(work, staff('host'), seat))
    const ann = await browser.visitor(service, { viewport: phone, javaScriptEnabled: false })
    await ann.signIn(server.email)
    await ann.open('/office')
    await ann.page.getByRole('button', { name: /^Take order/ }).click()
    await ann.reads('Ana Costa: ordered.')
    await ann.press('Undo')
    await ann.reads('Ana Costa: seated.')
    await ann.page.locator('summary', { hasText: 'Another stage' }).click()
    await ann.press('Entrées')
    await ann.reads(/Ana Costa: /)
    assert.equal((await book.row(costa)).floor_stage, 'Mains')
  })
})
