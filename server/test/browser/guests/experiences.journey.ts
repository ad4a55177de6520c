import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { testPassword } from '../../office.ts'
import type { TestService, TestVenue } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { sidewaysScroll } from '../check-page.ts'
import { faultsOf, phone, wide } from '../look-at-pages.ts'
import { withPayments } from './with-payments.ts'

const experiences = [
  { key: 'dinner', name: 'À la carte' },
  {
    ...{ key: 'counter', name: 'Chef’s counter', asks: 'deposit', amountCents: 2_000, partyTo: 4 },
    texts: [
      { language: 'en', text: 'Eight seats at the pass. You watch, we cook, and nobody minds questions.' },
    ],
  },
  {
    ...{
      key: 'tasting',
      name: 'Tasting menu',
      asks: 'prepaid',
      amountCents: 9_500,
      feeCents: 150,
      taxRate: 8_875,
    },
    texts: [{ language: 'en', text: 'Nine courses, chosen by the kitchen.' }],
  },
]

describe('an experience', () => {
  let service: TestService
  let venue: TestVenue
  let browser: TestBrowser
  let email: string
  withPayments({ rules: { experiences }, pages: { confirmUpTo: 8 } }, (opened) => {
    ;({ service, browser, venue, email } = opened)
  })

  it('is chosen on a phone, in every language', async () => {
    const choice = `/v/${venue.slug}/book?size=2&day=2026-10-09&time=19:30`
    const guest = await browser.visitor(service, { viewport: phone })
    for (const language of guestLanguages) {
      for (const path of [choice, `${choice}&experience=tasting`]) {
        await guest.open(`${path}&lang=${language}`)
        assert.deepEqual(await sidewaysScroll(guest.page), [], `${path} ${language}`)
      }
    }
    assert.deepEqual(await faultsOf(guest, [choice, `${choice}&experience=tasting`]), [])
    await guest.open(choice)
    await guest.page.getByText('Tasting menu').click()
    await guest.page.getByRole('button', { name: 'Continue' }).click()
    await guest.page.getByRole('button', { name: 'Pay $209.86' }).waitFor()
    await guest.page.getByText('Choose something else').click()
    await guest.page.getByText('Chef’s counter').click()
    await guest.page.getByRole('button', { name: 'Continue' }).click()
    await guest.page.getByRole('button', { name: 'Pay $40.00' }).waitFor()
  })

  it('is set by managers, and chosen by staff in the booking sheet', async () => {
    const owner = await browser.visitor(service, { viewport: wide })
    await owner.signIn(email, testPassword)
    assert.deepEqual(await faultsOf(owner, ['/office/settings/experiences', '/office/bookings/new']), [])
  })
})
