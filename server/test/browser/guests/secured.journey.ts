import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, hiddenFieldsOn } from '../../guest.ts'
import { testPassword } from '../../office.ts'
import { makePrivateToken } from '../../../mail/link-token.ts'
import type { TestService, TestVenue } from '../../service.ts'
import type { StripeStandIn } from '../../stripe/stand-in.ts'
import type { TestBrowser } from '../browser.ts'
import { sidewaysScroll } from '../check-page.ts'
import { faultsOf, phone, wide } from '../look-at-pages.ts'
import { deposits, withPayments } from './with-payments.ts'

describe('a table behind a card or a deposit', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let browser: TestBrowser
  let email: string
  withPayments({ rules: { guarantees: deposits }, pages: { confirmUpTo: 8 } }, (opened) => {
    ;({ service, stripe, browser, venue, email } = opened)
  })

  it('is booked on a phone: the sentence, the page of the processor, and the guest’s own page', async () => {
    const details = `/v/${venue.slug}/book?size=2&day=2026-10-09&time=19:30`
    const guest = await browser.visitor(service, { viewport: phone })
    assert.deepEqual(await faultsOf(guest, [details]), [])
    const { text } = await guestAt(service, details)
    const hidden = hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'agreed'])
    const typed = { ...hidden, name: 'Maya Okafor', email: 'maya@example.com' }
    const pressed = await guestAt(service, `/v/${venue.slug}/book`, { form: { ...typed, hold: '' } })
    const session = stripe.sessions.get((pressed.headers.get('location') ?? '').replace(/^.*\/pay\//, ''))
    assert.ok(session?.cancel_url, pressed.text)
    const paying = new URL(session.cancel_url).pathname
    assert.deepEqual(await faultsOf(guest, [paying]), [])
    await stripe.pay(session.id)
    const back = await guestAt(service, new URL(session.success_url ?? '').pathname)
    const mine = (back.headers.get('location') ?? '').replace(/\?.*/, '')
    assert.deepEqual(await faultsOf(guest, [mine, `${mine}?do=cancel`]), [])
  })

  it('is set by managers, and shown on the booking', async () => {
    const owner = await browser.visitor(service, { viewport: wide })
    await owner.signIn(email, testPassword)
    const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
    const paths = ['/office/settings/guarantees', `/office/bookings/${body[0].id}`]
    assert.deepEqual(await faultsOf(owner, paths), [])
  })

  it('is asked for later: the form on the booking, and the guest’s own page with the button', async () => {
    const { body } = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: {
        ...{ guestName: 'Lena Berg', email: 'lena@example.com', date: '2026-10-09', time: '18:00' },
        partySize: 4,
      },
    })
    const id = Number(body.reservation.id)
    for (const viewport of [wide, phone]) {
      const owner = await browser.visitor(service, { viewport })
      await owner.signIn(email, testPassword)
      await owner.open(`/office/bookings/${id}`)
      await owner.page.locator('#guarantee summary').click()
      assert.deepEqual(await sidewaysScroll(owner.page), [])
    }
    const owner = await browser.visitor(service, { viewport: wide })
    await owner.signIn(email, testPassword)
    await owner.open(`/office/bookings/${id}`)
    await owner.page.locator('#guarantee summary').click()
    await owner.page.locator('#guarantee input[name=amount]').fill('80')
    await owner.page.locator('#guarantee button[value=ask]').click()
    await owner.page.waitForURL(/#guarantee/)
    assert.match((await owner.page.locator('#guarantee').textContent()) ?? '', /Not secured/)
    assert.deepEqual(await faultsOf(owner, [`/office/bookings/${id}`, '/office/settings/guarantees']), [])
    const token = makePrivateToken(service.context.secrets, 'booking', {
      venue: venue.id,
      record: id,
      issue: 0,
    })
    const guest = await browser.visitor(service, { viewport: phone })
    assert.deepEqual(await faultsOf(guest, [`/r/${token}`]), [])
  })
})
