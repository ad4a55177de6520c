import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paymentCommands } from '../../../doors/operator/payments.ts'
import { rowsOf } from '../../../test/rows.ts'
import { lookAsRestored } from '../../../test/securing-tables.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { backUp } from '../../../test/venue-backup.ts'
import { checkBooks } from '../reconciling/nightly.ts'
import { reconcile } from '../reconciling/reconcile.ts'

describe('a dispute that nobody called about', () => {
  const scene = sellingOnline()
  const { sold, heard, later, orders } = scene

  const days = { from: '2026-10-06', to: '2026-10-06' }
  const compared = (of = days, context = scene.service.context) =>
    reconcile(context, { ...scene.venue, plan: 'pro' }, of)
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const intent = () => [...scene.stripe.intents.keys()].at(-1) ?? ''
  const disputes = () =>
    rows(
      `select state, done_at is null as open from money_matter where venue_id = $1 and kind = 'dispute' order by id`,
    )
  const lost = () =>
    rows(
      `select amount_cents + beyond_cents as cents from refund
        where venue_id = $1 and origin = 'dispute' and state = 'succeeded' order by id`,
    )
  const tasks = () => rows(`select done from task where venue_id = $1 and title like 'Answer the dispute%'`)
  const mails = () => rows('select kind from guest_mail where venue_id = $1 order by id')
  /** What other tests left at the stand-in is of another account. */
  const forget = () => {
    for (const held of [scene.stripe.intents, scene.stripe.refunds, scene.stripe.disputes]) held.clear()
  }

  it('and that is lost is written by the comparison of books, once, and its money is in Payments', async () => {
    forget()
    await sold()
    scene.stripe.callsOut = false
    await scene.stripe.dispute(intent(), 'lost')
    // The venue's other business.
    await scene.stripe.dispute(intentOfOthers(), 'lost')
    const onHold = { ...scene.service.context, hold: { ...scene.service.context.hold, isOn: () => true } }
    assert.equal((await compared(days, onHold)).recorded, 0)
    assert.deepEqual(await disputes(), [], 'a restored copy writes nothing until it looks at everything')
    const first = await compared()
    assert.deepEqual([first.recorded, first.differences], [1, []])
    assert.deepEqual(
      first.moved.map(({ cents_in, cents_lost }) => [cents_in, cents_lost]),
      [[9_000, 9_000]],
    )
    assert.deepEqual(await disputes(), [{ state: 'lost', open: false }])
    assert.deepEqual(
      (await orders()).map(({ status, refunded_cents: cents }) => [status, cents]),
      [['refunded', 9_000]],
    )
    assert.match((await scene.office.get('/office/payments')).words, /\$90\.00 lost/)
    const { recorded, differences } = await compared()
    assert.deepEqual([recorded, differences, await lost()], [0, [], [{ cents: 9_000 }]])
  })

  it('and that was decided between a backup and the loss is written before the copy sends again, and nobody is mailed', async () => {
    forget()
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    await heard()
    const open = intent()
    later(3 * 24 * 60)
    await sold()
    const backup = await backUp(scene.service, scene.venue)
    const before = await mails()
    await scene.stripe.dispute(open, 'lost')
    await scene.stripe.dispute(intent(), 'lost')
    await heard()
    assert.deepEqual(await lost(), [{ cents: 9_000 }, { cents: 9_000 }])
    await backup.putBack()
    later(60)
    scene.stripe.callsOut = false
    assert.deepEqual([await disputes(), await lost()], [[{ state: 'open', open: true }], []])
    await lookAsRestored(scene.service)
    await lookAsRestored(scene.service)
    assert.deepEqual(await disputes(), [
      { state: 'lost', open: false },
      { state: 'lost', open: false },
    ])
    assert.deepEqual(await lost(), [{ cents: 9_000 }, { cents: 9_000 }])
    assert.deepEqual([await mails(), await tasks()], [before, [{ done: true }]])
    assert.equal((await compared({ from: '2026-10-06', to: '2026-10-09' })).recorded, 0)
  })

  it('and that is decided long after it was opened is noted at night, also where somebody took it off the list', async () => {
    forget()
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    await heard()
    assert.deepEqual(await tasks(), [{ done: false }])
    scene.stripe.callsOut = false
    await scene.stripe.dispute(intent(), 'lost')
    await rows('update money_matter set done_at = made_at where venue_id = $1')
    later(40 * 24 * 60 + 14 * 60)
    await checkBooks(scene.service.context, signal)
    assert.deepEqual(await disputes(), [{ state: 'lost', open: false }])
    assert.deepEqual([await lost(), await tasks()], [[{ cents: 9_000 }], [{ done: true }]])
    const of = (date: string) => compared({ from: date, to: date })
    const sums = async (date: string) => (await of(date)).moved.map(({ cents_lost }) => cents_lost)
    const noted = scene.service.context.clock().toString().slice(0, 10)
    assert.deepEqual(
      [await sums('2026-10-06'), await sums(noted)],
      [[0], [9_000]],
      'its money counts on the day it is noted, and changes no day before',
    )
  })

  it('and that turns after it was decided is noted at night for four months, long after it was opened', async () => {
    forget()
    await sold()
    await scene.stripe.dispute(intent(), 'lost')
    await heard()
    scene.stripe.callsOut = false
    const day = 24 * 60
    const turns = async (days: number, to: 'won' | 'lost') => {
      await scene.stripe.dispute(intent(), to)
      later(days * day + 14 * 60)
      await checkBooks(scene.service.context, signal)
      return (await disputes()).map(({ state }) => state)
    }
    assert.deepEqual(await turns(100, 'won'), ['won'])
    assert.deepEqual(
      (await orders()).map(({ status, refunded_cents: cents }) => [status, cents]),
      [['paid', 0]],
    )
    assert.deepEqual(await turns(60, 'lost'), ['lost'], 'it was decided then')
    assert.deepEqual(await turns(130, 'won'), ['lost'], 'a bank has decided for good by then')
  })

  it('and that has to wait for a refund under way is written once that has ended', async () => {
    forget()
    await sold()
    scene.stripe.callsOut = false
    await scene.askRefund('30.00')
    await scene.stripe.dispute(intent(), 'lost')
    assert.equal((await compared()).recorded, 1)
    assert.deepEqual(await lost(), [])
    await scene.refund()
    later(10)
    await heard()
    assert.deepEqual(await lost(), [{ cents: 9_000 }])
  })

  it('is not read with a key that may not: that is said, and payments are compared', async () => {
    forget()
    await sold()
    scene.stripe.denied.add('disputes')
    const { payments, denied, differences } = await compared()
    assert.deepEqual([payments, denied.length, differences], [1, 1, []])
    const [command] = paymentCommands
    const { text, failed } = (await command?.run(scene.service.context, {
      ...{ venue: scene.venue.slug, from: days.from, to: undefined },
    } as never)) ?? { text: '' }
    assert.equal(failed, true)
    assert.match(text, /does not let it read disputes/)
    assert.ok((await lookAsRestored(scene.service)).denied.includes(scene.venue.slug))
  })

  const intentOfOthers = () => {
    const of = scene.stripe.intents.get(intent())
    const id = `pi_${crypto.randomUUID()}`
    scene.stripe.intents.set(id, { ...of, metadata: {}, id } as never)
    return id
  }
})
