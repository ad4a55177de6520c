import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { actAt } from '../../act.ts'
import { guestAt } from '../../guest.ts'
import { testPassword } from '../../office.ts'
import { owner } from '../../selling-online.ts'
import type { TestService, TestVenue } from '../../service.ts'
import type { StripeStandIn } from '../../stripe/stand-in.ts'
import type { TestBrowser } from '../browser.ts'
import { faultsOf, phone, wide } from '../look-at-pages.ts'
import { beginCheckout, deposits, site, withPayments } from './with-payments.ts'

describe('a payment that software begins', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let browser: TestBrowser
  let key: string
  let email: string
  let event: number
  let date: number
  const pages = { doors: [], frameSites: [site] }
  withPayments({ rules: { guarantees: deposits }, pages }, async (opened) => {
    ;({ service, stripe, browser, venue, email } = opened)
    event = (await actAt(service, venue, (work) => makeEvent(work, owner, 'Wine dinner'))).id
    const typed = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 60, priceCents: 9_500 }
    date = (await actAt(service, venue, (work) => addOccurrence(work, owner, event, typed))).id
    key = (await venue.makeKey('read_write', 'api', { scopes: ['checkouts:create'] })).key
  })

  const begin = (body: object) => beginCheckout(service, key, body)
  const table = () =>
    begin({
      ...{ date: '2026-10-09', time: '19:30', partySize: 4 },
      ...{ guestName: 'Maya Okafor', email: 'maya@example.com' },
    })
  const tickets = () => begin({ occurrenceId: date, seats: 2, buyerEmail: 'maya@example.com' })

  it('its page has no faults in light or dark, and its button leads to the processor', async () => {
    const guest = await browser.visitor(service, { viewport: phone })
    const paths = [await tickets(), await table()]
    assert.deepEqual(await faultsOf(guest, paths), [])
    const pressed = await guestAt(service, paths[0] ?? '', { form: { do: 'pay' } })
    assert.ok(pressed.headers.get('location')?.startsWith(stripe.url), pressed.text)
  })

  it('one that is given up leads back to the site', async () => {
    const path = await tickets()
    const guest = await browser.visitor(service, { viewport: phone })
    await guest.open(path)
    await guest.page.getByRole('button', { name: 'Give it up' }).click()
    const back = guest.page.getByRole('link', { name: 'Choose tickets again' })
    assert.match(
      (await back.getAttribute('href')) ?? '',
      /^https:\/\/www\.example\.com\/thanks\?checkout=\d+$/,
    )
    assert.deepEqual(await faultsOf(guest, [path]), [])
  })

  it('owners see the currency, and managers say from when a date is sold', async () => {
    const visitor = await browser.visitor(service, { viewport: wide })
    await visitor.signIn(email, testPassword)
    const paths = [
      '/office/settings/payments',
      '/office/payments?week=2026-09-30',
      `/office/tickets/events/${event}`,
      `/office/tickets/dates/${date}/edit`,
    ]
    assert.deepEqual(await faultsOf(visitor, paths), [])
  })
})
