import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { orderLink, ownOrder } from '../../admission/own-order.ts'
import { lookAtCalls } from './called-about.ts'

describe('money that moves at the processor without our asking', () => {
  const scene = sellingOnline()
  const { later, sold, orders, heard, refund, askRefund, newDate } = scene

  const intent = () => [...scene.stripe.intents.keys()].at(-1) ?? ''
  const refunds = () =>
    rowsOf(
      scene.service,
      'select state, origin, seats, amount_cents from refund where venue_id = $1 order by id',
      [scene.venue.id],
    )
  const matters = () =>
    rowsOf(
      scene.service,
      `select kind, amount_cents, state, done_at is null as open from money_matter where venue_id = $1 order by id`,
      [scene.venue.id],
    )
  const told = async () => {
    const rows = await rowsOf<{ name: string }>(
      scene.service,
      `select name from event where venue_id = $1 and name like 'ticket_order.refund%' order by id`,
      [scene.venue.id],
    )
    return rows.map(({ name }) => name)
  }

  it('two calls about one refund within a second are looked at at once, and the office says why it failed in words', async () => {
    await sold()
    await askRefund()
    await refund()
    const [name = ''] = [...scene.stripe.refunds.keys()].slice(-1)
    await scene.stripe.endRefund(name, 'succeeded')
    await refund()
    scene.service.setClock(scene.service.context.clock().add({ milliseconds: 500 }).toString())
    await scene.stripe.endRefund(name, 'failed')
    await refund()
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['failed'],
    )
    const [order] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const { words } = await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)
    assert.match(words, /Reason: the card was reported lost or stolen\./)
    assert.doesNotMatch(words, /lost_or_stolen_card/)
  })

  it('a dispute that was lost says that the bank took the money, and one that was won that it stays', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'lost')
    await heard()
    const page = async () => {
      const [order] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
        scene.venue.id,
      ])
      return (await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)).words
    }
    const lost = await page()
    assert.match(
      lost,
      /\$90\.00 taken back by the guest’s bank: the dispute is over, and nothing of it can be refunded here/,
    )
    assert.doesNotMatch(lost, /Answer it in Stripe/)
    await scene.stripe.dispute(intent(), 'won')
    await heard()
    assert.match(await page(), /\$90\.00 stays with you: the guest’s bank decided for you/)
  })

  it('a refund made in the dashboard is a refund of the order: a part frees no seats, all of it frees them', async () => {
    await sold()
    await scene.stripe.refundThere(intent(), 3_000)
    await Promise.all([heard(), heard()])
    await refund()
    const [part] = await orders()
    assert.deepEqual(part, {
      ...{ status: 'partially_refunded', seats: 2, seats_returned: 0, total_cents: 9_000 },
      refunded_cents: 3_000,
    })
    await scene.stripe.refundThere(intent(), 6_000)
    await heard()
    const [all] = await orders()
    assert.deepEqual([all?.status, all?.refunded_cents], ['refunded', 9_000])
    assert.deepEqual(
      (await refunds()).map(({ state, origin, amount_cents: cents }) => [state, origin, cents]),
      [
        ['succeeded', 'dashboard', 3_000],
        ['succeeded', 'dashboard', 6_000],
      ],
    )
    assert.deepEqual(await told(), ['ticket_order.refunded', 'ticket_order.refunded'])
    const [done] = await rowsOf(
      scene.service,
      `select actor_kind from activity where venue_id = $1 and action = 'refund' limit 1`,
      [scene.venue.id],
    )
    assert.deepEqual(done, { actor_kind: 'service' })
  })

  it('one that is under way is followed until it has arrived or failed', async () => {
    for (const end of ['succeeded', 'failed'] as const) {
      scene.date = await newDate()
      await sold()
      scene.stripe.refundsPend = true
      const made = await scene.stripe.refundThere(intent(), 9_000)
      await heard()
      assert.deepEqual((await refunds()).at(-1)?.state, 'pending')
      await scene.stripe.endRefund(made.id, end)
      later(1)
      await refund()
      assert.deepEqual((await refunds()).at(-1)?.state, end)
      assert.equal((await orders()).at(-1)?.status, end === 'failed' ? 'refund_failed' : 'refunded')
    }
  })

  it('our own refund that is called about before our call is answered is one refund', async () => {
    await sold()
    await askRefund()
    scene.stripe.trouble = { at: 'POST /v1/refunds', how: 'failed after' }
    await refund()
    assert.deepEqual((await refunds())[0]?.state, 'pending')
    await heard()
    later(2)
    await refund()
    assert.deepEqual(
      (await refunds()).map(({ state, origin }) => [state, origin]),
      [['succeeded', 'us']],
    )
    assert.deepEqual(await told(), ['ticket_order.refunded'])
  })

  it('a refund of the dashboard that takes what one of ours was to give back is recorded once ours is refused', async () => {
    await sold()
    await askRefund()
    await scene.stripe.refundThere(intent(), 9_000)
    await heard()
    assert.equal((await refunds()).length, 1)
    await refund()
    later(2)
    await heard()
    assert.deepEqual(
      (await refunds()).map(({ state, origin, amount_cents: cents }) => [state, origin, cents]),
      [
        ['superseded', 'us', 9_000],
        ['succeeded', 'dashboard', 9_000],
      ],
    )
    assert.equal((await orders())[0]?.status, 'refunded')
    assert.deepEqual(await matters(), [])
  })

  it('more than an order has left is capped, and waits for somebody to look at it', async () => {
    await sold()
    await askRefund('80.00')
    await refund()
    const made = [...scene.stripe.refunds.values()].at(-1)
    assert.ok(made)
    // As where the processor's own books say otherwise.
    made.amount = 0
    await scene.stripe.refundThere(intent(), 3_000)
    await heard()
    await heard()
    assert.equal((await orders())[0]?.refunded_cents, 9_000)
    assert.deepEqual(await matters(), [
      { kind: 'refund-above', amount_cents: 2_000, state: null, open: true },
    ])
  })

  it('a deposit behind a table that is given back there, or disputed and lost, is written down at its booking', async () => {
    await sold()
    const { stripe, venue, service } = scene
    const ref = `pi_${crypto.randomUUID()}`
    stripe.intents.set(ref, { ...stripe.intents.get(intent()), id: ref, amount: 5_000 } as never)
    await setRules(service, venue)
    const made = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Maya Okafor', date: '2026-10-20', time: '19:00', partySize: 2 },
    })
    assert.equal(made.status, 201, made.text)
    await rowsOf(
      service,
      `with g as (
         insert into guarantee (venue_id, reservation_id, account_id, kind, status, amount_cents, paid_cents, currency,
           free_until, sentence, language, agreed_at)
         select $1, $2, id, 'deposit', 'paid', 5000, 5000, 'USD', now(), 'Agreed.', 'en', now()
           from processor_account where venue_id = $1 returning id, account_id)
       insert into payment (venue_id, ref, account_id, guarantee_id, amount_cents, currency, via, state, processor_ref,
         made_at, settled_at)
       select $1, gen_random_uuid(), account_id, id, 5000, 'USD', 'processor', 'succeeded', $3, now(), now() from g`,
      [venue.id, made.body.reservation.id, ref],
    )
    const guarantee = () =>
      rowsOf(service, 'select status, refunded_cents from guarantee where venue_id = $1', [venue.id])
    await stripe.refundThere(ref, 2_000)
    await heard()
    assert.deepEqual(await guarantee(), [{ status: 'partially_refunded', refunded_cents: 2_000 }])
    const toAnswer = () =>
      rowsOf(
        service,
        `select 1 from task where venue_id = $1 and not done and title like 'Answer the dispute%'`,
        [venue.id],
      )
    await stripe.dispute(ref, 'needs_response')
    for (const one of stripe.disputes.values()) one.reason = 'product_not_received'
    await heard()
    const sheet = async () => (await scene.office.get(`/office/bookings/${made.body.reservation.id}`)).words
    assert.match(await sheet(), /\$50\.00 disputed by the guest’s bank/)
    assert.match(await sheet(), /Disputed by the guest’s bank by the service .{0,60}amount: \$50\.00/)
    assert.match(await sheet(), /reason: product not received/, 'in words, not as a code')
    assert.equal((await toAnswer()).length, 1)
    await stripe.dispute(ref, 'lost')
    await heard()
    assert.deepEqual(await toAnswer(), [], 'nobody can answer it any more')
    assert.deepEqual(await guarantee(), [{ status: 'refunded', refunded_cents: 5_000 }])
    await stripe.dispute(ref, 'won')
    await heard()
    assert.deepEqual(await guarantee(), [{ status: 'partially_refunded', refunded_cents: 2_000 }])
    await stripe.dispute(ref, 'lost')
    await heard()
    assert.deepEqual(await guarantee(), [{ status: 'refunded', refunded_cents: 5_000 }])
    assert.deepEqual(
      (await matters()).map(({ kind, amount_cents: cents }) => [kind, cents]),
      [
        ['dispute', 5_000],
        ['refund-above', 2_000],
      ],
    )
    const [shown] = await rowsOf(service, 'select id from money_matter where venue_id = $1 order by id', [
      venue.id,
    ])
    const evidence = await scene.office.get(`/office/payments/matters/${String(shown?.id)}/evidence.pdf`)
    assert.equal(evidence.status, 200)
    assert.ok(evidence.html.startsWith('%PDF'))
  })

  it('what is of no payment of ours is the venue’s other business, and nothing is written', async () => {
    await sold()
    const other = { ...scene.stripe.intents.get(intent()), id: 'pi_other' }
    scene.stripe.intents.set('pi_other', other as never)
    await scene.stripe.refundThere('pi_other', 100)
    await scene.stripe.dispute('pi_other', 'needs_response')
    for (const minutes of [0, 61]) {
      later(minutes)
      await heard()
    }
    assert.deepEqual([await refunds(), await matters()], [[], []])
    const waiting = 'select 1 from processor_event where venue_id = $1 and looked_at is null and kind <> $2'
    assert.deepEqual(await rowsOf(scene.service, waiting, [scene.venue.id, 'checkout.session.completed']), [])
  })

  it('a dispute that is won after it was lost takes its money off the refunds again, until it is lost once more', async () => {
    await sold()
    for (const state of ['needs_response', 'lost'] as const) {
      await scene.stripe.dispute(intent(), state)
      await heard()
    }
    assert.equal((await orders())[0]?.refunded_cents, 9_000)
    await scene.stripe.dispute(intent(), 'won')
    await heard()
    const [order] = await orders()
    assert.deepEqual([order?.status, order?.refunded_cents], ['paid', 0], 'the venue keeps it')
    const [named] = await rowsOf<{ id: number }>(
      scene.service,
      'select id::int from ticket_order where venue_id = $1',
      [scene.venue.id],
    )
    const id = named?.id ?? 0
    const page = (await scene.office.get(`/office/tickets/orders/${id}`)).words
    assert.match(page, /\$90\.00 Lost dispute.{0,80}Won in the end/)
    assert.doesNotMatch(page, /Refund failed|Try again|did not reach|Dismiss/)
    const list = (await scene.office.get('/office/payments')).words
    assert.doesNotMatch(list, /Refund failed|Try again/)
    const own = await ownOrder(scene.service.db, scene.venue.id, id)
    assert.ok(own)
    const { context } = scene.service
    const link = orderLink(context, scene.venue.id, own).replace(context.config.publicUrl, '')
    const buyer = (await guestAt(scene.service, link)).text
    assert.doesNotMatch(buyer, /could not be sent back|keeps/, 'and promises its buyer nothing')
    const stands = async () => (await matters()).map(({ state, open }) => [state, open])
    assert.deepEqual(await stands(), [['won', false]])
    await scene.stripe.dispute(intent(), 'lost')
    // The sweep of what is under way may come before the look at calls.
    await scene.sweep()
    await heard()
    const [again] = await orders()
    assert.deepEqual([again?.status, again?.refunded_cents], ['refunded', 9_000], 'and lost again')
    assert.deepEqual(await stands(), [['lost', false]])
  })

  it('one that is lost once more while a refund of ours is under way still makes good what failed of it', async () => {
    await sold()
    for (const state of ['needs_response', 'lost', 'won'] as const) {
      await scene.stripe.dispute(intent(), state)
      await heard()
    }
    await askRefund()
    scene.stripe.refundsPend = true
    await refund()
    await scene.stripe.dispute(intent(), 'lost')
    await heard()
    const states = async () => (await refunds()).map(({ state, origin }) => [state, origin])
    assert.deepEqual(
      await states(),
      [
        ['superseded', 'dispute'],
        ['pending', 'us'],
        ['succeeded', 'dispute'],
      ],
      'it counts at once, beyond what ours leaves',
    )
    const ours = [...scene.stripe.refunds.values()].at(-1)
    await scene.stripe.endRefund(ours?.id ?? '', 'failed')
    later(61)
    await refund()
    await heard()
    assert.deepEqual((await states())[0], ['superseded', 'dispute'])
    assert.deepEqual((await states()).at(-1), ['succeeded', 'dispute'])
    assert.equal((await orders())[0]?.refunded_cents, 9_000)
    const again =
      'select retry_of is not null as again from refund where venue_id = $1 order by id desc limit 1'
    assert.deepEqual(await rowsOf(scene.service, again, [scene.venue.id]), [{ again: true }])
  })

  it('a call that comes while its object is looked at is looked at too', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    let isFirst = true
    const parts = scene.withProcessor((processor) => ({
      lookAtDispute: async (ref) => {
        const seen = await processor.lookAtDispute(ref)
        if (isFirst) {
          isFirst = false
          later(1)
          await scene.stripe.dispute(intent(), 'lost')
        }
        return seen
      },
    }))
    await lookAtCalls(parts, signal)
    await heard()
    assert.deepEqual(
      (await matters()).map(({ state }) => state),
      ['lost'],
    )
  })

  it('of two workers that look at one dispute, the one that saw it earlier does not have the last word', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    const { context } = scene.service
    let isFirst = true
    const parts = scene.withProcessor((processor) => ({
      lookAtDispute: async (ref) => {
        const seen = await processor.lookAtDispute(ref)
        if (isFirst) {
          isFirst = false
          scene.service.setClock(context.clock().add({ seconds: 1 }).toString())
          await scene.stripe.dispute(intent(), 'lost')
          await lookAtCalls(context, signal)
        }
        return seen
      },
    }))
    later(1)
    await lookAtCalls(parts, signal)
    later(1)
    await heard()
    assert.deepEqual(
      (await matters()).map(({ state }) => state),
      ['lost'],
    )
    assert.equal((await orders())[0]?.refunded_cents, 9_000)
  })

  it('of two that are about one payment, the one that came first is written first, whichever process took it', async () => {
    await sold()
    scene.stripe.callsOut = false
    await scene.stripe.refundThere(intent(), 3_000)
    await scene.stripe.dispute(intent(), 'lost')
    const [back, lost] = scene.stripe.held
    assert.ok(back && lost)
    // Clocks of two processes are some minutes apart.
    later(5)
    await scene.stripe.call(lost)
    later(-3)
    await scene.stripe.call(back)
    later(10)
    await heard()
    assert.deepEqual(
      (await refunds()).map(({ origin, amount_cents: cents }) => [origin, cents]),
      [
        ['dashboard', 3_000],
        ['dispute', 6_000],
      ],
    )
    assert.deepEqual(
      (await matters()).map(({ kind, amount_cents: cents }) => [kind, cents]),
      [
        ['dispute', 9_000],
        ['refund-above', 3_000],
      ],
    )
  })

  it('a look that outlasts its lease writes nothing over what a later look has seen', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    const { context } = scene.service
    let isFirst = true
    const parts = scene.withProcessor((processor) => ({
      lookAtDispute: async (ref) => {
        const seen = await processor.lookAtDispute(ref)
        if (isFirst) {
          isFirst = false
          later(1)
          await scene.stripe.dispute(intent(), 'lost')
          await lookAtCalls(context, signal)
          await lookAtCalls(context, signal)
        }
        return seen
      },
    }))
    await lookAtCalls(parts, signal)
    assert.deepEqual(
      (await matters()).map(({ state, open }) => [state, open]),
      [['lost', false]],
    )
    assert.equal((await orders())[0]?.refunded_cents, 9_000)
  })

  it('what is called about before its payment is written here is recorded once it is', async () => {
    const id = await scene.opened()
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.stripe.refundThere(intent(), 3_000)
    await scene.stripe.dispute(intent(), 'needs_response')
    await heard()
    assert.deepEqual([await refunds(), await matters()], [[], []])
    await scene.sweep()
    later(10)
    await heard()
    assert.deepEqual(
      (await refunds()).map(({ state, amount_cents: cents }) => [state, cents]),
      [['succeeded', 3_000]],
    )
    assert.deepEqual(
      (await matters()).map(({ kind }) => kind),
      ['dispute'],
    )
  })

  it('a dispute is a note at the order and a task with its last day, once, and moves no money', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    await Promise.all([heard(), heard()])
    await scene.stripe.dispute(intent(), 'needs_response')
    await heard()
    assert.deepEqual(await matters(), [{ kind: 'dispute', amount_cents: 9_000, state: 'open', open: true }])
    assert.deepEqual(
      await rowsOf(scene.service, 'select category, assigned_role, due::text from task where venue_id = $1', [
        scene.venue.id,
      ]),
      [{ category: 'Finance', assigned_role: 'manager', due: '2026-10-15' }],
    )
    const [order] = await orders()
    assert.deepEqual([order?.status, order?.refunded_cents], ['paid', 0])
  })

  it('a dispute that is lost is money that went back; one that is won is nothing; a warning is a note', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    await heard()
    await scene.stripe.dispute(intent(), 'lost')
    await heard()
    assert.deepEqual(
      (await refunds()).map(({ state, origin, amount_cents: cents }) => [state, origin, cents]),
      [['succeeded', 'dispute', 9_000]],
    )
    assert.equal((await orders())[0]?.status, 'refunded')
    for (const states of [
      ['needs_response', 'won'],
      ['warning_needs_response', 'warning_closed'],
    ] as const) {
      scene.date = await newDate()
      await sold()
      for (const state of states) {
        await scene.stripe.dispute(intent(), state)
        await heard()
      }
      assert.equal((await orders()).at(-1)?.status, 'paid')
    }
    assert.deepEqual(
      (await matters()).map(({ state, open }) => [state, open]),
      [
        ['lost', false],
        ['won', false],
        ['warning', false],
      ],
    )
    const [tasks] = await rowsOf(scene.service, 'select count(*)::int as n from task where venue_id = $1', [
      scene.venue.id,
    ])
    assert.deepEqual(tasks, { n: 2 })
    await refund()
    assert.deepEqual(
      await rowsOf(
        scene.service,
        `select 1 from processor_event where venue_id = $1 and looked_at is null and kind like 'charge%'`,
        [scene.venue.id],
      ),
      [],
    )
  })
})
