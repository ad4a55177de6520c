import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startSending } from '../../../marketing/campaigns/sending/engine.ts'
import { subscribe } from '../../../marketing/campaigns/test/list.ts'
import { atWork } from '../../office-forms.ts'
import { staffOf } from '../../office.ts'
import { eventually } from '../../eventually.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsByAxe } from '../check-page.ts'
import { withBrowser } from '../with-browser.ts'

const wide = { width: 1280, height: 900 }
const body = '<h1>Oyster week</h1>\n<p>Hello {{firstName|there}}, six kinds from Tuesday.</p>'

describe('a manager mails the guests', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  const manager = async (script = true, people = 120): Promise<Visitor> => {
    const venue = await service.venue({ name: 'The Blue Door' })
    await subscribe(service, venue, people)
    const { email } = await staffOf(service, venue, 'manager')
    const visitor = await browser.visitor(service, { javaScriptEnabled: script, viewport: wide })
    await visitor.signIn(email)
    // The settings a campaign needs, as a manager saves them.
    await visitor.open('/office/settings/venue')
    await visitor.page.locator('[name=postalAddress]').fill('212 West Orchard Street, New York')
    await visitor.page.locator('[name=testAddresses]').fill('me@example.com')
    await visitor.press('Save')
    await visitor.reads('Venue saved.')
    return visitor
  }
  const isWell = async ({ page }: Visitor, where: string): Promise<void> =>
    assert.deepEqual(await faultsByAxe(page), [], where)

  for (const script of [true, false]) {
    it(`writes it, looks at it, builds the list, tests it, sends it and stops it${script ? '' : ', without script'}`, async () => {
      const visitor = await manager(script)
      const { page } = visitor
      await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click()
      await visitor.reads('No campaigns yet.')
      await page.getByRole('link', { name: 'New campaign' }).click()
      await page.locator('[name=name]').fill('October oyster week')
      await page.locator('[name=subject]').fill('Oysters, {{firstName|friends}}')
      await visitor.press('Start writing')
      await visitor.reads('Nothing is sent until you say so.')
      await page.locator('[name=preheader]').fill('Six kinds.')
      await page.locator('[name=bodyHtml]').fill(body)
      const frame = () => page.frameLocator('iframe[name=preview]')
      if (!script) await visitor.press('Show preview')
      await frame().getByText('Hello Alex, six kinds from Tuesday.').waitFor()
      if (script) {
        await visitor.reads('Oysters, Alex')
        // The preview follows without a step in the history, and so does the checklist next to it.
        const steps = () =>
          page.locator('html').evaluate((root) => root.ownerDocument.defaultView.history.length as number)
        const before = await steps()
        for (const word of ['Kumamoto', 'Belon']) {
          await page.locator('[name=bodyHtml]').fill(`${body}<p>${word}</p>`)
          await frame().getByText(word).waitFor()
        }
        assert.equal(await steps(), before)
        await page.locator('[name=bodyHtml]').fill(body)
        await page.locator('[name=bodyHtml]').press('Control+End')
        await visitor.press('First name')
        assert.ok((await page.locator('[name=bodyHtml]').inputValue()).endsWith('{{firstName|there}}'))
        await page.locator('[name=bodyHtml]').fill(`${body}\n<p>{{lastName}}</p>`)
        await visitor.reads(/lastName/)
        await page.locator('[name=bodyHtml]').fill(body)
        await visitor.reads('Ready to send')
        await page.getByLabel('Desktop').check()
        // The preview of the last words may be taking the earlier one's place at this moment.
        const width = () => page.locator('iframe[name=preview]').evaluate((one) => one.clientWidth)
        await eventually(async () => (await width()) === 680)
        await isWell(visitor, 'editor')
      }
      await visitor.press('Save')
      await visitor.reads('Email saved.')
      await frame().getByText('Hello Alex, six kinds from Tuesday.').waitFor()

      await page.getByRole('link', { name: '2 · People' }).click()
      if (!script) await visitor.press('Count')
      await visitor.reads('people will get it')
      assert.equal((await page.locator('#people-count').innerText()).trim(), '120')
      if (script) {
        await page.locator('[name=birthday]').selectOption('now')
        await page.locator('#people-count', { hasText: /^\s*0\s*$/ }).waitFor()
        await page.locator('[name=birthday]').selectOption('')
        await page.locator('#people-count', { hasText: '120' }).waitFor()
        await isWell(visitor, 'people')
      }
      await visitor.press('Build the list')
      await visitor.reads('The list is built')
      await page.getByRole('link', { name: 'Test and send ›' }).click()
      await visitor.reads('Send a test first.')
      await visitor.press('Send a test')
      await visitor.reads('The test went to me@example.com.')
      await page.getByLabel('It goes to 120 people. Type that number').fill('119')
      await visitor.press('Send to 120 people')
      await visitor.reads('The list now has 120 people, not 119.')
      if (script) await isWell(visitor, 'send')
      await page.getByLabel('It goes to 120 people. Type that number').fill('120')
      await visitor.press('Send to 120 people')
      await visitor.reads('Goes out October 6, 2026, 3:10 PM (New York time)')
      if (script) await isWell(visitor, 'scheduled')
      await visitor.press('Stop')
      await visitor.reads('Stopped. Nobody was emailed.')
    })
  }

  it('schedules it, and watches it go out', async () => {
    const visitor = await manager(true, 60)
    const { page } = visitor
    await visitor.open('/office/campaigns/new')
    await page.locator('[name=name]').fill('Burgundy evenings')
    await page.locator('[name=subject]').fill('Six wines')
    await visitor.press('Start writing')
    await page.locator('[name=bodyHtml]').fill(body)
    await visitor.press('Save')
    await visitor.reads('Email saved.')
    await page.getByRole('link', { name: '2 · People' }).click()
    await visitor.press('Build the list')
    await page.getByRole('link', { name: 'Test and send ›' }).click()
    await visitor.press('Send a test')
    await visitor.reads('The test went to')
    await page.getByText('Later, at a day and time').click()
    await page.locator('[name=date]').fill('2026-10-06')
    await page.locator('[name=time]').fill('15:05')
    await page.getByLabel('It goes to 60 people. Type that number').fill('60')
    await visitor.press('Send to 60 people')
    await visitor.reads('Goes out October 6, 2026, 3:05 PM')
    service.setClock('2026-10-06T19:05:00Z')
    const sending = startSending({ ...service.context, db: service.context.workerDb }, { lookMs: 50 })
    try {
      // Nobody reloads the page: it renews itself.
      await visitor.reads('Everybody got it.')
      await page.locator('.figure', { hasText: 'Sent' }).getByText('60', { exact: true }).waitFor()
    } finally {
      await sending.stop()
      service.setClock('2026-10-06T19:00:00Z')
    }
    await page.reload()
    await visitor.reads('Sent, 100%')
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0)
    await isWell(visitor, 'report')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await visitor.reads('This is a new draft with the same text and people.')
  })

  it('shows that somebody else saved in the meantime, and keeps what was typed', async () => {
    const venue = await service.venue()
    const { visitor: other } = await atWork(service, 'owner', venue)
    const { email } = await staffOf(service, venue, 'manager')
    const visitor = await browser.visitor(service)
    await visitor.signIn(email)
    await visitor.open('/office/campaigns/new')
    await visitor.page.locator('[name=name]').fill('Jazz')
    await visitor.page.locator('[name=subject]').fill('Jazz on Thursdays')
    await visitor.press('Start writing')
    const path = new URL(visitor.page.url()).pathname
    const fields = {
      version: '1',
      name: 'Jazz',
      subject: 'Jazz, from the other',
      bodyFormat: 'guided',
      bodyHtml: '',
    }
    assert.equal((await other.post(path, fields)).status, 303)
    await visitor.page.locator('[name=subject]').fill('Jazz, from me')
    await visitor.press('Save')
    await visitor.reads('It now says: Jazz, from the other')
    assert.equal(await visitor.page.locator('[name=subject]').inputValue(), 'Jazz, from me')
    await visitor.press('Save')
    await visitor.reads('Email saved.')
  })
})
