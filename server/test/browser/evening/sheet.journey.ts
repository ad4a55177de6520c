import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heldTables } from '../../../book/tables/test/floor.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { faultsByAxe, isInSight, lowTargets, outOfColumn, sidewaysScroll, unfold } from '../check-page.ts'
import { pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'
import { fours, hostWithTables } from './host-with-tables.ts'

describe('the booking sheet in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T22:00:00Z') // 18:00 in New York
  })

  const open = (more: object = {}) => hostWithTables(service, browser, fours('24', '26'), more)

  it('opens over the book, keeps what is typed when Escape closes it, and says at the button who was faster', async () => {
    const { book, host } = await open()
    const { page } = host
    const sheet = page.locator('#sheet-over')
    await host.open('/office/service')
    await page.keyboard.press('n')
    await sheet.waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'partySize')
    await page.keyboard.type('4')
    await sheet.getByLabel('Name', { exact: true }).fill('Ana Costa')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    assert.match(page.url(), /office\/service/)
    // The browser hides it first, and gives the focus back in its next turn; no hand is that fast.
    await page.waitForFunction('document.activeElement === document.body')
    await page.keyboard.press('n')
    assert.equal(await sheet.getByLabel('Name', { exact: true }).inputValue(), 'Ana Costa')
    await sheet.getByLabel('Guests').fill('4')
    await sheet.locator('.time', { hasText: '8:00 PM' }).click()
    // What is looked up for the table has come: later it would know who was faster, and say so before the press.
    const looked = page.waitForResponse(/bookings\/reasons\?.*table=\d/)
    await sheet.locator('#table-picks label', { hasText: '24' }).last().click()
    await (await looked).finished()
    await sheet.getByText(/Table 24, free all evening/).waitFor()
    const other = await book.booking('Confirmed', { time: '20:00', partySize: 4, guestName: 'Abe Stern' })
    await book.query('update reservation_table set pinned = true where venue_id = $1', [book.venue.id])
    assert.equal((await heldTables(service, book.venue))[other], '24!')
    await sheet.getByRole('button', { name: 'Book', exact: true }).click()
    await sheet.getByText(/Table 24 is taken by Abe Stern, 4 guests, from 8:00\sPM to 10:00\sPM/).waitFor()
    assert.deepEqual(await faultsByAxe(page), [])
    await sheet.getByRole('button', { name: 'Book', exact: true }).click()
    await host.reads(/Ana Costa, 4 guests at 8:00\sPM on Tuesday, October 6, table 26: booked\./)
    assert.match(page.url(), /office\/service/, 'back where it was opened')
    assert.deepEqual(Object.values(await heldTables(service, book.venue)), ['24!', '26'])
    assert.equal(await page.locator('.notice').count(), 0, 'nothing is pushed down')
    assert.deepEqual(await faultsByAxe(page), [])
    await pictureOf(page, '/booked')
    await page.locator('#said').getByRole('button', { name: 'Undo', exact: true }).click()
    await host.reads('Ana Costa, 4 guests: booking removed.')
    assert.deepEqual(Object.values(await heldTables(service, book.venue)), ['24!'])
  })

  it('a guest who is offered is taken by the arrow and Enter, and a double tap on Book says what the first did', async () => {
    const { book, host } = await open()
    await book.booking('Completed', { guestName: 'Carlos Torres', phone: '212 555 0100', date: '2026-09-29' })
    const { page } = host
    const sheet = page.locator('#sheet-over')
    await host.open('/office/service')
    await page.keyboard.press('n')
    await sheet.waitFor()
    await sheet.locator('.time', { hasText: '8:00 PM' }).click()
    await sheet.getByLabel('Name', { exact: true }).pressSequentially('carlos t')
    await sheet.locator('[data-guest]', { hasText: 'Carlos Torres' }).waitFor()
    // What is found for the last letters comes late, and leaves alone who is being chosen.
    const late = Promise.withResolvers<void>()
    await page.route(/\/office\/bookings\/guests\?q=carlos%20tor$/, async (route) => {
      await late.promise
      await route.continue()
    })
    await page.keyboard.type('or')
    await page.keyboard.press('ArrowDown')
    const found = page.waitForResponse(/q=carlos%20tor$/)
    late.resolve()
    await (await found).finished()
    await page.keyboard.press('Enter')
    assert.equal(await sheet.getByLabel('Phone', { exact: true }).inputValue(), '212 555 0100')
    await sheet.getByRole('button', { name: 'Book', exact: true }).dblclick()
    await host.reads(/Carlos Torres, 2 guests at 8:00\sPM on Tuesday, October 6, table \d+: booked\./)
    await page.locator('#said').getByRole('button', { name: 'Undo', exact: true }).waitFor()
    const made = await book.query(
      `select guest_name from reservation where venue_id = $1 and status <> 'Completed'`,
      [book.venue.id],
    )
    assert.deepEqual(made, [{ guest_name: 'Carlos Torres' }])
  })

  it('what is lit of the sizes and days, and how long, follow what is typed', async () => {
    const { host } = await open({
      turnMinutes: [
        { upTo: 2, minutes: 90 },
        { upTo: 8, minutes: 135 },
      ],
    })
    const { page } = host
    const sheet = page.locator('#sheet-over')
    const lit = () =>
      sheet
        .locator('[data-fills][aria-current]')
        .allInnerTexts()
        .then((texts) => texts.join(' ').replaceAll(/\s+/g, ' '))
    await host.open('/office/service')
    await page.keyboard.press('n')
    await sheet.locator('.times').waitFor()
    await page.keyboard.type('5')
    await sheet.locator('option', { hasText: '2 h 15 min, as usual for 5' }).waitFor({ state: 'attached' })
    assert.equal(await lit(), 'Party of 5 Tue 6 Today')
    await sheet.locator('.pad-size', { hasText: '2' }).click()
    await sheet.locator('option', { hasText: '1 h 30 min, as usual for 2' }).waitFor({ state: 'attached' })
    assert.equal(await sheet.getByLabel('How long').inputValue(), '')
    assert.equal(await lit(), 'Party of 2 Tue 6 Today')
    await sheet.getByLabel('How long').selectOption('120')
    await sheet.getByLabel('Guests').fill('9')
    await sheet.getByLabel('Date').fill('2026-10-08')
    await sheet.locator('option', { hasText: 'as usual for 9' }).waitFor({ state: 'attached' })
    assert.equal(await sheet.getByLabel('How long').inputValue(), '120', 'what staff chose stays')
    assert.equal(await lit(), 'Thu 8')
    await pictureOf(page, '/how-long')
  })

  it('the sizes, the days and the times are one stop for Tab each, with arrows within', async () => {
    const { host } = await open()
    const { page } = host
    const sheet = page.locator('#sheet-over')
    const tabsTo = async (name: string): Promise<number> => {
      for (let count = 1; count <= 30; count++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate(`document.activeElement.name === '${name}'`)) return count
      }
      return Number.POSITIVE_INFINITY
    }
    const focused = () =>
      page.evaluate<string>(`document.activeElement.textContent.replaceAll(/\\s+/g, ' ').trim()`)
    await host.open('/office/service')
    await page.keyboard.press('n')
    await sheet.locator('.times .time').nth(20).waitFor()
    // The size, three parts of the date and its calendar are the other stops.
    const toTime = await tabsTo('time')
    assert.ok(toTime <= 7, `${toTime} Tabs from the size to the time`)
    const toName = await tabsTo('guestName')
    assert.ok(toName <= 7, `${toName} Tabs from the time to the name`)

    await sheet.getByLabel('Guests').focus()
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Party of 2', 'the size that is lit')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    assert.equal(await focused(), 'Party of 3')
    const renewed = page.waitForResponse(/bookings\/reasons\?.*partySize=3/)
    await page.keyboard.press('Enter')
    assert.equal(await sheet.getByLabel('Guests').inputValue(), '3')
    await (await renewed).finished()

    await sheet.locator('[name="time"]').focus()
    await page.keyboard.press('Tab')
    const first = await focused()
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await focused(), first)
    const taken = page.waitForResponse(/bookings\/reasons\?.*time=[^&]/)
    await page.keyboard.press('Enter')
    await (await taken).finished()
    await sheet
      .getByText(/free all evening/)
      .first()
      .waitFor()
    assert.equal(
      await page.evaluate('document.activeElement.className.trim()'),
      'time',
      'the keyboard stays at the time',
    )
    const after = await tabsTo('guestName')
    assert.ok(after <= 7, `${after} Tabs to the name once a time is chosen`)
  })

  it('a party of the waitlist gets a table for later, and a booking is changed, in the same sheet over the page', async () => {
    const { book, host } = await open()
    const { page } = host
    const sheet = page.locator('#sheet-over')
    await host.open('/office/waitlist')
    await host.fill('Name', 'Ada Lund')
    await host.press('Add to waitlist')
    await host.reads('on the waitlist, quoted')
    await host.open('/office/service')
    await page.getByLabel('More for Ada Lund').click()
    await page.setViewportSize({ width: 1180, height: 620 })
    await page.locator('.row-menu:popover-open summary', { hasText: 'Change…' }).click()
    const unfolded = page.locator('.row-menu:popover-open .edit-party').getByRole('button', { name: 'Save' })
    // What a menu unfolds comes into sight, however long it is.
    await eventually(() => isInSight(unfolded))
    await page.setViewportSize({ width: 1180, height: 820 })
    await page.getByRole('link', { name: 'Book for later' }).click()
    await sheet.getByRole('heading', { name: 'Book for later' }).waitFor()
    assert.equal(await sheet.getByLabel('Name', { exact: true }).inputValue(), 'Ada Lund')
    await pictureOf(page, '/later-sheet')
    await sheet.locator('.time', { hasText: '8:00 PM' }).click()
    await sheet.getByText(/Table 24, free all evening/).waitFor()
    assert.deepEqual(await faultsByAxe(page), [])
    await sheet.getByRole('button', { name: 'Book', exact: true }).click()
    await host.reads('Ada Lund, 2 guests: has a table for later, at 8:00 PM, table 24.')
    assert.match(page.url(), /office\/service/)
    const [id] = Object.keys(await heldTables(service, book.venue))

    await page.getByLabel('More for Ada Lund').click()
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await sheet.getByRole('heading', { name: 'Change booking' }).waitFor()
    assert.equal(
      await sheet.getByRole('link', { name: 'See all' }).getAttribute('href'),
      `/office/bookings/${id}`,
    )
    await sheet.locator('.time', { hasText: '8:30 PM' }).click()
    await sheet.locator('#table-picks label', { hasText: '26' }).last().click()
    await sheet.getByText(/Table 26, free all evening/).waitFor()
    await pictureOf(page, '/change-sheet')
    assert.deepEqual(await faultsByAxe(page), [])
    await book.query('update reservation set version = version + 1 where venue_id = $1', [book.venue.id])
    await sheet.getByRole('button', { name: 'Save', exact: true }).click()
    const refused = sheet.getByText(/Nothing was saved/)
    await refused.waitFor()
    assert.ok(await isInSight(refused), 'what was said is read without scrolling')
    await sheet.getByRole('button', { name: 'Save', exact: true }).click()
    await host.reads('Ada Lund: 2 guests, 8:30 PM, table 26 (was 8:00 PM, table 24).')
    assert.match(page.url(), /office\/service/)
    assert.deepEqual(await heldTables(service, book.venue), { [id as string]: '26!' })
    assert.equal((await book.row(Number(id))).time, '20:30')
  })

  it('the date, its days and the rest of the sheet are next to each other, of a new booking and of a change', async () => {
    const { book, host } = await open()
    const { page } = host
    const id = await book.booking('Confirmed', { time: '20:00', partySize: 4 })
    for (const address of ['/office/bookings/new?date=2026-10-06', `/office/bookings/${id}`]) {
      await host.open(address)
      for (const width of [700, 820, 1024, 1280]) {
        await page.setViewportSize({ width, height: 1180 })
        const edgesOf = (of: string) =>
          page.locator(of).evaluateAll((all) =>
            all.map((one) => {
              const { left, right } = one.getBoundingClientRect()
              return { left, right }
            }),
          )
        const [[form], [date], days] = await Promise.all([
          edgesOf('#booking-form'),
          edgesOf('input[name="date"]'),
          edgesOf('.day-pick'),
        ])
        assert.ok(form && date && days.length === 7)
        const at = `${address} at ${width} px`
        assert.ok(
          days.every(({ left }) => left >= date.right),
          `a day is below the date: ${at}`,
        )
        assert.ok(
          days.every(({ right }) => right <= form.right + 0.5),
          `a day is past the sheet: ${at}`,
        )
      }
    }
  })

  it('the guest a booking is given to is found while the name is typed', async () => {
    const { book, host } = await open()
    const { page } = host
    for (const [guestName, phone] of [
      ['Petra Quill', '212 555 0111'],
      ['Luca Marino', '212 555 0122'],
    ] as const) {
      await host.open('/office/bookings/new?date=2026-10-06&partySize=2&time=20:00')
      await host.fill('Name', guestName)
      await host.fill('Phone', phone)
      await page.getByRole('button', { name: 'Book', exact: true }).click()
      await host.reads(`${guestName}, 2 guests at`)
    }
    const [first] = await book.query('select min(id) as id from reservation where venue_id = $1', [
      book.venue.id,
    ])
    await host.open(`/office/bookings/${Number(first?.id)}`)
    await page.getByText('Not their booking?').click()
    await page.getByLabel('Name or phone of the other guest').pressSequentially('luca')
    const found = page.locator('#other-guest').getByRole('button', { name: /Luca Marino/ })
    await found.waitFor()
    assert.deepEqual(await faultsByAxe(page), [])
    await pictureOf(page, '/other-guest')
    await found.click()
    await host.reads('The booking counts for Luca Marino now, and no longer for Petra Quill.')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await host.reads('The booking counts for Petra Quill again, and no longer for Luca Marino.')
  })

  it('tables are a group of one stop, chosen by arrows; on a phone and without script the sheet is a page', async () => {
    const { book, host } = await open()
    const { page } = host
    const address = '/office/bookings/new?date=2026-10-06&partySize=2&time=20:00'
    for (const size of [
      { width: 1280, height: 800 },
      { width: 820, height: 1180 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await host.open(address)
        await unfold(page)
        assert.deepEqual(
          [
            ...(await faultsByAxe(page)),
            ...(await sidewaysScroll(page)),
            ...(await outOfColumn(page)),
            ...(await lowTargets(page)),
          ],
          [],
        )
      }
    }
    await page.locator('#table-picks input').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText(/Table 24, free all evening/).waitFor()
    await host.open('/office/service')
    await page.locator('.lintel [aria-keyshortcuts="n"]').click()
    await page.waitForURL(/bookings\/new/)
    const plain = await browser.visitor(service, { javaScriptEnabled: false })
    await plain.signIn((await staffOf(service, book.venue, 'manager')).email)
    await plain.open(address)
    await plain.page.locator('#table-picks label', { hasText: '26' }).first().click()
    await plain.fill('Name', 'Ben')
    await plain.page.getByRole('button', { name: 'Book', exact: true }).click()
    await plain.reads('Ben, 2 guests at 8:00 PM, table 26: booked.')
    assert.deepEqual(Object.values(await heldTables(service, book.venue)), ['26!'])
  })
})
