import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, dinner, openBook, staff } from '../../../book/reservations/test/book.ts'
import { joinWaitlist, moveEntry } from '../../../book/waitlist/actions.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

const sizes = [
  { width: 1280, height: 800 },
  { width: 1180, height: 820 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]

/** Moments of Tuesday 6 October 2026 in New York: as the doors open, at the height of it, and near the end. */
const moments = ['2026-10-06T21:00:00Z', '2026-10-06T23:40:00Z', '2026-10-07T03:50:00Z'] as const
const height = moments[1]

/** What the browser and htmx report of a look or a press that nothing answered. */
const lookFailed = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|htmx:error: timeout/

describe('the service screen in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(height)
  })

  /** An evening with a party every quarter of an hour, of which the early ones have long been seated. */
  const openEvening = async (): Promise<{ book: TestBook; email: string }> => {
    const book = await openBook(service, dinner({ pacing: { intervalMinutes: 15, maxCovers: 40 } }))
    for (let quarter = 0; quarter < 36; quarter++) {
      const minute = 17 * 60 + quarter * 15
      const time = `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      const date = minute >= 1440 ? '2026-10-07' : '2026-10-06'
      await book.booking('Confirmed', { date, time, guestName: `Party ${time}`, email: null })
    }
    const { email } = await staffOf(service, book.venue, 'host')
    return { book, email }
  }
  const row = ({ page }: Visitor, name: string) => page.locator('.row', { hasText: name }).first()
  const statusOf = async (book: TestBook, name: string) =>
    (
      await book.query('select status from reservation where venue_id = $1 and guest_name = $2', [
        book.venue.id,
        name,
      ])
    ).map(({ status }) => status)

  /** How often Tab is pressed on a page just opened until something within is reached. */
  const tabsTo = async ({ page }: Visitor, selector: string): Promise<number> => {
    for (let count = 1; count <= 20; count++) {
      await page.keyboard.press('Tab')
      const isThere = `document.activeElement?.closest('${selector}') !== null`
      if (await page.evaluate(isThere)) return count
    }
    return Number.POSITIVE_INFINITY
  }

  it('the first party to seat is in sight at 17:00, 19:40 and 23:50, at four sizes', async () => {
    const { book, email } = await openEvening()
    await book.booking('Requested', { time: '23:45', guestName: 'Wants An Answer' })
    const host = await browser.visitor(service)
    await host.signIn(email)
    for (const moment of moments) {
      service.setClock(moment)
      for (const size of sizes) {
        await host.page.setViewportSize(size)
        await host.open('/office/service')
        const first = host.page.locator('#arriving .row.first')
        const [box, button] = [await first.boundingBox(), await first.locator('.row-go button').boundingBox()]
        const at = `${moment} ${size.width}`
        assert.ok(
          box && box.y >= 0 && box.y + box.height <= size.height - 60,
          `${at}: ${JSON.stringify(box)}`,
        )
        assert.ok(button && button.height >= 44 && button.x + button.width <= size.width, at)
        const rows = host.page.locator('#arriving .row').filter({ visible: true })
        const heights = await rows.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
        // A row of 56 px, and the line that parts it from the next.
        assert.ok(Math.max(...heights) <= 57, `${at}: a row is low: ${Math.max(...heights)}`)
        // On a phone the tabs of the lists lie between.
        const most = size.width < 800 ? 11 : 8
        const tabs = await tabsTo(host, '#arriving .row.first')
        assert.ok(tabs <= most, `${at}: ${tabs} Tabs`)
      }
    }
    service.setClock(height)
  })

  it('a long name is read whole in a row of the waitlist or behind its mark, which stays as low as any, at four sizes', async () => {
    const { email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    const names = ['Vincent Pellegrino', 'Christopher Featherstone', 'Anneliese von Habsburg-Lothringen']
    for (const name of names) {
      await host.open('/office/waitlist')
      await host.fill('Name', name)
      await host.fill('Guests', '2')
      await host.press('Add to waitlist')
      await host.reads(`${name}, 2 guests: on the waitlist`)
    }
    for (const size of sizes) {
      await host.page.setViewportSize(size)
      await host.open('/office/service?list=waiting')
      if (size.width < 700) await host.page.locator('[data-list="waiting"]').click()
      const seen = await host.page.locator('#waiting .row-name').evaluateAll((all) =>
        all.map((one) => ({
          name: one.firstChild?.textContent?.trim(),
          isCut: one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1,
          row: one.closest('.row')?.getBoundingClientRect().height,
          isMarked: one.closest('.row')?.querySelector('.peek-mark') !== null,
        })),
      )
      assert.deepEqual(new Set(seen.map(({ name }) => name)), new Set(names))
      for (const { name, isCut, isMarked, row: high } of seen) {
        // The longest name has a mark, which opens all of it.
        assert.ok(isMarked || !isCut, `${name} at ${size.width}`)
        assert.ok(high !== undefined && high <= 56, `${name} at ${size.width}: ${high}`)
      }
    }
  })

  it('a double tap seats one party, not the one that moves up under the finger; a menu closes with its press', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    await host.open('/office/service')
    const seatings = () =>
      book.query(`select id from reservation where venue_id = $1 and seated_at is not null`, [book.venue.id])
    const first = host.page.locator('#arriving .row.first')
    const name = (await first.locator('.row-name').textContent())?.split(',')[0] ?? ''
    const box = await first.locator('.row-go button').boundingBox()
    assert.ok(box)
    const tap = () => host.page.mouse.click(box.x + 12, box.y + 12)
    await tap()
    await host.page.locator('#seated .row', { hasText: name }).waitFor()
    await tap()
    const menu = host.page.locator('#waiting .row-menu')
    await host.page.locator('#arriving .row.first .row-more').click()
    await host.page
      .locator('#arriving .row.first .row-menu')
      .getByRole('button', { name: 'Here', exact: true })
      .click()
    await menu.first().waitFor({ state: 'attached' })
    assert.equal(await host.page.locator('.row-menu:popover-open').count(), 0)
    assert.equal((await seatings()).length, 1)
  })

  it('a row that left by a press keeps its place for two seconds, with the way back: whenever a second tap comes, one party is seated', async () => {
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    await host.page.clock.install()
    await host.signIn(email)
    await host.open('/office/service')
    const seatings = async () =>
      (
        await book.query(`select id from reservation where venue_id = $1 and seated_at is not null`, [
          book.venue.id,
        ])
      ).length
    const first = host.page.locator('#arriving .row.first')
    const name = (await first.locator('.row-name').textContent())?.split(',')[0] ?? ''
    const box = await first.locator('.row-go button').boundingBox()
    assert.ok(box)
    const tap = () => host.page.mouse.click(box.x + 12, box.y + 12)
    // From here on only the test moves the clock, however slow the machine is.
    await host.page.clock.pauseAt(await host.page.evaluate<number>('Date.now() + 1_000'))
    await tap()
    const place = host.page.locator('#arriving .stand-in')
    await eventually(async () => {
      await host.page.clock.runFor(1)
      return (await place.count()) > 0
    })
    await place.filter({ hasText: `${name}, 2 guests: seated` }).waitFor()
    // At 0.3, 0.8, 1.3, 1.7 and 1.9 s after the press.
    for (const ms of [300, 500, 500, 400, 200]) {
      await host.page.clock.runFor(ms)
      assert.equal(await place.count(), 1)
      await tap()
    }
    assert.equal(await seatings(), 1)
    await host.page.clock.runFor(2_500)
    await place.waitFor({ state: 'detached' })
    await host.page.keyboard.press('u')
    await host.reads(`${name}, 2 guests: seating undone.`)
    assert.equal(await seatings(), 0)
    assert.deepEqual(host.complaints(), [])
  })

  it('so does a row that is finished and folded below its list', async () => {
    const { book, email } = await openEvening()
    for (const guestName of ['Ann Leaves', 'Bob Stays'])
      await book.booking('Seated', { time: '18:00', guestName })
    await book.query(`update reservation set floor_stage = 'Paid' where venue_id = $1`, [book.venue.id])
    const host = await browser.visitor(service)
    await host.page.clock.install()
    await host.signIn(email)
    await host.open('/office/service')
    const done = row(host, 'Ann Leaves').getByRole('button', { name: 'Done' })
    const box = await done.boundingBox()
    await done.click()
    const place = host.page.locator('#seated .stand-in', { hasText: 'Ann Leaves, 2 guests: left' })
    await place.waitFor()
    const at = await place.boundingBox()
    assert.ok(box && at && at.y < box.y && box.y < at.y + at.height, 'it lies where the press was')
    await host.page.clock.runFor(2_500)
    await place.waitFor({ state: 'detached' })
    assert.deepEqual(await statusOf(book, 'Bob Stays'), ['Seated'])
    assert.deepEqual(host.complaints(), [])
  })

  it('a row that another screen takes away keeps its place as long, and says nothing of a press made here before', async () => {
    const { book, email } = await openEvening()
    const joined = { partySize: 2, email: null, phone: null, notes: null, windowStart: null, windowEnd: null }
    const waits = (guestName: string) =>
      book.act((work) => joinWaitlist(work, staff('host'), { ...joined, guestName }))
    const { id } = await waits('Ann Waits')
    await waits('Bob Waits')
    const host = await browser.visitor(service)
    await host.page.clock.install()
    await host.signIn(email)
    await host.open('/office/service')
    const row = host.page.locator(`#w${id}`)
    await row.getByRole('button', { name: 'Page' }).click()
    await row.getByText('Paged').first().waitFor()
    const below = host.page.locator('#waiting .row', { hasText: 'Bob Waits' })
    const before = await below.boundingBox()
    const renewed = async (): Promise<void> => {
      await host.page.clock.runFor(5_000)
      await host.page.evaluate(`htmx.trigger(document.querySelector('[hx-trigger^="every"]'), 'every')`)
    }
    await book.act((work) => moveEntry(work, { kind: 'guest' }, { id, move: 'leave' }))
    await host.page.clock.pauseAt(await host.page.evaluate<number>('Date.now() + 1_000'))
    await renewed()
    const place = host.page.locator('#waiting .stand-in')
    await eventually(async () => {
      await host.page.clock.runFor(1)
      return (await place.count()) > 0
    })
    assert.equal(await place.textContent(), 'Ann Waits: no longer in this list')
    assert.equal((await below.boundingBox())?.y, before?.y, 'nothing has slid')
    await host.page.clock.runFor(1_900)
    assert.equal((await below.boundingBox())?.y, before?.y)
    await host.page.clock.runFor(200)
    await place.waitFor({ state: 'detached' })
    assert.deepEqual(host.complaints(), [])
  })

  it('a list is one stop for Tab, arrows lead within and between lists, and a number of guests follows the key of the walk-in', async () => {
    const { book, email } = await openEvening()
    await book.booking('Seated', { time: '18:00', guestName: 'Sits' })
    const host = await browser.visitor(service)
    await host.signIn(email)
    await host.open('/office/service')
    const stops = await host.page
      .locator('#arriving .row')
      .evaluateAll(
        (rows) => rows.filter((one) => one.querySelector('a[tabindex="0"], button[tabindex="0"]')).length,
      )
    assert.equal(stops, 1)
    const listOf = () => host.page.evaluate(`document.activeElement.closest('.list')?.id ?? ''`)
    await host.page.evaluate('document.activeElement.blur()')
    await host.page.keyboard.press('ArrowDown')
    assert.equal(await listOf(), 'arriving')
    await host.page.keyboard.press('ArrowDown')
    const second = await host.page.evaluate(`document.activeElement.closest('.row').id`)
    await host.page.keyboard.press('ArrowRight')
    assert.equal(await listOf(), 'seated')
    await host.page.keyboard.press('ArrowLeft')
    assert.equal(await host.page.evaluate(`document.activeElement.closest('.row').id`), second)
    await host.page.keyboard.press('Escape')
    assert.equal(await listOf(), '')
    await host.page.keyboard.press('w')
    await host.page.keyboard.press('4')
    await host.page.locator('#pad-answer', { hasText: '4 guests.' }).waitFor()
    const isAtAnswer = () => host.page.evaluate(`document.activeElement.closest('.pad') !== null`)
    assert.ok(await isAtAnswer(), 'the focus stays at the pad')
    await host.page.keyboard.press('Escape')
    assert.equal(await host.page.locator('#pad-answer form').count(), 0)
    assert.equal(await listOf(), 'arriving')
    await host.page.locator('button.pad-size[value="2"]').click()
    await host.page.getByRole('button', { name: /^Wait, quote/ }).click()
    await host.page.locator('#waiting .row').waitFor()
    await host.page.locator('#seated .row-who').first().focus()
    await host.page.keyboard.press('ArrowLeft')
    assert.equal(await listOf(), 'waiting', 'a party of the waitlist has no page')
    await host.open('/office/service')
    let keys = await tabsTo(host, '#arriving .row')
    for (const list of ['waiting', 'seated']) {
      await host.page.keyboard.press('ArrowRight')
      keys += 1
      assert.equal(await listOf(), list)
    }
    assert.ok(keys <= 12, `${keys} keys to the last list of a page just opened`)
    assert.deepEqual(host.complaints(), [])
  })

  it('the dots of a row open its menu at once after a press in it', async () => {
    const { email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    await row(host, 'Party 20:15').getByRole('button', { name: 'Here', exact: true }).click()
    const here = host.page.locator('#waiting .row', { hasText: 'Party 20:15' })
    await here.locator('.row-more').click()
    await here.locator('.row-menu:popover-open').waitFor()
  })

  for (const delay of [20, 40, 120, 250]) {
    it(`digits behind \`w\` are one number, with ${delay} ms between them`, async () => {
      const { email } = await openEvening()
      const host = await browser.visitor(service)
      await host.signIn(email)
      await host.open('/office/service')
      const { page } = host
      const typed = async (digits: string, guests: string) => {
        await page.keyboard.press('w')
        await page.keyboard.type(digits, { delay })
        await page.locator('#pad-answer', { hasText: guests }).waitFor()
        await page.locator('.pad-other').blur()
      }
      await typed('13', '13 guests.')
      await typed('2', '2 guests.')
      await typed('9', '9 guests.')
      await typed('24', '24 guests.')
      assert.deepEqual(host.complaints(), [])
    })
  }

  it('a digit behind an answer that was read is another size', async () => {
    const { email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    await host.open('/office/service')
    await host.page.keyboard.press('w')
    await host.page.keyboard.type('24', { delay: 1_500 })
    await host.page.locator('#pad-answer', { hasText: '4 guests.' }).waitFor()
    assert.equal(await host.page.locator('.pad-other').inputValue(), '')
  })

  it('a larger party at the door is read as it is typed, with Enter and without', async () => {
    const { email } = await openEvening()
    const host = await browser.visitor(service)
    await host.signIn(email)
    const other = host.page.getByLabel('Guests of a larger party')
    await other.fill('12')
    await host.page.locator('#pad-answer', { hasText: '12 guests.' }).waitFor()
    await other.fill('9')
    await other.press('Enter')
    await host.page.locator('#pad-answer', { hasText: '9 guests.' }).waitFor()
    await host.press('Party of 3')
    await host.page.locator('#pad-answer', { hasText: '3 guests.' }).waitFor()
    assert.equal(await other.inputValue(), '')
    const plain = await browser.visitor(service, { javaScriptEnabled: false })
    await plain.signIn(email)
    await plain.page.getByLabel('Guests of a larger party').fill('14')
    await plain.page.keyboard.press('Enter')
    await plain.page.locator('#pad-answer', { hasText: '14 guests.' }).waitFor()
  })

  it('a move on one screen is seen on another by itself, and keys go where they should', async () => {
    const { email } = await openEvening()
    const [one, two] = [await browser.visitor(service), await browser.visitor(service)]
    for (const host of [one, two]) await host.signIn(email)
    const seen = two.page.locator('#waiting .row', { hasText: 'Party 20:15' }).waitFor()
    await row(one, 'Party 20:15').getByRole('button', { name: 'Here', exact: true }).click()
    await seen
    await one.page.keyboard.press('w')
    assert.equal(await one.page.evaluate('document.activeElement.className'), 'pad-size')
    const focused = () => one.page.evaluate<string>('document.activeElement.ariaLabel')
    const sizes = await one.page.locator('.pad-sizes > :is(button, input)').evaluateAll((all) => {
      const tops = all.map((button) => button.getBoundingClientRect().top)
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length)
    })
    assert.ok(['9', '5,4'].includes(sizes.join()), `no size is alone in a line: ${sizes.join()}`)
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await one.page.keyboard.press(key)
    assert.equal(await focused(), 'Party of 2')
    await one.page.keyboard.press('Tab')
    assert.equal(await focused(), 'Guests of a larger party', 'all sizes are one stop')
    await one.page.keyboard.press('Shift+Tab')
    assert.equal(await focused(), 'Party of 2')
    await one.page.keyboard.press('ArrowDown')
    assert.match(
      await one.page.evaluate<string>('document.activeElement.closest(".row")?.id ?? "none"'),
      /^[wb]\d+$/,
      'below them are the rows',
    )
    await one.page.locator('#arriving .row-who').first().focus()
    await one.page.keyboard.press('ArrowDown')
    const inSecond = await one.page.evaluate(
      `document.activeElement.closest('.row') === document.querySelectorAll('#arriving .row')[1]`,
    )
    assert.ok(inSecond)
    await one.page.keyboard.press('n')
    await one.page.locator('#sheet-over').waitFor()
  })

  it('the network goes before two presses: the page says which are not answered, and each is made once when it is back', async () => {
    const { book, email } = await openEvening()
    await book.booking('Confirmed', { time: '19:45', guestName: 'Vera Vogel', email: 'vera@example.com' })
    await book.query(
      'insert into guest_house (venue_id, id, vip) select venue_id, id, true from guest where venue_id = $1',
      [book.venue.id],
    )
    const host = await browser.visitor(service)
    await host.signIn(email)
    await host.press('Party of 3')
    await host.page.getByLabel('Name of the walk-in').fill('Ana Costa')
    await host.page.context().setOffline(true)
    await host.page.getByRole('button', { name: 'Seat 3 now' }).click()
    await host.reads(/No connection: what you see is from/)
    await host.reads(/“Seat 3 now” is not answered yet/)
    await row(host, 'Vera Vogel').getByRole('button', { name: 'Seat', exact: true }).click()
    await host.reads(/“Seat 3 now”, “Seat: Vera Vogel” are not answered yet/)
    assert.deepEqual(await statusOf(book, 'Ana Costa'), [])
    // The time is the service's: this device's clock is weeks ahead of it.
    assert.match((await host.page.locator('#offline').textContent()) ?? '', /what you see is from 7:40 PM\./)
    assert.equal(await host.page.locator('#clock .when-live').isVisible(), false)
    assert.equal(await host.page.locator('#clock .when-offline').isVisible(), true)
    await host.page.context().setOffline(false)
    await host.reads('Vera Vogel, 2 guests: seated.')
    assert.deepEqual(await statusOf(book, 'Ana Costa'), ['Seated'])
    assert.deepEqual(await statusOf(book, 'Vera Vogel'), ['Seated'])
    assert.deepEqual(
      host.complaints().filter((one) => !lookFailed.test(one)),
      [],
    )
  })

  it('a walk-in leaves the pad as it was; a question is next to its answers, and beside its row', async () => {
    service.setClock(height)
    const book = await openBook(service, dinner({ pacing: { intervalMinutes: 15, maxCovers: 2 } }))
    await book.booking('Confirmed', { time: '19:45', guestName: 'Ben Iyer' })
    const { email } = await staffOf(service, book.venue, 'host')
    for (const viewport of sizes.slice(1)) {
      const host = await browser.visitor(service, { viewport })
      const { page } = host
      await host.signIn(email)
      await page.goto(`${service.url}/office/service?list=waiting`)
      await page.getByLabel('Party of 3').click()
      await page.getByLabel('Name of the walk-in').fill('Fiona Lynch')
      await page.getByRole('button', { name: /^Wait, quote/ }).click()
      await host.reads(/Fiona Lynch, 3 guests: on the waitlist/)
      assert.equal(await page.locator('.pad-size[aria-pressed="true"]').count(), 0)
      await row(host, 'Fiona Lynch').getByRole('button', { name: 'Page', exact: true }).click()
      await host.reads(/Fiona Lynch, 3 guests: paged/)
      await page.reload()
      await row(host, 'Fiona Lynch').getByRole('button', { name: 'Seat', exact: true }).click()
      await host.reads('Fiona Lynch, 3 guests: seat now anyway?')
      const question = page.locator('.said-box.asks')
      const [box, ...buttons] = await Promise.all([
        question.boundingBox(),
        question.getByRole('button', { name: 'Seat now anyway' }).boundingBox(),
        question.getByRole('button', { name: 'Never mind' }).boundingBox(),
      ])
      const width = `${viewport.width}`
      assert.equal(buttons[0]?.y, buttons[1]?.y, `${width}: the answers are next to each other`)
      assert.ok((buttons[0]?.x ?? 0) < (buttons[1]?.x ?? 0), width)
      const asking = await row(host, 'Fiona Lynch').boundingBox()
      const below = (box?.y ?? 0) - ((asking?.y ?? 0) + (asking?.height ?? 0))
      assert.ok(below >= 0 && below < 24, `${width}: ${below} px below its row`)
      await question.getByRole('button', { name: 'Never mind' }).click()
      await book.query('delete from waitlist_entry where venue_id = $1', [book.venue.id])
    }
  })

  it('the network goes for 30 s in the middle of presses that arrived: done once, and the page says so', async () => {
    service.setClock(height)
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    const { page } = host
    await page.clock.install()
    await host.signIn(email)
    /** The service takes it, and nobody hears the answer; then nothing arrives at all. */
    const loseAnswer = async (path: string) => {
      await page.route(
        path,
        async (route) => {
          await route.fetch({ maxRedirects: 0 })
          await page.context().setOffline(true)
          await route.abort()
        },
        { times: 1 },
      )
    }
    const comesBack = async () => {
      await page.clock.runFor(30_000)
      await page.context().setOffline(false)
      await page.clock.runFor(2_000)
    }
    await host.press('Party of 3')
    await page.getByLabel('Name of the walk-in').fill('Ana Costa')
    await loseAnswer('**/office/service/walk-ins')
    await page.getByRole('button', { name: 'Seat 3 now' }).click()
    await host.reads(/“Seat 3 now” is not answered yet/)
    await comesBack()
    await host.reads('Ana Costa, 3 guests: seated.')
    assert.deepEqual(await statusOf(book, 'Ana Costa'), ['Seated'])

    await loseAnswer('**/office/bookings/*/moves')
    await row(host, 'Party 19:45').getByRole('button', { name: 'Seat', exact: true }).click()
    await host.reads(/“Seat: Party 19:45” is not answered yet/)
    await comesBack()
    await host.reads('Party 19:45, 2 guests: seated.')
    await page.locator('#said').getByRole('button', { name: 'Undo' }).waitFor()
    assert.deepEqual(await statusOf(book, 'Party 19:45'), ['Seated'])

    const [strip] = await page.locator('details', { has: page.getByLabel('Slot') }).all()
    await strip?.locator('summary').first().click()
    await loseAnswer('**/office/service/slots')
    await page.getByLabel('Slot').selectOption('1230')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await host.reads(/“Add” is not answered yet/)
    await comesBack()
    await host.reads(/8:30\sPM takes 44 covers tonight\./)
    const raised = await book.query('select covers from pacing_exception where venue_id = $1', [
      book.venue.id,
    ])
    assert.deepEqual(raised, [{ covers: 44 }])
    assert.deepEqual(
      host.complaints().filter((one) => !lookFailed.test(one)),
      [],
    )
  })

  it('a press that hears nothing is said to be unanswered, sent again however often it fails, and made once', async () => {
    service.setClock(height)
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    const { page } = host
    await page.clock.install()
    await host.signIn(email)
    let tries = 0
    await page.route('**/office/service/walk-ins', async (route) => {
      tries++
      // The first hangs until the page gives up; the second breaks off; the third arrives.
      if (tries === 2) await route.abort()
      if (tries > 2) await route.fallback()
    })
    await host.press('Party of 3')
    await page.getByLabel('Name of the walk-in').fill('Ana Costa')
    await page.getByRole('button', { name: 'Seat 3 now' }).click()
    await eventually(() => tries === 1)
    await page.clock.runFor(10_000)
    await host.reads(/“Seat 3 now” is not answered yet/)
    await page.clock.runFor(5_000)
    await host.reads('Ana Costa, 3 guests: seated.')
    assert.deepEqual(await statusOf(book, 'Ana Costa'), ['Seated'])
    assert.equal(tries, 3)
    assert.deepEqual(
      host.complaints().filter((one) => !lookFailed.test(one)),
      [],
    )
  })

  it('without script a press comes back to a whole screen, which does not say that it is live', async () => {
    service.setClock(height)
    const { book, email } = await openEvening()
    const host = await browser.visitor(service, { javaScriptEnabled: false })
    await host.signIn(email)
    for (const size of sizes.slice(0, 3)) {
      await host.page.setViewportSize(size)
      const name = `Party ${['20:15', '20:30', '20:45'][sizes.indexOf(size)]}`
      await row(host, name).getByRole('button', { name: 'Here', exact: true }).click()
      await host.page.locator('#waiting .row', { hasText: name }).waitFor()
      assert.match(host.page.url(), /#b\d+$/)
      const top = await host.page.locator('.lintel').boundingBox()
      assert.equal(top?.y, 0, `${size.width}: the page itself did not scroll`)
      const last = await host.page.locator('.last').boundingBox()
      assert.ok(last && last.y + last.height <= size.height && last.y > size.height - 200, `${size.width}`)
      assert.equal(await host.page.getByText('Live', { exact: true }).isVisible(), false)
    }
    assert.equal(
      (
        await book.query('select 1 from reservation where venue_id = $1 and checked_in_at is not null', [
          book.venue.id,
        ])
      ).length,
      3,
    )
  })

  it('the clock and what counts minutes turn with the minute, without asking the service', async () => {
    service.setClock('2026-10-06T23:39:45Z')
    const { email } = await openEvening()
    const host = await browser.visitor(service)
    await host.page.clock.install()
    await host.signIn(email)
    const said = async () =>
      `${await host.page.locator('#clock').textContent()} ${await row(host, 'Party 20:15').textContent()}`
    assert.match(await said(), /7:39[^]*in 36/)
    await host.page.clock.runFor(20_000)
    assert.match(await said(), /7:40[^]*in 35/)
    // The page's clock jumped while a look was on its way.
    assert.deepEqual(
      host.complaints().filter((one) => !lookFailed.test(one)),
      [],
    )
    service.setClock(height)
  })

  it('a screen that slept for an hour is true after waking', async () => {
    service.setClock(height)
    const { book, email } = await openEvening()
    const host = await browser.visitor(service)
    await host.page.clock.install()
    await host.page.addInitScript(`{
      window.looks = 0
      document.addEventListener('htmx:before:request', () => window.looks++)
      document.addEventListener('htmx:finally:request', () => window.looks--)
    }`)
    await host.signIn(email)
    const [seated, late] = ['Party 19:45', 'Party 20:15']
    await host.page.locator('#arriving .row', { hasText: seated }).waitFor()
    assert.doesNotMatch((await row(host, late).textContent()) ?? '', /late/)
    // From here on no timer of the page runs, as when the lid is closed. The jump to where it stops sends a last look,
    // which must be answered before anything changes: it would show the change.
    await host.page.clock.pauseAt((await host.page.evaluate(() => Date.now())) + 30_000)
    await eventually(async () => {
      await host.page.clock.runFor(1)
      return await host.page.evaluate<boolean>('window.looks === 0')
    })
    service.setClock('2026-10-07T00:20:00Z')
    const [booking] = await book.query('select id from reservation where venue_id = $1 and guest_name = $2', [
      book.venue.id,
      seated,
    ])
    const seat = { id: Number(booking?.id), move: 'seat' } as const
    assert.equal((await book.act((work) => moveReservation(work, staff('host'), seat))).kind, 'done')
    service.setClock('2026-10-07T00:40:00Z')
    assert.equal(await host.page.locator('#arriving .row', { hasText: seated }).count(), 1, 'it is asleep')
    await host.page.clock.fastForward('01:00:00')
    await host.page.clock.resume()
    await host.page.locator('#seated .row', { hasText: seated }).waitFor()
    assert.equal(await host.page.locator('#arriving .row', { hasText: seated }).count(), 0)
    assert.match((await row(host, late).textContent()) ?? '', /25 minutes late/)
    // And it can be worked on at once.
    await row(host, late).getByRole('button', { name: 'Seat', exact: true }).click()
    await host.reads(`${late}, 2 guests: seated.`)
    assert.deepEqual(await statusOf(book, late), ['Seated'])
    service.setClock(height)
    assert.deepEqual(host.complaints(), [])
  })
})
