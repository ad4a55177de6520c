import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paymentCommands } from '../../../doors/operator/payments.ts'
import { beginAccount } from '../../../core/money/account-store.ts'
import { standInKey } from '../../../core/money/stand-in-key.ts'
import { actAt } from '../../../test/act.ts'
import { rowsOf } from '../../../test/rows.ts'
import { owner, sellingOnline, signal } from '../../../test/selling-online.ts'
import { lookAtCalls } from '../money-back/called-about.ts'
import { checkBooks } from './nightly.ts'
import { type Difference, reconcile } from './reconcile.ts'

describe('the books of the processor and ours', () => {
  const scene = sellingOnline()
  const { sold, askRefund, refund, heard, later } = scene

  const days = { from: '2026-10-06', to: '2026-10-06' }
  const compared = (of = days) => reconcile(scene.service.context, { ...scene.venue, plan: 'pro' }, of)
  const short = ({ what, how, amountCents, hereCents }: Difference) => [what, how, amountCents, hereCents]
  const intents = () => [...scene.stripe.intents.values()]
  const planted = (more: object) => {
    const id = `pi_${crypto.randomUUID()}`
    scene.stripe.intents.set(id, { ...intents().at(-1), metadata: {}, id, ...more } as never)
    return id
  }
  /** What other tests left at the stand-in is of another account. */
  const forget = () => {
    for (const held of [scene.stripe.intents, scene.stripe.refunds]) held.clear()
  }

  it('agree where nothing was lost, whatever else the account took, and refunds of the dashboard are in both', async () => {
    forget()
    await sold()
    await sold()
    await askRefund('30.00')
    await refund()
    await scene.stripe.refundThere(intents().at(-1)?.id ?? '', 1_000)
    await heard()
    planted({})
    const { moved, ...found } = await compared()
    assert.deepEqual(moved, [
      {
        ...{ currency: 'USD', payments: 2, cents_in: 18_000 },
        ...{ cents_back: 4_000, cents_lost: 0, cents_returned: 0 },
      },
    ])
    assert.deepEqual(found, {
      payments: 2,
      refunds: 2,
      others: 1,
      recorded: 0,
      settled: 0,
      differences: [],
      denied: [],
    })
  })

  it('differ by what is missing here or there, moved twice, or is another amount', async () => {
    forget()
    await sold()
    const [paid] = intents()
    assert.ok(paid)
    planted({ metadata: { ref: crypto.randomUUID() }, amount: 4_000 })
    assert.deepEqual((await compared()).differences.map(short), [['payment', 'missing-here', 4_000, null]])
    forget()
    assert.deepEqual((await compared()).differences.map(short), [['payment', 'missing-there', 9_000, 9_000]])
    scene.stripe.intents.set(paid.id, { ...paid, amount: 8_000 })
    assert.deepEqual((await compared()).differences.map(short), [['payment', 'amount', 8_000, 9_000]])
    scene.stripe.intents.set(paid.id, paid)
    planted({ metadata: paid.metadata })
    assert.deepEqual((await compared()).differences.map(short), [['payment', 'twice', 9_000, 9_000]])
  })

  it('of two venues on one account tell nothing of each other’s money, also of what was made before venues were named', async () => {
    forget()
    await sold()
    const [paid] = intents()
    assert.equal(paid?.metadata['venue'], String(scene.venue.id))
    // As if it were another venue's.
    planted({ metadata: { ref: crypto.randomUUID(), venue: String(scene.venue.id + 1) } })
    const { others, payments, differences } = await compared()
    assert.deepEqual([others, payments, differences], [1, 1, []])
    Object.assign(paid ?? {}, { metadata: { ref: paid?.metadata['ref'] } })
    assert.deepEqual((await compared()).differences, [])
  })

  it('agree where a venue connected one account twice', async () => {
    forget()
    await sold()
    await rowsOf(scene.service, 'update processor_account set ended_at = made_at where venue_id = $1', [
      scene.venue.id,
    ])
    const looked = () => scene.stripe.calls.filter(({ what }) => /payment_intents\/pi/.test(what)).length
    for (const held of [scene.stripe.sessions, scene.stripe.endpoints]) held.clear()
    await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    await sold()
    assert.equal((await scene.orders()).length, 2)
    const before = looked()
    const { payments, others, differences } = await compared()
    assert.deepEqual([payments, others, differences], [2, 0, []])
    assert.equal(looked(), before, 'nothing is asked for twice')
  })

  it('a refund of the dashboard that nobody called about is written down, also of an earlier day’s payment', async () => {
    forget()
    await sold()
    scene.stripe.callsOut = false
    later(24 * 60)
    await scene.stripe.refundThere(intents().at(-1)?.id ?? '', 1_000)
    const next = { from: '2026-10-07', to: '2026-10-07' }
    const compare = async () => {
      const { moved: _, ...found } = await compared(next)
      return found
    }
    const none = { payments: 0, others: 0, settled: 0, differences: [], denied: [] }
    assert.deepEqual(await compare(), { ...none, refunds: 0, recorded: 1 })
    assert.deepEqual(await compare(), { ...none, refunds: 1, recorded: 0 })
    const [order] = await scene.orders()
    assert.deepEqual([order?.status, order?.refunded_cents], ['partially_refunded', 1_000])
  })

  it('agree again once somebody did what is to be done about a difference and marked it as done', async () => {
    forget()
    await sold()
    planted({ metadata: { ref: crypto.randomUUID() }, amount: 4_000 })
    later(14 * 60)
    await checkBooks(scene.service.context, signal)
    await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
    const page = await scene.office.get('/office/payments')
    assert.match(
      page.words,
      /A payment of \$40\.00 : in Stripe, and not written here It moved on October 6, 2026, 3:00 PM\. Refund in Stripe what is left of it, or sell or book by hand what was paid for\./,
    )
    assert.deepEqual((await compared()).differences.map(short), [['payment', 'missing-here', 4_000, null]])
    const [, done] = /action="(\/office\/payments\/matters\/\d+)"/.exec(page.html) ?? []
    assert.equal((await scene.office.post(done ?? '')).status, 303)
    const { settled, differences } = await compared()
    assert.deepEqual([settled, differences], [1, []])
    planted({ metadata: { ref: crypto.randomUUID() }, amount: 5_000 })
    assert.deepEqual((await compared()).differences.map(short), [['payment', 'missing-here', 5_000, null]])
  })

  it('each refund that cannot be written down is its own matter, at its order', async () => {
    forget()
    await sold()
    scene.stripe.callsOut = false
    await askRefund()
    for (const amount of [1_000, 2_000]) await scene.stripe.refundThere(intents().at(-1)?.id ?? '', amount)
    later(14 * 60)
    await checkBooks(scene.service.context, signal)
    const found = await rowsOf(
      scene.service,
      `select amount_cents, order_id is not null as at_order from money_matter
        where venue_id = $1 and kind = 'differs' order by amount_cents`,
      [scene.venue.id],
    )
    assert.deepEqual(found, [
      { amount_cents: 1_000, at_order: true },
      { amount_cents: 2_000, at_order: true },
    ])
    await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
    const needed = async () => (await scene.office.get('/office/payments')).words
    assert.match(
      await needed(),
      /Nothing has to be written down for it\. Where its payment is written here, it is added automatically once the refund that is under way there has ended/,
    )
    await refund()
    later(10)
    await lookAtCalls(scene.service.context, signal)
    assert.match(await needed(), /Refund failed Today \$0\.00 0 payments \$30\.00 refunded/)
    assert.doesNotMatch(await needed(), /in Stripe, and not written here/)
  })

  it('are compared by a command, which says what to do and ends with 1 if they differ', async () => {
    forget()
    await sold()
    const [command] = paymentCommands
    assert.ok(command)
    const run = () =>
      command.run(scene.service.context, { venue: scene.venue.slug, from: days.from, to: undefined } as never)
    const well = await run()
    assert.match(well.text, /Nothing differs\./)
    assert.equal(well.failed, undefined)
    planted({ metadata: { ref: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' } })
    const differing = await run()
    assert.equal(differing.failed, true)
    assert.match(
      differing.text,
      /missing-here +2026-10-06 15:00 +\$90\.00 .*6f9619ff-8b86-4d01-b42d-00cf4fc964ff.*give it back in Stripe/,
    )
    for (const name of scene.stripe.intents.keys()) assert.ok(!differing.text.includes(name))
    await assert.rejects(
      command.run(scene.service.context, { venue: scene.venue.slug, from: 'now', to: undefined } as never),
      /--from must be a date/,
    )
  })

  it('are compared every night once, with whether the processor still calls; what differs is on the page of payments', async () => {
    forget()
    await sold()
    planted({ metadata: { ref: crypto.randomUUID() }, amount: 4_000 })
    const [endpoint] = scene.stripe.endpoints.values()
    assert.ok(endpoint)
    endpoint.status = 'disabled'
    const night = () => checkBooks(scene.service.context, signal)
    const found = () =>
      rowsOf(
        scene.service,
        `select m.kind, m.state, m.amount_cents, a.trouble, a.reconciled_on::text as day
           from processor_account a left join money_matter m on m.venue_id = a.venue_id where a.venue_id = $1`,
        [scene.venue.id],
      )
    await night()
    const calls = scene.stripe.calls.length
    await night()
    assert.equal(scene.stripe.calls.length, calls, 'once a night')
    later(14 * 60)
    scene.stripe.trouble = { at: 'GET /v1/payment_intents', how: 'busy' }
    await night()
    later(60)
    await night()
    await night()
    const [row, ...more] = await found()
    assert.deepEqual(more, [])
    assert.match(String(row?.trouble), /does not call this service/)
    assert.deepEqual(
      { ...row, trouble: null },
      { kind: 'differs', state: 'missing-here', amount_cents: 4_000, trouble: null, day: days.to },
    )
  })
  it('are compared at each account by itself: one that the venue left, with a dead key, hides no difference of another', async () => {
    forget()
    await sold()
    await rowsOf(scene.service, 'update processor_account set ended_at = made_at where venue_id = $1', [
      scene.venue.id,
    ])
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    // Another account has nothing of the one before.
    forget()
    for (const held of [scene.stripe.sessions, scene.stripe.endpoints]) held.clear()
    await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    await sold()
    planted({ metadata: { ref: crypto.randomUUID() }, amount: 4_000 })
    const { differences, denied } = await compared()
    assert.deepEqual([differences.map(({ how }) => how), denied.length], [['missing-here'], 1])
    later(14 * 60)
    await checkBooks(scene.service.context, signal)
    assert.deepEqual(
      await rowsOf(
        scene.service,
        `select a.reconciled_on::text as day, m.state from processor_account a
           join money_matter m on m.venue_id = a.venue_id where a.venue_id = $1 and a.ended_at is null`,
        [scene.venue.id],
      ),
      [{ day: days.to, state: 'missing-here' }],
    )
    scene.stripe.key = key
  })

  it('are not asked for with the key of the stand-in, where nothing says where that runs', async () => {
    await rowsOf(scene.service, 'update processor_account set ended_at = made_at where venue_id = $1', [
      scene.venue.id,
    ])
    const { context } = scene.service
    const account = { id: crypto.randomUUID(), live: false, key: standInKey, callback: null }
    await actAt(scene.service, scene.venue, (work) => beginAccount(context, work, owner, account))
    const [command] = paymentCommands
    assert.ok(command)
    const config = { ...context.config, paymentsUrl: undefined }
    await assert.rejects(
      command.run({ ...context, config }, {
        venue: scene.venue.slug,
        from: days.from,
        to: undefined,
      } as never),
      /start the command with PRACTICE=on and the PAYMENTS_URL of the service/,
    )
  })
})
