import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type StripeStandIn, startStripeStandIn } from '../../test/stripe/stand-in.ts'
import type { Processor, SessionAsked } from './processor.ts'
import type { VenueId } from '../venue/venue.ts'
import { standInKey } from './stand-in-key.ts'
import { stripeProcessors } from './stripe.ts'

describe('what is asked of Stripe', () => {
  let stripe: StripeStandIn
  let processor: Processor
  before(async () => {
    stripe = await startStripeStandIn()
  })
  after(() => stripe.stop())
  beforeEach(() => {
    Object.assign(stripe, { trouble: undefined })
    stripe.denied.clear()
    stripe.calls.length = 0
    processor = stripeProcessors(stripe.url).of(stripe.key, 'request')
  })

  const asked = (more: Partial<SessionAsked> = {}): SessionAsked => ({
    ...{
      mode: 'payment' as const,
      ref: crypto.randomUUID(),
      venue: 7 as VenueId,
      booking: null,
      try: 1,
      amountCents: 9_000,
    },
    ...{ currency: 'USD', title: '2 tickets' },
    ...{ sentence: null, email: 'maya@example.com', language: 'fr' },
    endsAt: Temporal.Now.instant().add({ minutes: 31 }),
    backUrl: 'https://example.com/back',
    cancelUrl: 'https://example.com/pay',
    ...more,
  })
  const done = async (more: Partial<SessionAsked> = {}) => {
    const outcome = await processor.openSession(asked(more))
    assert.equal(outcome.kind, 'done')
    return outcome.kind === 'done' ? outcome.value : assert.fail()
  }

  it('is a page for cards alone, of one line and one currency, that keeps nobody', async () => {
    await done({ sentence: 'Tickets are not returned.' })
    const [{ sent }] = stripe.calls as [(typeof stripe.calls)[number]]
    const { expires_at: _, metadata, payment_intent_data: intent, ...rest } = sent
    assert.deepEqual(rest, {
      mode: 'payment',
      allowed_payment_method_types: { 0: 'card' },
      wallet_options: { link: { display: 'never' } },
      adaptive_pricing: { enabled: 'false' },
      line_items: {
        0: {
          quantity: '1',
          price_data: { currency: 'usd', unit_amount: '9000', product_data: { name: '2 tickets' } },
        },
      },
      customer_email: 'maya@example.com',
      custom_text: { submit: { message: 'Tickets are not returned.' } },
      locale: 'fr',
      success_url: 'https://example.com/back',
      cancel_url: 'https://example.com/pay',
    })
    assert.deepEqual({ metadata }, intent, 'the page and the payment say the same of us')
  })

  it('is, to keep a card, such a page too, with a customer for the one card and nothing to pay', async () => {
    await done({ mode: 'setup', amountCents: 2_500, title: 'A card', sentence: 'Cancel by 7:00 PM.' })
    const [{ sent }] = stripe.calls as [(typeof stripe.calls)[number]]
    const { expires_at: _, metadata, setup_intent_data: intent, ...rest } = sent
    assert.deepEqual(rest, {
      mode: 'setup',
      currency: 'usd',
      customer_creation: 'always',
      allowed_payment_method_types: { 0: 'card' },
      wallet_options: { link: { display: 'never' } },
      customer_email: 'maya@example.com',
      custom_text: { submit: { message: 'Cancel by 7:00 PM.' } },
      locale: 'fr',
      success_url: 'https://example.com/back',
      cancel_url: 'https://example.com/pay',
    })
    const { metadata: named } = intent as { metadata: object }
    assert.deepEqual(metadata, { ...named, amount: '2500' })
  })

  it('yen are whole, krónur are hundredths there as here, and both come back as they went', async () => {
    for (const [currency, cents, there] of [
      ['JPY', 150_000, '1500'],
      ['ISK', 150_000, '150000'],
      ['EUR', 1_234, '1234'],
    ] as const) {
      stripe.calls.length = 0
      const seen = await done({ currency, amountCents: cents })
      assert.match(JSON.stringify(stripe.calls[0]?.sent), new RegExp(`"unit_amount":"${there}"`))
      assert.deepEqual([seen.amountCents, seen.currency], [cents, currency])
    }
    await assert.rejects(processor.openSession(asked({ currency: 'JPY', amountCents: 150_050 })), RangeError)
  })

  it('asked again under the same key is one page; with other parameters nobody knows what was done', async () => {
    const same = asked()
    const [one, other] = [await processor.openSession(same), await processor.openSession(same)]
    assert.ok(one.kind === 'done' && other.kind === 'done' && one.value.sessionRef === other.value.sessionRef)
    assert.deepEqual(await processor.openSession({ ...same, amountCents: 1 }), { kind: 'failed' })
  })

  it('knows apart what was refused, what failed, what was not answered and what was never reached', async () => {
    const outcome = async (how: NonNullable<StripeStandIn['trouble']>['how']) => {
      stripe.trouble = { at: 'POST /v1/checkout', how }
      return (await processor.openSession(asked())).kind
    }
    assert.equal((await processor.openSession(asked({ endsAt: Temporal.Now.instant() }))).kind, 'refused')
    assert.deepEqual([await outcome('failed'), await outcome('busy')], ['failed', 'unanswered'])
    assert.equal(
      await outcome('closed'),
      'done',
      'the library repeats a closed connection under the same key',
    )
    assert.equal((await processor.lookAtSession('cs_test_none')).kind, 'gone')
    const nobody = stripeProcessors('http://127.0.0.1:9').of(stripe.key, 'request')
    assert.equal((await nobody.openSession(asked())).kind, 'unreached')
    const stranger = stripeProcessors(stripe.url).of('rk_test_stranger', 'request')
    assert.equal((await stranger.openSession(asked())).kind, 'denied')
  })

  it('is not asked with the key of the stand-in, where nothing says where that runs', async () => {
    const lost = stripeProcessors().of(standInKey, 'request')
    assert.equal((await lost.openSession(asked())).kind, 'denied')
    assert.equal((await lost.movedBetween(Temporal.Now.instant(), Temporal.Now.instant())).kind, 'denied')
  })

  it('names each permission that a key lacks, and changes nothing to find out', async () => {
    assert.deepEqual(await processor.tryAll(asked()), { kind: 'done', value: { missing: [] } })
    for (const path of ['refunds', 'customers', 'balance']) stripe.denied.add(path)
    assert.deepEqual(await processor.tryAll(asked()), {
      kind: 'done',
      value: { missing: ['Charges and Refunds (write)', 'Customers (write)', 'Balance (read)'] },
    })
    assert.ok(
      [...stripe.sessions.values()].every(
        ({ status, payment_status }) => payment_status === 'unpaid' || status === 'complete',
      ),
    )
    assert.equal(stripe.refunds.size, 0)
  })
})
