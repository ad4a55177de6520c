import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staffOf, visitOffice } from '../../office.ts'
import { hiddenIn } from '../../office-forms.ts'
import { setRules } from '../../open-rules.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { faultsOf, wide } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

describe('a closed day that leaves bookings', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, ([started, opened]) => {
    service = started
    browser = opened
  })

  it('leads to the list of whom to write to, which is clean at every width and needs no script', async () => {
    const venue = await service.venue({ name: 'The Blue Door' })
    await setRules(service, venue)
    for (const [guestName, more] of [
      ['Maya Okafor', { email: 'maya@example.com', phone: '+1 212 555 0147' }],
      ['Maximiliane von und zu Hohenstein-Wartenberg', { phone: '(646) 555-0123' }],
    ] as const) {
      const body = { guestName, partySize: 2, date: '2026-10-09', time: '19:00', ...more }
      const made = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
      assert.equal(made.status, 201)
    }
    const { email } = await staffOf(service, venue, 'manager')
    const visitor = await browser.visitor(service, { viewport: wide, javaScriptEnabled: false })
    await visitor.signIn(email)
    await visitor.open('/office/account/name')
    await visitor.reads('What do your colleagues call you?')
    await visitor.page.locator('main [name=name]').fill('June')
    await visitor.press('Save')
    const desk = visitOffice(service)
    await desk.signIn(email)
    const seen = hiddenIn(await desk.get('/office/settings/days'), 'seen')
    await desk.post('/office/settings/closures', {
      ...{ seen, confirmed: 'yes', from: '2026-10-09', to: '2026-10-09', name: 'Repairs' },
    })
    await visitor.open('/office/service')
    await visitor.page.getByRole('link', { name: /^2 bookings without a service/ }).click()
    await visitor.reads('Bookings without a service')
    const looking = await browser.visitor(service, { viewport: wide })
    await looking.signIn(email)
    assert.deepEqual(await faultsOf(looking, ['/office/bookings/stranded', '/office/account/name']), [])
    await visitor.press('Write to the selected')
    await visitor.reads('1 guest written to.')
  })
})
