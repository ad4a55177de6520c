import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runImports } from '../../../data/imports/run.ts'
import { eventually } from '../../eventually.ts'
import { staffOf } from '../../office.ts'
import { type TestService, type TestVenue, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

describe('an owner and the venue’s data', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  const enter = async (script: boolean): Promise<[Visitor, TestVenue]> => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const owner = await browser.visitor(service, { javaScriptEnabled: script })
    await owner.signIn(email)
    return [owner, venue]
  }
  const upload = async ({ page }: Visitor, kind: string, text: string): Promise<void> => {
    await page.getByRole('link', { name: 'Your data' }).click()
    const form = page.locator(`form[action$="/imports/${kind}"]`)
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: `${kind}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await form.locator('button').click()
  }
  const listOf = async ({ key }: TestVenue, what: string) =>
    (await service.call('GET', `/api/v1/${what}`, { key })).body as Record<string, unknown>[]

  for (const script of [true, false]) {
    const how = script ? '' : ', without script'

    it(`brings reservations, after saying which column is what${how}`, async () => {
      const [owner, venue] = await enter(script)
      await upload(
        owner,
        'reservations',
        'Who,Email,Party,Date,Time,Request,Shoe size\nMaya Okafor,maya@example.com,4,2026-10-23,19:30,A booth,41\nNia Berg,nia@example.com,2,2026-04-02,18:00,,\nBad,,two,2026-10-23,19:00,,\n',
      )
      await owner.reads('The first rows')
      const name = owner.page.locator('select[name=column-guestName]')
      assert.equal(await name.inputValue(), '', 'nobody knows what Who is')
      await name.selectOption({ label: 'Who' })
      await owner.press('Refresh preview')
      await owner.reads('The first rows')
      assert.notEqual(await name.inputValue(), '')
      const notes = owner.page.locator('select[name=column-notes]')
      assert.notEqual(await notes.inputValue(), '', '"Request" is known')
      await owner.reads(/Shoe size, 1 row: no place yet/)
      const start = owner.page.getByRole('button', { name: /^Import/ })
      assert.doesNotMatch((await start.getAttribute('class')) ?? '', /primary/)
      await owner.page.locator('select[name=besides-6]').selectOption({ label: 'Leave out' })
      await owner.press('Refresh preview')
      await owner.reads(/Shoe size, 1 row: left out/)
      await owner.reads(/Line 4: The number of guests/)
      assert.match((await start.getAttribute('class')) ?? '', /primary/)
      assert.deepEqual(await listOf(venue, 'reservations'), [])

      await owner.press('Import 2 of 3 rows')
      await owner.reads('You can leave this page.')
      await runImports(service.context)
      const made = await eventually(async () => {
        const all = await listOf(venue, 'reservations')
        return all.length === 2 && all
      })
      assert.deepEqual(
        made.map(({ guestName, partySize, status, notes }) => [guestName, partySize, status, notes]),
        [
          ['Maya Okafor', 4, 'Confirmed', 'A booth'],
          ['Nia Berg', 2, 'Completed', null],
        ],
      )
      await owner.page.goto(owner.page.url())
      await owner.reads('Line 4')
      await owner.page.getByRole('link', { name: 'Show or print' }).click()
      await owner.reads('Shoe size: 41')
      await owner.page.goBack()

      await owner.press('Undo the import')
      await owner.reads('The import is being undone.')
      await runImports(service.context)
      await eventually(async () => (await listOf(venue, 'reservations')).length === 0)
    })

    it(`brings subscribers with the evidence that each agreed${how}`, async () => {
      const [owner, venue] = await enter(script)
      await upload(owner, 'subscribers', 'Email,Name\nmaya@example.com,Maya\nnia@example.com,Nia\n')
      await owner.reads('Consent for everyone in this file, unless a column says otherwise')
      await owner.reads(/2 would be skipped/)
      await owner.fill('Where they agreed', 'Sign-up sheet at the bar')
      await owner.fill('Agreed on or before', '2027-01-01')
      await owner.fill('The text they agreed to', 'Yes, write to me once a month.')
      if (script) {
        // The browser itself minds the date's limit; without it the service does.
        await owner.page.locator('[name=evidenceDate]').evaluate((input) => input.removeAttribute('max'))
        await owner.press('Refresh preview')
        await owner.reads('The consent date is in the future.')
        assert.equal(
          await owner.page.locator('[name=evidenceSource]').inputValue(),
          'Sign-up sheet at the bar',
          'what was typed is still there',
        )
      }
      await owner.fill('Agreed on or before', '2026-09-01')
      await owner.press('Refresh preview')
      await owner.reads('None of the first 2 rows would be skipped.')
      await owner.press('Import 2 rows')
      await owner.reads('You can leave this page.')
      await runImports(service.context)
      await eventually(async () => (await listOf(venue, 'subscribers')).length === 2)
      const [one] = await listOf(venue, 'subscribers')
      assert.deepEqual([one?.status, one?.source], ['subscribed', 'import'])
      await owner.page.getByRole('link', { name: 'Subscribers' }).click()
      await owner.page.getByRole('link', { name: 'maya@example.com' }).click()
      await owner.reads('Sign-up sheet at the bar')
      await owner.reads('Yes, write to me once a month.')
    })

    it(`erases one person from everything, and nobody else${how}`, async () => {
      const [owner, venue] = await enter(script)
      for (const [who, phone] of [
        ['Maya', '(212) 555-0147'],
        ['Nia', '(212) 555-0148'],
      ] as const) {
        const { status } = await service.call('POST', '/api/v1/guests', {
          key: venue.key,
          body: { name: `${who} Okafor`, email: `${who.toLowerCase()}@example.com`, phone },
        })
        assert.equal(status, 201)
      }
      await owner.page.getByRole('link', { name: 'Your data' }).click()
      await owner.page.getByRole('searchbox', { name: 'Email, phone or name' }).fill('maya@example.com')
      await owner.press('Search')
      await owner.page.getByRole('link', { name: 'Maya Okafor' }).click()
      await owner.reads('What is on file')
      const erase = owner.page.getByRole('button', { name: 'Erase' })
      await erase.click()
      await owner.reads('Erase this person')
      assert.equal((await listOf(venue, 'guests')).length, 2, 'not before the box is ticked')
      await owner.page.getByLabel('Erase this person. This cannot be undone.').check()
      await erase.click()
      await owner.reads(/The person was erased\./)
      const kept = await listOf(venue, 'guests')
      assert.ok(!JSON.stringify(kept).includes('maya') && !JSON.stringify(kept).includes('Maya'))
      assert.ok(JSON.stringify(kept).includes('Nia Okafor'))
      await owner.page.getByRole('searchbox', { name: 'Email, phone or name' }).fill('maya@example.com')
      await owner.press('Search')
      await owner.reads('Nobody found for “maya@example.com”.')
    })
  }
})
