import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runImports } from '../../../data/imports/run.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, type TestVenue, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

describe('a manager and an owner at work', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  const enter = async (role: 'manager' | 'owner', script: boolean): Promise<[Visitor, TestVenue]> => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, role)
    const visitor = await browser.visitor(service, { javaScriptEnabled: script })
    await visitor.signIn(email)
    return [visitor, venue]
  }

  for (const script of [true, false]) {
    const how = script ? '' : ', without script'

    it(`edits the hours and the API follows at once${how}`, async () => {
      const [manager, { key }] = await enter('manager', script)
      const book = async (time: string) => {
        const body = { guestName: 'Maya', partySize: 2, date: '2026-10-09', time }
        return service.call('POST', '/api/v1/reservations', { key, body })
      }
      assert.equal((await book('19:00')).body.reason, 'closed')
      await manager.page.getByRole('link', { name: 'Settings' }).click()
      const friday = manager.page.locator('#day-5')
      await friday.getByText('Change', { exact: true }).click()
      await friday.getByLabel('Name').first().fill('Dinner')
      await friday.getByLabel('Opens').first().fill('17:00')
      await friday.getByLabel('Closes').first().fill('22:00')
      await friday.getByRole('button', { name: 'Save Fridays' }).click()
      await manager.reads('Fridays saved.')
      await manager.reads('Dinner 5:00 – 10:00 PM')
      assert.equal((await book('19:00')).status, 201)

      // Closing again would strand the booking: the page says so first.
      await friday.getByText('Change', { exact: true }).click()
      await friday.getByLabel('Remove this service').check()
      await friday.getByRole('button', { name: 'Save Fridays' }).click()
      await manager.reads('1 booking would be left without a service')
      await manager.press('Save anyway')
      await manager.reads('Fridays saved.')
      assert.equal((await book('19:30')).body.reason, 'closed')
    })

    it(`sells tickets at the box office, gives money back and never sells a seat too many${how}`, async () => {
      const [manager, { key }] = await enter('manager', script)
      await manager.open('/office/tickets/events')
      const { page } = manager
      await unfoldTo(manager, 'input[name=name]')
      await page.locator('input[name=name]').fill('Burgundy Night')
      await page.locator('form:has(input[name=name]) button').click()
      await manager.reads('Now add a date.')
      const dates = page.locator('form[action$="/dates"]')
      await unfoldTo(manager, 'form[action$="/dates"]')
      await dates.locator('[name=date]').fill('2026-10-12')
      await dates.locator('[name=startTime]').fill('18:00')
      await dates.locator('[name=capacity]').fill('4')
      await dates.locator('[name=price]').fill('95.00')
      await dates.locator('button').click()
      await manager.open('/office/tickets')
      await page.getByRole('link', { name: /Sell/ }).first().click()

      const sell = async (seats: string) => {
        await page.locator('#sale-seats').fill(seats)
        if (script) {
          await page.locator('#total', { hasText: `${seats} seats` }).waitFor()
          await manager.press('Sell')
        } else {
          // The first press shows the total, the second sells.
          await manager.press('Sell')
          await manager.reads('Nothing has been sold yet.')
          await manager.press('Sell')
        }
      }
      await sell('3')
      await manager.reads('Take $285.00 in cash.')
      const order = page.url()
      const orders = async () => (await service.call('GET', '/api/v1/ticket-orders', { key })).body
      assert.deepEqual(
        (await orders()).map(({ status, paymentMethod, total }: Record<string, unknown>) => [
          status,
          paymentMethod,
          total,
        ]),
        [['paid', 'cash', '285.00']],
      )

      await page.getByText('Refund…').click()
      await page.locator('[name=amount]').fill('95.00')
      await page.locator('[name=seats]').fill('1')
      await manager.press('Record the refund')
      await manager.reads('$95.00 refunded.')
      assert.equal((await orders())[0].status, 'partially_refunded')

      // Two seats are free now: three cannot be sold.
      await page.goto(order)
      await page.getByRole('link', { name: '‹ Burgundy Night' }).click()
      await page.locator('#sale-seats').fill('3')
      await manager.press('Sell')
      await manager.reads(/2 seats|only 2|2 left/)
      assert.equal((await orders()).length, 1)
    })

    it(`brings guests from a file, with a preview and a report of what was skipped${how}`, async () => {
      const [owner, { key }] = await enter('owner', script)
      const { page } = owner
      await page.getByRole('link', { name: 'Your data' }).click()
      const form = page.locator('form[action$="/imports/guests"]')
      const file = 'Name,Email\nLena Fuchs,lena@example.com\n<b>Omar</b>,omar@example.com\nNobody,nobody@@\n'
      await form
        .locator('input[type=file]')
        .setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
      await form.locator('button').click()
      await owner.reads('The first rows')
      await owner.reads('<b>Omar</b>')
      const guests = async () => (await service.call('GET', '/api/v1/guests', { key })).body
      assert.deepEqual(await guests(), [], 'nothing is written before the owner says so')
      await owner.press(/^Import 2 of 3 rows/)
      await owner.reads('You can leave this page.')
      await runImports(service.context)
      await eventually(async () => (await guests()).length === 2)
      // With script the figures renew themselves.
      if (!script) await page.reload()
      await owner.reads(script ? 'Finished: see the report' : 'Skipped rows')
      await page.goto(page.url())
      await owner.reads('Line 4')
    })
  }
})

/** Opens the fold that holds an element, if it is folded away. */
const unfoldTo = async ({ page }: Visitor, selector: string): Promise<void> => {
  const fold = page.locator(`details:not([open]):has(${selector}) > summary`).first()
  if ((await fold.count()) > 0) await fold.click()
}
