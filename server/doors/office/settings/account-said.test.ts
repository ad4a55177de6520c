import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventKinds, stripeProcessors } from '../../../core/money/stripe.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { type StripeStandIn, startStripeStandIn } from '../../../test/stripe/stand-in.ts'
import { checkBooks } from '../../../tickets/online/reconciling/nightly.ts'

describe('what owners read of their account at Stripe', () => {
  const scene = sellingOnline()
  const { later, sold, askRefund, refund, refunds } = scene
  const home = '/office/settings/payments'
  const shown = async () => (await scene.office.get(home)).words
  const paste = (key = scene.stripe.key) => scene.office.post(home, { key })
  const accounts = () =>
    rowsOf(
      scene.service,
      'select id, ended_at is null as open from processor_account where venue_id = $1 order by ended_at nulls first',
      [scene.venue.id],
    )
  const event = (id = crypto.randomUUID()) =>
    ({
      ...{ id: `evt_${id}`, object: 'event', api_version: '2026-10-28.endive', livemode: false },
      ...{ type: 'checkout.session.completed', data: { object: { id: `cs_test_${id}` } } },
    }) as never
  /** Whether a call that is signed with this is taken. */
  const isTaken = async (secret: string, by: StripeStandIn = scene.stripe): Promise<boolean> => {
    const kept = [...by.endpoints]
    const url = `${scene.service.context.config.publicUrl}/payments/${scene.venue.slug}`
    by.endpoints.clear()
    by.endpoints.set('we_signed', { id: 'we_signed', object: 'webhook_endpoint', url, secret } as never)
    const status = await by.call(event())
    by.endpoints.clear()
    for (const [id, one] of kept) by.endpoints.set(id, one)
    return status === 200
  }

  it('a permission that a key lacks is named, whichever it is, and nothing is kept of that key', async () => {
    const before = await accounts()
    for (const [path, permission] of [
      ['checkout', 'Checkout Sessions (write)'],
      ['refunds', 'Charges and Refunds (write)'],
      ['payment_intents', 'PaymentIntents (write)'],
      ['customers', 'Customers (write)'],
      ['setup_intents', 'SetupIntents (read)'],
      ['disputes', 'Disputes (read)'],
      ['balance', 'Balance (read)'],
    ] as const) {
      scene.stripe.denied.add(path)
      const { status, words } = await paste()
      assert.ok(status >= 400 && words.includes(`paste it again: ${permission}.`), `${permission}: ${words}`)
      assert.match((await scene.office.post(`${home}/test`)).to ?? '', /payments/)
      assert.ok((await shown()).includes(`The key may not: ${permission}.`))
      scene.stripe.denied.clear()
    }
    assert.deepEqual(await accounts(), before)
    await scene.office.post(`${home}/test`)
    assert.doesNotMatch(await shown(), /The key may not/)
  })

  it('one of the events that Stripe no longer calls about is missed by the test and by the night, and the next key asks for all', async () => {
    const [endpoint] = scene.stripe.endpoints.values()
    assert.ok(endpoint)
    for (const notice of [
      () => scene.office.post(`${home}/test`),
      async () => {
        later(24 * 60)
        await checkBooks(scene.service.context, signal)
        await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
      },
    ]) {
      endpoint.enabled_events = [...eventKinds]
      await scene.office.post(`${home}/test`)
      assert.doesNotMatch(await shown(), /does not call this service about everything/)
      endpoint.enabled_events = eventKinds.filter((kind) => kind !== 'refund.failed')
      await notice()
      assert.match(await shown(), /does not call this service about everything/)
    }
    assert.equal((await paste()).status, 303)
    const [, fresh] = scene.stripe.endpoints.values()
    assert.deepEqual(fresh?.enabled_events, [...eventKinds])
    assert.doesNotMatch(await shown(), /does not call this service about everything/)
  })

  it('where the key may not register the address, the owner does and pastes what it signs with, and reads where to', async () => {
    await scene.office.post(`${home}/remove`, { sure: 'yes' })
    scene.stripe.endpoints.clear()
    scene.stripe.denied.add('webhook_endpoints')
    assert.equal((await paste()).status, 303)
    const said = await shown()
    assert.match(said, /Your key may not register this address/)
    assert.ok(said.includes(`/payments/${scene.venue.slug}`))
    assert.match(
      (await scene.office.post(`${home}/signing`, { signing: 'nonsense' })).words,
      /begins with whsec_/,
    )
    assert.equal(await isTaken('whsec_firstfirstfirst'), false)
    await scene.office.post(`${home}/signing`, { signing: 'whsec_firstfirstfirst' })
    assert.equal(await isTaken('whsec_firstfirstfirst'), true)
    scene.stripe.denied.clear()
  })

  it('is asked for what it signs with, too, where an address that was registered is gone and cannot be registered again', async () => {
    await sold()
    scene.stripe.endpoints.clear()
    const kept = () =>
      rowsOf(scene.service, 'select version, callback_ref from processor_account where venue_id = $1', [
        scene.venue.id,
      ])
    const before = await kept()
    scene.stripe.trouble = { at: 'POST /v1/webhook_endpoints', how: 'busy' }
    assert.match((await paste()).words, /Stripe does not answer right now/)
    assert.deepEqual(await kept(), before)
    scene.stripe.denied.add('POST webhook_endpoints')
    assert.equal((await paste()).status, 303)
    assert.match(await shown(), /Your key may not register this address/)
    await scene.office.post(`${home}/signing`, { signing: 'whsec_secondsecondsecond' })
    assert.equal(await isTaken('whsec_secondsecondsecond'), true)
    scene.stripe.denied.clear()
    assert.equal((await paste()).status, 303)
    assert.doesNotMatch(await shown(), /may not register this address/)
    assert.equal((await accounts()).length, 1)
  })

  it('both of what calls were and are signed with are taken for a day after a change, and only the later one then', async () => {
    const [first] = [...scene.stripe.endpoints.values()].map(({ secret }) => secret ?? '')
    assert.ok(first)
    const changes = [
      [
        'registered again',
        async () => {
          const [endpoint] = scene.stripe.endpoints.values()
          if (endpoint) endpoint.status = 'disabled'
          assert.equal((await paste()).status, 303)
          return [...scene.stripe.endpoints.values()].at(-1)?.secret ?? ''
        },
      ],
      [
        'pasted',
        async () => {
          await rowsOf(
            scene.service,
            'update processor_account set callback_ref = null where venue_id = $1',
            [scene.venue.id],
          )
          await scene.office.post(`${home}/signing`, { signing: 'whsec_pastedpastedpasted' })
          return 'whsec_pastedpastedpasted'
        },
      ],
    ] as const
    let earlier = first
    for (const [how, change] of changes) {
      const now = await change()
      assert.notEqual(now, earlier)
      later(24 * 60 - 1)
      assert.deepEqual([await isTaken(earlier), await isTaken(now)], [true, true], how)
      later(1)
      assert.deepEqual([await isTaken(earlier), await isTaken(now)], [false, true], how)
      await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
      earlier = now
    }
  })

  it('another account than before is said to be one, and what the one before took goes back by its own key', async () => {
    const other = await startStripeStandIn({ clock: scene.stripe.clock })
    other.reach = scene.stripe.reach
    const { context } = scene.service
    const { processors: before } = context
    const byKey = [stripeProcessors(scene.stripe.url), stripeProcessors(other.url)] as const
    Object.assign(context, {
      processors: {
        ...before,
        of: (key: string, patience: 'request' | 'job') => byKey[key === other.key ? 1 : 0].of(key, patience),
      },
    })
    try {
      await sold()
      const [first] = await accounts()
      const signing = [...scene.stripe.endpoints.values()].at(-1)?.secret ?? ''
      const pasted = await paste(other.key)
      const said = (await scene.office.get(pasted.to ?? '')).words
      assert.match(
        said,
        /Connected: another Stripe account than before\. What an earlier account took is refunded/,
      )
      assert.match(await shown(), /with that account’s key: keep it valid in Stripe/)
      assert.deepEqual((await accounts())[1], { ...first, open: false })
      const made = [scene.stripe.refunds.size, other.refunds.size]
      await askRefund()
      await refund()
      assert.equal((await refunds()).at(-1)?.['state'], 'succeeded')
      assert.deepEqual([scene.stripe.refunds.size, other.refunds.size], [(made[0] ?? 0) + 1, made[1]])
      assert.equal(await isTaken(signing), true, 'its calls are still heard')
      assert.equal((await paste()).status, 303)
      assert.deepEqual((await accounts())[0], first, 'the first account is the same again')
    } finally {
      Object.assign(context, { processors: before })
      await other.stop()
    }
  })
})
