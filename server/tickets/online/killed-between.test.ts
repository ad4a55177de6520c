import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { cardKept, deposited, killedWhilePaying, paid } from '../../test/money/killed-while-paying.ts'
import { signal } from '../../test/selling-online.ts'
import { lookAtCalls } from './money-back/called-about.ts'

describe('what is left of money by a process that is killed between two of its steps', () => {
  const scene = killedWhilePaying()
  const { killed, killedAt, press, row, sweep, books, tableBooks, pagesOf } = scene

  it('the page is open and the redirect lost: the next press leads to the same page, whose seats are nobody else’s', async () => {
    const date = await scene.newDate(2)
    const id = await scene.made(date)
    const lost = press(id).catch(() => undefined)
    await eventually(async () => (await row(id)).state === 'open')
    await killed()
    await lost
    await scene.restart()
    const again = await press(id)
    const [page, ...more] = await pagesOf(id)
    assert.deepEqual([again.status, again.headers.get('location'), more], [303, page?.url, []])
    assert.notEqual((await scene.ask(date)).kind, 'checkout')
    await scene.stripe.pay(page?.id ?? '')
    await sweep(3)
    assert.deepEqual(await books(id), paid)
    assert.equal((await pagesOf(id)).length, 1)
  })

  for (const [what, made, bookkeeping, kept] of [
    ['tickets', () => scene.made(), books, paid],
    ['a deposit', () => scene.madeTable('deposit', '19:00'), tableBooks, [deposited]],
    ['a card', () => scene.madeTable('card', '17:00'), tableBooks, [cardKept]],
  ] as const)
    it(`${what}: the look was answered and nothing of it written, so the next look gives it, once`, async () => {
      const id = await made()
      await press(id)
      await scene.stripe.pay((await row(id)).session_ref ?? '')
      await scene.killedBeforeCommit(id)
      const { state, order_id: order, reservation_id: booking } = await row(id)
      assert.deepEqual([state, order, booking], ['open', null, null])
      await sweep(3)
      assert.deepEqual(await bookkeeping(id), kept)
    })

  /** The processor calls about the newest of this kind, once a process is there again. */
  const called = async (kind: string): Promise<void> => {
    await scene.restart()
    const { context } = scene.service
    scene.stripe.reach = (url) => url.replace(context.config.publicUrl, scene.running.url)
    const event = scene.stripe.held.findLast(({ type }) => type === kind)
    assert.ok(event)
    assert.equal(await scene.stripe.call(event), 200)
  }

  it('the look was answered and nothing of it written: a call of the processor has it looked at before its time', async () => {
    await sweep(0)
    const id = await scene.made()
    await press(id)
    await scene.stripe.pay((await row(id)).session_ref ?? '')
    await scene.killedBeforeCommit(id)
    await scene.rows(
      `update checkout set look_at = now() + interval '1 hour' where venue_id = $1 and id = ${id}`,
    )
    await sweep()
    assert.equal((await row(id)).state, 'open')
    await called('checkout.session.completed')
    await sweep()
    assert.deepEqual(await books(id), paid)
  })

  it('a refund is done there and its answer lost: a call of the processor names it as ours, so it is written once', async () => {
    const before = scene.stripe.refunds.size
    const id = await scene.madeRefund()
    await killedAt('POST /v1/refunds', 'slow after', 'refund')
    await called('refund.created')
    const given = { ...paid, status: 'partially_refunded', refunded_cents: 4_000 }
    await lookAtCalls(scene.service.context, signal)
    assert.deepEqual(await books(id), given)
    await sweep(6)
    assert.deepEqual(await books(id), given)
    assert.equal(scene.stripe.refunds.size, before + 1)
  })

  /** A deposit for two, of whom one does not come: so little goes back by itself that the processor would give it twice. */
  const madeReturn = async (): Promise<number> => {
    const id = await scene.madeTable('deposit', '19:00')
    await press(id)
    await scene.stripe.pay((await row(id)).session_ref ?? '')
    await sweep(3)
    const booking = Number((await row(id)).reservation_id)
    const { kind } = await actAt(scene.service, scene.venue, async (work) => {
      const seen = await bookedReservation(work.db, work.venue.id, booking)
      return editReservation(work, staff('manager'), {
        ...{ id: booking, seenVersion: seen?.version ?? 0, changes: { partySize: 1 } },
        confirmed: ['*'] as never,
      })
    })
    assert.equal(kind, 'done')
    return id
  }
  const returned = async (id: number) => {
    const { reservation_id: booking } = await row(id)
    return scene.rows(`
      select g.status, g.paid_cents, g.refunded_cents,
        (select count(*)::int from refund r where r.venue_id = g.venue_id and r.guarantee_id = g.id) as refunds
        from guarantee g where g.venue_id = $1 and g.reservation_id = ${booking}`)
  }

  const hours = [
    ['heard of soon', 0],
    ['heard of when the processor has forgotten the key', 24],
  ] as const
  const ways = [
    ['is on its way', 'slow'],
    ['is done there and its answer lost', 'slow after'],
  ] as const
  for (const [when, later] of hours)
    for (const [what, how] of ways) {
      /** What workers do afterwards, as often as something may be due. */
      const rest = async (): Promise<void> => {
        if (later > 0) scene.stripe.forgetKeys()
        for (const minutes of [2, 4, 6]) await sweep(later * 60 + minutes)
      }

      it(`a refund that ${what}, ${when}: the money goes back once`, async () => {
        const before = scene.stripe.refunds.size
        const id = await scene.madeRefund()
        await killedAt('POST /v1/refunds', how, 'refund')
        assert.deepEqual(await books(id), paid)
        assert.equal(scene.stripe.refunds.size, before + (how === 'slow' ? 0 : 1))
        await rest()
        assert.deepEqual(await books(id), { ...paid, status: 'partially_refunded', refunded_cents: 4_000 })
        assert.equal(scene.stripe.refunds.size, before + 1)
      })

      it(`a deposit’s refund that ${what}, ${when}: the money goes back once`, async () => {
        const before = scene.stripe.refunds.size
        const id = await madeReturn()
        await killedAt('POST /v1/refunds', how, 'refund')
        const kept = { status: 'paid', paid_cents: 4_000, refunded_cents: 0, refunds: 1 }
        assert.deepEqual(await returned(id), [kept])
        assert.equal(scene.stripe.refunds.size, before + (how === 'slow' ? 0 : 1))
        await rest()
        assert.deepEqual(await returned(id), [
          { ...kept, status: 'partially_refunded', refunded_cents: 2_000 },
        ])
        assert.equal(scene.stripe.refunds.size, before + 1)
      })

      it(`a charge that ${what}, ${when}: the card is charged once`, async () => {
        const charged = () =>
          [...scene.stripe.intents.values()].filter(({ customer }) => customer != null).length
        const before = charged()
        const id = await scene.madeCharge('20:00')
        await killedAt('POST /v1/payment_intents', how, 'payment')
        assert.equal(charged(), before + (how === 'slow' ? 0 : 1))
        await rest()
        const [kept, ...more] = await tableBooks(id)
        assert.deepEqual(
          [kept?.['status'], kept?.['paid_cents'], kept?.['payments'], more],
          ['charged', 4_000, 1, []],
        )
        assert.equal(charged(), before + 1)
      })
    }
})
