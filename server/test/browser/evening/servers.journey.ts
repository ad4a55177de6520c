import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dinner, openBook, staff } from '../../../book/reservations/test/book.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { addServer, savePlan } from '../../../book/servers/actions.ts'
import { lineUpOf } from '../../../book/servers/test/line-up.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { faultsOf, phone, pictureOf } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

const names = ['Ann Lee', 'Bo Park', 'Cy Moss', 'Di Fox', 'Ed Ray']

describe('servers and their line-up, in a browser', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock('2026-10-06T23:40:00Z') // Tuesday, 19:40 in New York
  })

  it('five servers are a line-up by six presses; pages are accessible and hold still; one is cut and taken back', async () => {
    const tables = Array.from({ length: 10 }, (_, n) => ({ label: String(n + 1), most: 4, x: n * 3, y: 0 }))
    const book = await openBook(service, dinner(tablesOf(tables)))
    await turnTablesOn(service, book.venue)
    const manager = staff('manager')
    for (const name of names)
      await book.act((work) =>
        addServer(work, manager, { name, initials: '', color: '', account: null, isOn: true }),
      )
    const sections = ['1 2', '3 4', '5 6', '7 8', '9 10']
    await book.act((work) =>
      savePlan(work, manager, { id: undefined, version: 0, name: 'Usual', isOn: true, sections }),
    )
    await book.booking('Confirmed', { guestName: 'Priya Raman', time: '19:30', partySize: 3, email: null })
    const visitor = await browser.visitor(service)
    await visitor.signIn((await staffOf(service, book.venue, 'manager')).email)
    const { page } = visitor
    await visitor.open('/office/line-up')
    let presses = 0
    const press = async (role: 'checkbox' | 'button', name: RegExp) => {
      await page.getByRole(role, { name }).first().click()
      presses++
    }
    for (const name of names) await press('checkbox', new RegExp(name))
    await press('button', /^Save line-up$/)
    await page.getByText('Line-up saved.').waitFor()
    assert.equal(presses, 6)
    await press('button', /^Cut Ann Lee$/)
    await page.getByText('Cut: the tables of Ann Lee take nobody new.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await page.getByText('The tables of Ann Lee are in use again.').waitFor()
    assert.deepEqual(
      await faultsOf(visitor, [
        '/office/settings/servers',
        '/office/line-up',
        '/office/floor',
        '/office/service/close-out',
      ]),
      [],
    )
  })
  it('tables are dragged between the sections of a plan, or moved by arrow keys, and typing shows at once', async () => {
    const tables = ['1', '2', '3', 'Bar 1'].map((label) => ({ label, most: 4 }))
    const book = await openBook(service, dinner(tablesOf(tables)))
    await turnTablesOn(service, book.venue)
    const manager = staff('manager')
    const usual = { id: undefined, version: 0, name: 'Usual', isOn: true }
    await book.act((work) => savePlan(work, manager, { ...usual, sections: ['1 2', '3'] }))
    const visitor = await browser.visitor(service)
    await visitor.signIn((await staffOf(service, book.venue, 'manager')).email)
    const { page } = visitor
    await visitor.open('/office/settings/servers')
    await page.locator('#section-plans summary', { hasText: 'Usual' }).click()
    const form = page.locator('form[data-sections]').first()
    const chip = (label: string) => form.locator(`[data-label="${label}"]`)
    const field = (n: number) => form.locator('input[name="section"]').nth(n - 1)
    const middle = async (at: ReturnType<typeof chip>) => {
      await at.scrollIntoViewIfNeeded()
      const box = await at.boundingBox()
      assert.ok(box)
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    }
    const to = await middle(form.locator('.section-box').nth(2))
    await page.mouse.move(...(await middle(chip('2'))))
    await page.mouse.down()
    await page.mouse.move(...to, { steps: 4 })
    await page.mouse.up()
    assert.deepEqual([await field(1).inputValue(), await field(2).inputValue()], ['1', '2 3'])
    await chip('Bar 1').focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await field(1).inputValue(), '1, Bar 1')
    await page.getByText(/^Table Bar 1: section.1\. Save to keep it\.$/).waitFor()
    assert.equal(await page.evaluate('document.activeElement.dataset.label'), 'Bar 1')
    await field(3).fill('1')
    assert.equal(await chip('1').count(), 2, 'a table in two sections is seen')
    await field(1).fill('Bar 1')
    assert.equal(await chip('1').getAttribute('data-place'), '3')
    await form.getByRole('button', { name: 'Save sections' }).click()
    await page.getByText('The section plan was saved.').waitFor()
    await visitor.open('/office/settings/servers')
    assert.deepEqual(
      await page
        .locator('form[data-sections] input[name="section"]')
        .evaluateAll((all) => all.slice(0, 3).map((one) => one.value)),
      ['Bar 1', '2 3', '1'],
    )
    assert.deepEqual(visitor.complaints(), [])
    assert.deepEqual(await faultsOf(visitor, ['/office/settings/servers']), [])
    await page.setViewportSize({ width: 1280, height: 900 })
    await pictureOf(page, '/sections.1280')
    await page.setViewportSize(phone)
    await pictureOf(page, '/sections.390')
  })

  it('on a server’s own phone there are their parties, and a press says how far one is', async () => {
    const book = await openBook(service, dinner(tablesOf([{ label: 'T1', most: 4 }])))
    await turnTablesOn(service, book.venue)
    const account = await staffOf(service, book.venue, 'server', 'ann@example.com')
    await lineUpOf(book, [{ name: 'Ann Lee', tables: 'T1', account: account.id }])
    const id = await book.booking('Confirmed', {
      guestName: 'Priya Raman',
      time: '19:30',
      partySize: 3,
      email: 'priya@example.com',
      phone: '+1 212 555 0143',
    })
    await book.query("update reservation set notes = 'A high chair, please' where venue_id = $1", [
      book.venue.id,
    ])
    await book.query("update guest set allergies = 'Peanuts, shellfish' where venue_id = $1", [book.venue.id])
    await book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat' }))
    const visitor = await browser.visitor(service)
    await visitor.signIn(account.email)
    const { page } = visitor
    await page.setViewportSize(phone)
    await visitor.open('/office')
    await page.getByRole('heading', { name: 'T1 Priya Raman' }).waitFor()
    await page.getByRole('button', { name: /^Take order/ }).click()
    await page.getByText('Priya Raman: ordered.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Priya Raman: seated.').waitFor()
    assert.deepEqual(await faultsOf(visitor, ['/office/parties']), [])
  })
})
