import assert from 'node:assert/strict'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { setGuestPages } from '../../guest.ts'
import { staffOf, visitOffice } from '../../office.ts'
import { everyEvening, setRules } from '../../open-rules.ts'
import type { TestService, TestVenue } from '../../service.ts'
import { startPaidService } from '../../stripe/paid-service.ts'
import type { StripeStandIn } from '../../stripe/stand-in.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

type PayingVenue = {
  readonly service: TestService
  readonly stripe: StripeStandIn
  readonly browser: TestBrowser
  readonly venue: TestVenue
  /** The address of its owner's account. */
  readonly email: string
}

/**
 * A browser at a venue with these rules and pages in every language, whose owner has connected the processor of payments. `ready`
 * gets them before the first test.
 */
export const withPayments = (
  { rules, pages }: { readonly rules: object; readonly pages: Parameters<typeof setGuestPages>[2] },
  ready: (opened: PayingVenue) => void | Promise<void>,
): void => {
  const start = async () => {
    const { service, stripe } = await startPaidService()
    return { service, stripe, stop: async () => (await service.stop(), await stripe.stop()) }
  }
  withBrowser(start, async ([{ service, stripe }, browser]) => {
    const venue = await service.venue({ slug: 'the-blue-door', phone: '+1 212 555 0100' })
    await setGuestPages(service, venue, { languages: [...guestLanguages], ...pages })
    await setRules(service, venue, everyEvening(rules))
    const { email } = await staffOf(service, venue, 'owner')
    const office = visitOffice(service)
    await office.signIn(email)
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
    await ready({ service, stripe, browser, venue, email })
  })
}

/** A deposit behind every table. */
export const deposits = [{ asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }]

/** Whose software begins payments, and where its guests come back to: the venue's pages list it. */
export const site = 'https://www.example.com'

/** Begins a payment as software does; the path of its page. */
export const beginCheckout = async (service: TestService, key: string, body: object): Promise<string> => {
  const answer = await service.call('POST', '/api/v1/checkouts', {
    key,
    body: { ...body, returnUrl: `${site}/thanks` },
  })
  assert.equal(answer.status, 201, answer.text)
  return new URL(answer.body.checkout.url).pathname
}
