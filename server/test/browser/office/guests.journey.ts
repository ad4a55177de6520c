import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBrowser } from '../browser.ts'
import { type FullHouse, openFullHouse } from '../evening/full-house.ts'
import { faultsOf, wide } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

describe('the pages of guests in the office', () => {
  let house: FullHouse
  let browser: TestBrowser
  withBrowser(openFullHouse, (opened) => {
    ;[house, browser] = opened
  })

  it('the lists, a card with its marks, the forms, texts and the activity are accessible and hold still', async () => {
    const owner = await browser.visitor(house.service, { viewport: wide })
    const { email, password } = house.signIn('owner')
    await owner.signIn(email, password)
    await owner.open('/office/guests?filter=regulars')
    const card = await owner.page.locator('td.row-head a.row-link').first().getAttribute('href')
    assert.ok(card)
    await owner.open(`${card}/edit`)
    await owner.page.getByLabel('VIP').check()
    await owner.page.getByLabel('Birthday').fill('April 12')
    await owner.page.getByLabel('Tags').fill('Wine list, Neighbor')
    await owner.page.getByRole('button', { name: 'Save' }).click()
    await owner.page.getByText('Saved.').waitFor()
    await owner.page.getByLabel('Add a note').fill('Sparkling to the table, no rush between courses.')
    await owner.page.getByRole('button', { name: 'Add', exact: true }).click()
    await owner.page.getByText('Note added.').waitFor()
    const paths = [
      '/office/guests',
      '/office/guests?filter=regulars&sort=away',
      '/office/guests?filter=birthday',
      card,
      `${card}/edit`,
      `/office/bookings/new?guest=${card.split('/').at(-1)}`,
      '/office/settings/texts',
      '/office/settings/guarantees',
      '/office/activity?kind=guest',
      '/office/service',
      '/office/service/sheet',
    ]
    assert.deepEqual(await faultsOf(owner, paths), [])
  })
})
