import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hurryCalled } from '../../../core/money/call-store.ts'
import { actAt } from '../../../test/act.ts'
import { eventually } from '../../../test/eventually.ts'
import { fieldsIn } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { owner, sellingOnline, signal } from '../../../test/selling-online.ts'
import { retryRefund } from '../../refunds.ts'
import { refundsToLookAt } from '../reconciling/money-reads.ts'
import { reconcile } from '../reconciling/reconcile.ts'
import { refundOnline } from './refund-online.ts'

describe('giving back money that was paid online', () => {
  const scene = sellingOnline()
  const { newDate, later, sweep, refund, orders, refunds, sold, askRefund } = scene

  it('a refund whose answer was lost, or that failed there, goes once', async () => {
    for (const how of ['failed after', 'failed', 'closed', 'busy'] as const) {
      await sold()
      await askRefund()
      const before = scene.stripe.refunds.size
      scene.stripe.trouble = { at: 'POST /v1/refunds', how }
      for (let round = 0; round < 3; round++) {
        await refund()
        later(2)
      }
      assert.equal(scene.stripe.refunds.size, before + 1, how)
      assert.deepEqual((await orders()).at(-1)?.status, 'refunded', how)
    }
  })

  it('whose answer was lost goes once, also after the processor has forgotten its key', async () => {
    await sold()
    await askRefund()
    const before = scene.stripe.refunds.size
    scene.stripe.trouble = { at: 'POST /v1/refunds', how: 'closed' }
    scene.stripe.callsOut = false
    await refund()
    assert.equal(scene.stripe.refunds.size, before + 1, 'it was made there')
    scene.stripe.forgetKeys()
    later(25 * 60)
    for (let round = 0; round < 3; round++) {
      await refund()
      later(2)
    }
    assert.equal(scene.stripe.refunds.size, before + 1)
    assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
  })

  it('that the processor wants something for first is on its way, and one that it canceled has failed', async () => {
    await sold()
    await askRefund()
    scene.stripe.refundsPend = 'requires_action'
    await refund()
    assert.deepEqual([(await refunds()).at(-1)?.state, (await orders()).at(-1)?.status], ['pending', 'paid'])
    const made = [...scene.stripe.refunds.keys()].at(-1)
    await scene.stripe.endRefund(made ?? '', 'canceled')
    await sweep()
    later(1)
    await refund()
    assert.deepEqual(
      [
        (await refunds()).at(-1)?.state,
        (await orders()).at(-1)?.status,
        (await orders()).at(-1)?.refunded_cents,
      ],
      ['failed', 'refund_failed', 0],
    )
    scene.stripe.refundsPend = false
    await askRefund()
    await refund()
    assert.equal((await orders()).at(-1)?.status, 'refunded', 'what was canceled may go again')
  })

  it('of an amount that there is no coin for fails, and the processor is not asked again and again', async () => {
    await rowsOf(scene.service, `update venue set currency = 'JPY' where id = $1`, [scene.venue.id])
    scene.date = await newDate({ priceCents: 150_000 })
    const id = await scene.opened({ shownTotalCents: 300_000 })
    await scene.stripe.pay(await scene.sessionOf(id))
    await sweep()
    await askRefund('30.00')
    await rowsOf(scene.service, 'update refund set amount_cents = 3050 where venue_id = $1', [scene.venue.id])
    const before = scene.stripe.refunds.size
    await refund()
    assert.deepEqual(
      [(await refunds()).at(-1)?.state, (await orders()).at(-1)?.status],
      ['failed', 'refund_failed'],
    )
    assert.equal(scene.stripe.refunds.size, before)
  })

  it('is sent by the form of the order, which asks for no result that only the processor knows', async () => {
    await sold()
    const [order] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const page = await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)
    assert.match(page.words, /To the card, by Stripe/)
    assert.match(page.words, /the result appears here by itself; Stripe keeps its fee/)
    assert.doesNotMatch(page.words, /What the bank or processor said|Record the refund/)
    const sent = await scene.office.post(`/office/tickets/orders/${String(order?.['id'])}/refunds`, {
      ...fieldsIn(page),
      amount: '90.00',
      seats: '0',
      via: 'processor',
    })
    assert.equal(sent.status, 303, sent.words)
    await refund()
    assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
  })

  it('one that fails again and again keeps when it was asked for, and needs a look a day after that', async () => {
    await sold()
    await askRefund()
    const madeAt = () =>
      rowsOf(scene.service, 'select made_at, try from refund where venue_id = $1', [scene.venue.id])
    const [asked] = await madeAt()
    for (let hour = 0; hour < 30; hour++) {
      scene.stripe.trouble = { at: 'POST /v1/refunds', how: 'failed' }
      await refund()
      later(60)
    }
    const [row] = await madeAt()
    assert.ok(Number(row?.['try']) > 20, 'tried with another key each time')
    assert.deepEqual(row?.['made_at'], asked?.['made_at'])
    const { db, context } = scene.service
    const found = await refundsToLookAt(db, scene.venue.id, context.clock().subtract({ hours: 24 }))
    assert.deepEqual(
      found.map(({ state }) => state),
      ['pending'],
    )
    scene.stripe.trouble = undefined
    await refund()
    assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
  })

  it('one that arrives while it is looked at is looked at next, not an hour later', async () => {
    await sold()
    await askRefund()
    scene.stripe.refundsPend = true
    await refund()
    const [named] = [...scene.stripe.refunds.keys()].slice(-1)
    assert.ok(named)
    later(61)
    let isFirst = true
    const parts = scene.withProcessor((processor) => ({
      lookAtRefund: async (ref) => {
        const seen = await processor.lookAtRefund(ref)
        if (isFirst) {
          isFirst = false
          await scene.stripe.endRefund(named, 'succeeded')
          await actAt(scene.service, scene.venue, ({ db }) =>
            hurryCalled(db, scene.venue.id, scene.service.context.clock()),
          )
        }
        return seen
      },
    }))
    await refundOnline(parts, signal)
    await refund()
    assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
  })

  it('one that a bank sends back after it had been pending is known at once when that is called about', async () => {
    await sold()
    await askRefund()
    scene.stripe.refundsPend = true
    await refund()
    const named = [...scene.stripe.refunds.keys()].at(-1) ?? ''
    const { endpoints } = scene.stripe
    const calling = [...endpoints]
    endpoints.clear()
    await scene.stripe.endRefund(named, 'succeeded')
    const day = '2026-10-06'
    await reconcile(scene.service.context, { ...scene.venue, plan: 'pro' }, { from: day, to: day })
    assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
    for (const [id, endpoint] of calling) endpoints.set(id, endpoint)
    await scene.stripe.endRefund(named, 'failed')
    await refund()
    assert.deepEqual((await refunds()).at(-1)?.state, 'failed')
  })

  it('a key that was rolled leaves a refund under way as it is, and the next key finds out how it ended', async () => {
    for (const isNamed of [true, false]) {
      const before = scene.stripe.refunds.size
      await sold()
      await askRefund()
      scene.stripe.refundsPend = isNamed
      if (!isNamed) scene.stripe.trouble = { at: 'POST /v1/refunds', how: 'failed after' }
      await refund()
      const { key } = scene.stripe
      scene.stripe.key = `${key}0`
      for (let round = 0; round < 3; round++) {
        later(61)
        await refund()
        assert.deepEqual((await refunds()).at(-1)?.state, 'pending')
      }
      scene.stripe.key = key
      if (isNamed) await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'succeeded')
      later(61)
      await refund()
      assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
      assert.equal(scene.stripe.refunds.size, before + 1)
    }
  })

  it('a refund that is not answered keeps no other of the venue waiting', async () => {
    for (let sale = 0; sale < 2; sale++) {
      await sold()
      await askRefund()
    }
    const { processors } = scene.service.context
    const answered = Promise.withResolvers<undefined>()
    let asked = 0
    const of: typeof processors.of = (...key) => {
      const processor = processors.of(...key)
      return {
        ...processor,
        refund: async (wanted) => {
          if (++asked === 1) await answered.promise
          return processor.refund(wanted)
        },
      }
    }
    const all = refundOnline({ ...scene.service.context, processors: { ...processors, of } }, signal)
    await eventually(async () => (await refunds()).some(({ state }) => state === 'succeeded'))
    answered.resolve(undefined)
    await all
    assert.deepEqual(
      (await refunds()).map(({ state }) => state),
      ['succeeded', 'succeeded'],
    )
  })

  it('a refund that the processor refuses fails only once its lists do not know it either', async () => {
    await sold()
    const [intent] = [...scene.stripe.intents.values()].slice(-1)
    assert.ok(intent)
    await askRefund()
    intent.amount = 100
    scene.stripe.trouble = { at: 'GET /v1/refunds', how: 'busy' }
    await refund()
    assert.equal((await refunds()).at(-1)?.state, 'pending')
    later(2)
    await refund()
    assert.equal((await refunds()).at(-1)?.state, 'failed')
  })

  it('a refund that fails after it had arrived comes off again, and its seats, which may be sold, stay back', async () => {
    scene.date = await newDate({ capacity: 2 })
    await sold()
    await askRefund()
    await refund()
    assert.deepEqual(
      (await orders()).map(({ status, refunded_cents: back }) => [status, back]),
      [['refunded', 9_000]],
    )
    await sold()
    later(60)
    const [made] = [...scene.stripe.refunds.keys()].slice(-1)
    scene.stripe.trouble = { at: 'GET /v1/refunds', how: 'busy' }
    await scene.stripe.endRefund(made ?? '', 'failed')
    for (const minutes of [0, 61, 61]) {
      later(minutes)
      await sweep()
      await refund()
    }
    const was = { seats: 2, total_cents: 9_000, refunded_cents: 0 }
    assert.deepEqual(await orders(), [
      { ...was, status: 'refund_failed', seats_returned: 2 },
      { ...was, status: 'paid', seats_returned: 0 },
    ])
    const [order] = await rowsOf(
      scene.service,
      'select id from ticket_order where venue_id = $1 order by id limit 1',
      [scene.venue.id],
    )
    assert.match(
      (await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)).words,
      /Seats All 2 are free again; a refund did not reach the buyer/,
    )
    const valid = `select count(*)::int as valid from ticket where venue_id = $1 and void_at is null`
    assert.deepEqual(await rowsOf(scene.service, valid, [scene.venue.id]), [{ valid: 2 }])
    const [failed] = await rowsOf(
      scene.service,
      `select r.id, o.version from refund r join ticket_order o on o.id = r.order_id
        where r.venue_id = $1 and r.state = 'failed'`,
      [scene.venue.id],
    )
    await actAt(scene.service, scene.venue, (work) =>
      retryRefund(work, owner, {
        ...{ refund: Number(failed?.id), seenVersion: Number(failed?.version), outcome: 'pending' },
      }),
    )
    await refund()
    assert.deepEqual((await orders())[0], {
      ...{ ...was, refunded_cents: 9_000, status: 'refunded', seats_returned: 2 },
    })
  })
})
