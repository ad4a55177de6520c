import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestBook, openBook } from '../../../book/reservations/test/book.ts'
import { everyEvening } from '../../open-rules.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { cutInRows } from '../check-page.ts'
import { withBrowser } from '../with-browser.ts'

const tablets = [
  { width: 1280, height: 800 },
  { width: 1180, height: 820 },
  { width: 820, height: 1180 },
]
const phone = { width: 390, height: 844 }

/** A name and a party as long as they come, with everything a host must read. */
const longest = 'Maximiliane von Hohenstein-Wartenberg'

describe('the service screen, read at arm’s length', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T23:40:00Z')
  })

  /** Parties of an evening, every third with something that must be read. */
  const openEvening = async (parties = 30): Promise<{ book: TestBook; host: Visitor }> => {
    const book = await openBook(
      service,
      everyEvening(tablesOf(Array.from({ length: 16 }, (_, n) => ({ label: `T${n}`, most: 4 })))),
    )
    await turnTablesOn(service, book.venue)
    for (let n = 0; n < parties; n++) {
      const time = `${19 + (Math.floor(n / 15) % 4)}:${String((n % 15) * 4).padStart(2, '0')}`
      await book.booking('Confirmed', {
        time,
        guestName: n % 3 === 0 ? `${longest} ${n}` : `Lee ${n}`,
        email: `guest${n}@example.com`,
        phone: `(212) 555-0${String(100 + n)}`,
      })
    }
    const of = [book.venue.id]
    await book.query(
      `update reservation set notes = 'In a wheelchair, please no step; the table by the window if you can.'
        where venue_id = $1 and guest_name like 'Maximiliane%'`,
      of,
    )
    await book.query(
      `update guest set allergies = 'Peanuts, shellfish and sesame', seating_preference = 'By the window'
        where venue_id = $1 and name like 'Maximiliane%' and id % 2 = 0`,
      of,
    )
    await book.query(
      `update guest set staff_notes = 'Asks for Ben' where venue_id = $1 and name like 'Maximiliane%'`,
      of,
    )
    await book.query(
      `insert into guest_house (venue_id, id, vip) select venue_id, id, true from guest
        where venue_id = $1 and name like 'Maximiliane%'`,
      of,
    )
    await book.query(
      `insert into reservation_house (venue_id, id, occasion) select venue_id, id, '40th birthday' from reservation
        where venue_id = $1 and guest_name like 'Maximiliane%' on conflict (venue_id, id) do update set occasion = excluded.occasion`,
      of,
    )
    const host = await browser.visitor(service)
    await host.signIn((await staffOf(service, book.venue, 'host')).email)
    return { book, host }
  }

  /**
   * Marks with another number than what must be read behind them: the long name, VIP, occasion, request and what staff keep;
   * an allergy, and where they usually sit; that a late one asks for a table, and was never here.
   */
  const miscounted = ({ page }: Visitor): Promise<string[]> =>
    page.locator('#arriving .row', { hasText: 'wheelchair' }).evaluateAll((rows) =>
      rows.flatMap((row) => {
        const labels = [...row.querySelectorAll('.peek-words dt')].map((one) => one.textContent)
        const mustRead = 5 + (labels.includes('Allergies') ? 2 : 0) + (labels.includes('Asks') ? 2 : 0)
        const counted = row.querySelector('.peek-mark').textContent.trim()
        return counted === `${mustRead}` ? [] : [`${counted} at ${row.id}: ${labels.join(', ')}`]
      }),
    )

  it('cuts nothing that must be read without a mark that counts it, in type to be read from afar', async () => {
    const { host } = await openEvening(300)
    await host.open('/office/service?all=1')
    for (const size of [...tablets, phone]) {
      await host.page.setViewportSize(size)
      const seen = await host.page.locator('#arriving').evaluate((list) => {
        const { getComputedStyle } = list.ownerDocument.defaultView
        const px = (selector: string): number[] =>
          [...list.querySelectorAll(selector)].map((one) => Number.parseFloat(getComputedStyle(one).fontSize))
        const rows = [...list.querySelectorAll('.row')]
        return {
          rows: rows.length,
          high: Math.max(...rows.map((row) => row.getBoundingClientRect().height)),
          unmarked: rows.filter((row) => {
            const mark = row.querySelector('.peek-mark')?.getBoundingClientRect()
            const box = row.getBoundingClientRect()
            // So does who is late and reads where, or until when, they could sit.
            const asks = row.querySelector('.row-asks, .row-fact.good')
            const mustMark = row.textContent.includes('wheelchair') || asks !== null
            return mustMark
              ? !mark || mark.width < 10 || mark.top < box.top - 1 || mark.bottom > box.bottom
              : mark !== undefined
          }).length,
          times: Math.min(...px('.row-when')),
          names: Math.min(...px('.row-name')),
          small: Math.min(...px('.row-when span, .row .badge, .row .row-fact, .row .chips, .peek-mark')),
        }
      })
      const at = `${size.width}: ${JSON.stringify(seen)}`
      assert.deepEqual(await cutInRows(host.page, '#arriving .list-rows'), [], at)
      assert.deepEqual(await miscounted(host), [], at)
      assert.equal(seen.rows, 300, at)
      assert.equal(seen.unmarked, 0, at)
      assert.ok(seen.high <= 57, at)
      if (size !== phone) assert.ok(seen.times >= 18 && seen.names >= 17 && seen.small >= 14, at)
      if (process.env['PICTURES'])
        await host.page.screenshot({ path: `${process.env['PICTURES']}/reading.${size.width}.png` })
    }
  })

  it('is larger for who chose so, in rows of at most 72 pixels', async () => {
    const { host } = await openEvening()
    await host.page.setViewportSize({ width: 1180, height: 820 })
    await host.open('/office/account')
    await host.press('Larger rows')
    await host.reads('Rows are larger now.')
    await host.open('/office/service')
    const row = host.page.locator('#arriving .row').nth(3)
    const high = (await row.boundingBox())?.height ?? 0
    assert.ok(high > 56 && high <= 73, `${high}`)
    const px = await row
      .locator('.row-name')
      .evaluate((name) => name.ownerDocument.defaultView.getComputedStyle(name).fontSize)
    assert.equal(px, '20px')
    if (process.env['PICTURES'])
      await host.page.screenshot({ path: `${process.env['PICTURES']}/larger.1180.png` })
    await host.open('/office/account')
    await host.press('As usual')
    await host.reads('Rows are as usual now.')
  })

  it('opens all of it in the row at a press, keeps it open as the list renews itself, and closes it at a second, without script too', async () => {
    const { book, host } = await openEvening()
    const plain = await browser.visitor(service, { javaScriptEnabled: false })
    await plain.signIn(`host@${book.venue.slug}.example.com`)
    for (const visitor of [host, plain]) {
      await visitor.page.setViewportSize({ width: 1180, height: 820 })
      await visitor.open('/office/service')
      const row = visitor.page.locator('#arriving .row', { hasText: longest }).first()
      const words = row.locator('.peek-words')
      await row.locator('.peek > summary').click()
      await words.getByText('In a wheelchair, please no step').waitFor()
      await words.getByText('40th birthday').waitFor()
      await words.getByText('Asks for Ben').waitFor()
      assert.match((await words.getByRole('link').getAttribute('href')) ?? '', /^tel:\+\d+$/)
      if (visitor === host) {
        await book.booking('Confirmed', { time: '21:00', guestName: 'New Arrival' })
        await visitor.page.locator('#arriving .row', { hasText: 'New Arrival' }).waitFor()
        assert.ok(await words.isVisible(), 'as the list renews itself')
        if (process.env['PICTURES'])
          await visitor.page.screenshot({ path: `${process.env['PICTURES']}/peek.1180.png` })
      }
      await row.locator('.peek > summary').click()
      await words.waitFor({ state: 'hidden' })
      await row.getByRole('link', { name: longest }).first().click()
      await visitor.page.waitForURL(/\/office\/bookings\/\d+/)
    }
  })

  it('with little height, as enlarged four times, keeps no bar over the lists', async () => {
    const { host } = await openEvening()
    for (const size of [
      { width: 320, height: 240 },
      { width: 1180, height: 420 },
    ]) {
      await host.page.setViewportSize(size)
      await host.open('/office/service')
      const stuck = await host.page.locator('body').evaluate((body) => {
        const { getComputedStyle } = body.ownerDocument.defaultView
        return [...body.querySelectorAll('*')]
          .filter((one) => {
            const { position, display } = getComputedStyle(one)
            return (
              ['fixed', 'sticky'].includes(position) &&
              display !== 'none' &&
              one.getBoundingClientRect().height > 1
            )
          })
          .map((one) => `${one.localName}.${one.className}`)
      })
      assert.deepEqual(stuck, [], `${size.width} × ${size.height}`)
      if (process.env['PICTURES'])
        await host.page.screenshot({ path: `${process.env['PICTURES']}/low.${size.width}.png` })
    }
  })
})
