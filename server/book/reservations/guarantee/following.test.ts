import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeVenue } from '../../../core/venue/actions.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { signal } from '../../../test/selling-online.ts'
import { lookAtCalls } from '../../../tickets/online/money-back/called-about.ts'
import { bookedReservation } from '../../day/book-row.ts'
import { editReservation } from '../edits/edits.ts'
import type { ReservationChanges } from '../edits/held-edit.ts'
import type { ConfirmedReason } from '../staff-reasons.ts'
import { staff } from '../test/book.ts'
import { followZone } from '../zone-change.ts'
import { giveBackUnanswered } from './give-back-unanswered.ts'

describe('what is behind a booking follows it', () => {
  const scene = securingTables()
  const moment = (text: unknown) => new Date(String(text)).toISOString()

  describe('a request that was never confirmed', () => {
    const byHand = () => setGuestPages(scene.service, scene.venue, { doors: ['book'], confirmUpTo: null })

    it('costs nothing to withdraw, however late, and the page says so', async () => {
      await byHand()
      await scene.ask(deposit)
      const mine = await scene.secure()
      scene.service.setClock('2026-10-09T12:00:00Z')
      assert.match(
        (await guestAt(scene.service, `${mine}?do=cancel`)).text,
        /\$40\.00 goes back to your card/,
      )
      await guestAt(scene.service, mine, { form: { do: 'cancel' } })
      await scene.refund()
      assert.equal((await scene.guarantee())['status'], 'refunded')
      await scene.rules([card])
      await scene.later('2026-10-06T14:00:00Z')
      await scene.secure('2026-10-09 20:00')
      await scene.later('2026-10-09T12:00:00Z')
      const id = await scene.bookingId()
      await scene.move('cancel', id, 'guest')
      scene.service.setClock('2026-10-09T12:00:31Z')
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      await scene.charges()
      await scene.cards()
      assert.deepEqual([scene.charged(), scene.stripe.customers.size], [[], 0])
    })

    it('gives everything back by itself once its service is over, and not while it may be confirmed', async () => {
      await byHand()
      await scene.ask(deposit)
      await scene.secure()
      await scene.rules([card])
      await scene.secure('2026-10-09 20:00')
      const after = async (clock: string) => {
        scene.service.setClock(clock)
        await giveBackUnanswered(scene.service.context)
        await scene.refund()
        await scene.cards()
        return (await scene.rows('select status from guarantee where venue_id = $1 order by id')).map(
          ({ status }) => status,
        )
      }
      assert.deepEqual(await after('2026-10-10T00:30:00Z'), ['paid', 'held'])
      assert.deepEqual(await after('2026-10-10T12:00:00Z'), ['refunded', 'released'])
      assert.equal((await after('2026-10-10T12:01:00Z')).length, 2)
      assert.deepEqual(
        [...scene.stripe.refunds.values()].map(({ amount }) => amount),
        [4_000],
      )
    })

    it('gives back the rest, too, where a manager gave back a part after its time had come, and tries no refund again that failed', async () => {
      await byHand()
      await scene.ask(deposit)
      await scene.secure()
      await scene.later('2026-10-10T00:30:00Z')
      await scene.pressCard(await scene.bookingId(), { do: 'refund', amount: '10' })
      await scene.refund()
      const sent = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)
      const over = async (clock: string) => {
        scene.service.setClock(clock)
        await giveBackUnanswered(scene.service.context)
        await scene.refund()
      }
      await over('2026-10-10T12:00:00Z')
      assert.deepEqual(sent(), [1_000, 3_000])
      assert.equal((await scene.guarantee())['status'], 'refunded')
      const [last] = [...scene.stripe.refunds.keys()].slice(-1)
      await scene.stripe.endRefund(last ?? '', 'failed')
      await over('2026-10-10T12:01:00Z')
      await over('2026-10-10T12:02:00Z')
      assert.deepEqual(sent(), [1_000, 3_000])
    })

    it('gives back nothing that a bank took while it waited to be sent, however often that is looked at', async () => {
      await byHand()
      await scene.ask(deposit)
      await scene.secure()
      scene.service.setClock('2026-10-10T12:00:00Z')
      await giveBackUnanswered(scene.service.context)
      await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', 'lost')
      for (const minute of ['01', '03', '05']) {
        scene.service.setClock(`2026-10-10T12:${minute}:00Z`)
        await giveBackUnanswered(scene.service.context)
        await lookAtCalls(scene.service.context, signal)
        await scene.refund()
      }
      assert.deepEqual(await scene.rows('select state, origin from refund where venue_id = $1 order by id'), [
        { state: 'superseded', origin: 'us' },
        { state: 'succeeded', origin: 'dispute' },
      ])
      assert.equal(scene.stripe.refunds.size, 0)
      assert.equal((await scene.guarantee())['status'], 'refunded')
      const kept = await scene.rows(
        `select event_ref from processor_event where venue_id = $1 and kind like 'charge.dispute.%' and looked_at is null`,
      )
      assert.deepEqual(kept, [], 'no call is left to look at')
    })
  })

  describe('a press of staff that is undone', () => {
    const agreed = async () => {
      const { amount_cents, free_until, delete_at, status } = await scene.guarantee()
      return [amount_cents, moment(free_until), delete_at && moment(delete_at), status]
    }
    const edit = async (
      changes: ReservationChanges,
      press?: readonly number[],
      confirmed?: readonly ConfirmedReason[],
    ) => {
      const id = await scene.bookingId()
      const outcome = await actAt(scene.service, scene.venue, async (work) => {
        const row = await bookedReservation(work.db, work.venue.id, id)
        const more = press ? { press, confirmed: ['*'] as never } : confirmed && { confirmed }
        return editReservation(work, staff('host'), { id, seenVersion: row?.version ?? 0, changes, ...more })
      })
      assert.equal(outcome.kind, 'done')
      return (outcome.kind === 'done' && outcome.press) || []
    }
    const at = (date: string) => ({
      when: { date, time: '19:00', startsAt: Temporal.Instant.from(`${date}T23:00:00Z`) },
    })
    const ranOut = async (clock: string) => {
      scene.service.setClock(clock)
      await scene.refund()
      await scene.cards()
    }
    const sentBack = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)
    const slot = '2026-10-09 19:00'

    it('sends no money back for guests who were taken off by mistake, and asks for as much as before', async () => {
      await scene.ask(deposit)
      await scene.secure('2026-10-09 19:00', '4')
      const before = await agreed()
      const press = await edit({ partySize: 3 })
      await scene.refund()
      await edit({ partySize: 4 }, press)
      await ranOut('2026-10-06T14:00:31Z')
      assert.deepEqual([await agreed(), sentBack()], [before, []])
      const again = await edit({ partySize: 3 })
      await ranOut('2026-10-06T14:01:02Z')
      assert.deepEqual(sentBack(), [2_000], 'once nobody undid it')
      await edit({ partySize: 4 }, again)
      assert.equal((await agreed())[0], 6_000, 'what went back is not asked for twice')
    })

    /** A deposit of which a part was to go back for guests who would not come, and did not arrive. */
    const notArrived = async (size: string, smaller: string) => {
      await scene.ask(deposit)
      const mine = await scene.secure(slot, size)
      await scene.change(mine, smaller, slot)
      await scene.refund()
      const [named = ''] = [...scene.stripe.refunds.keys()]
      await scene.stripe.endRefund(named, 'failed')
      await ranOut('2026-10-06T14:02:00Z')
      return mine
    }
    const askedFor = async (mine: string, size: string) =>
      (await guestAt(scene.service, mine, { form: { do: 'ask', size, slot } })).text

    it('lets a guest who comes after all pay nothing where the money for them had not arrived, and undone it is still to be sent', async () => {
      const mine = await notArrived('4', '3')
      const sums = async () => {
        const { status, amount_cents: amount, asked_cents: asked } = await scene.guarantee()
        const refunds = await scene.rows('select state from refund where venue_id = $1 order by id')
        return [status, amount, asked, refunds.map(({ state }) => state)]
      }
      assert.deepEqual(await sums(), ['paid', 6_000, 0, ['failed']])
      assert.doesNotMatch(await askedFor(mine, '4'), /\$20\.00/, 'nothing is due')
      const press = await edit({ partySize: 4 })
      assert.deepEqual(await sums(), ['paid', 8_000, 0, ['superseded']])
      assert.doesNotMatch((await guestAt(scene.service, mine)).text, /could not be sent|Pay \$20/)
      await edit({ partySize: 3 }, press)
      assert.deepEqual(await sums(), ['paid', 6_000, 0, ['failed']])
      await edit({ partySize: 5 })
      assert.deepEqual(await sums(), ['paid', 8_000, 2_000, ['superseded']], 'what is beyond it is asked')
      assert.deepEqual(sentBack(), [2_000])
    })

    it('keeps of money that had not arrived what a larger party needs of it, and sends the rest once more', async () => {
      const mine = await notArrived('6', '4')
      const sums = async () => {
        const { status, amount_cents: amount, asked_cents: asked } = await scene.guarantee()
        const refunds = await scene.rows(
          'select state, amount_cents as cents from refund where venue_id = $1 order by id',
        )
        return [status, amount, asked, refunds.map(({ state, cents }) => [state, cents])]
      }
      assert.deepEqual(await sums(), ['paid', 8_000, 0, [['failed', 4_000]]])
      assert.doesNotMatch(await askedFor(mine, '5'), /\$20\.00/, 'nothing is due')
      const press = await edit({ partySize: 5 })
      const kept = [
        ['superseded', 4_000],
        ['pending', 2_000],
      ]
      assert.deepEqual(await sums(), ['paid', 10_000, 0, kept])
      await edit({ partySize: 4 }, press)
      assert.deepEqual(await sums(), ['paid', 8_000, 0, [['failed', 4_000]]], 'undone')
      await edit({ partySize: 5 })
      await ranOut('2026-10-06T14:04:00Z')
      assert.deepEqual(sentBack(), [4_000, 2_000])
      assert.deepEqual((await sums()).slice(0, 3), ['partially_refunded', 10_000, 0])
    })

    it('asks for what went back in the dashboard after it had not arrived', async () => {
      const mine = await notArrived('6', '4')
      await scene.stripe.refundThere([...scene.stripe.intents.keys()][0] ?? '', 2_000)
      await lookAtCalls(scene.service.context, new AbortController().signal)
      assert.match(await askedFor(mine, '6'), /\$20\.00/)
      await edit({ partySize: 6 })
      const { amount_cents: amount, asked_cents: due } = await scene.guarantee()
      assert.deepEqual([amount, due], [10_000, 2_000])
    })

    it('gives back what was paid since for guests who were added by mistake', async () => {
      await scene.ask(deposit)
      const mine = await scene.secure()
      const press = await edit({ partySize: 4 })
      await scene.payOn(await scene.agree(mine))
      assert.equal((await scene.guarantee())['paid_cents'], 8_000)
      await edit({ partySize: 2 }, press)
      await ranOut('2026-10-06T14:00:31Z')
      const { status, amount_cents: amount, asked_cents: asked } = await scene.guarantee()
      assert.deepEqual([status, amount, asked, sentBack()], ['partially_refunded', 4_000, 0, [4_000]])
    })

    it('asks for the rest of guests who were taken off by mistake, where the fewer were paid for since', async () => {
      await scene.ask(deposit)
      const mine = await scene.secure()
      await edit({ partySize: 4 })
      const press = await edit({ partySize: 3 })
      await scene.payOn(await scene.agree(mine))
      await edit({ partySize: 4 }, press)
      await ranOut('2026-10-06T14:00:31Z')
      const { amount_cents: amount, asked_cents: asked, paid_cents: paid } = await scene.guarantee()
      assert.deepEqual([amount, asked, paid, sentBack()], [6_000, 2_000, 6_000, []])
    })

    it('leaves limit, sum and day of a card as they were', async () => {
      await scene.ask(card)
      await scene.secure()
      const before = await agreed()
      for (const date of ['2026-10-12', '2026-10-08']) {
        const press = await edit({ ...at(date), partySize: 1 }, undefined, ['guest-asked'])
        assert.notDeepEqual(await agreed(), before)
        await edit({ ...at('2026-10-09'), partySize: 2 }, press)
        assert.deepEqual(await agreed(), before)
      }
    })

    it('takes back a cancellation with the deposit and the card, which move only once it cannot be undone', async () => {
      await scene.ask(deposit)
      await scene.secure()
      const paid = await scene.bookingId()
      await scene.rules([card])
      await scene.secure('2026-10-09 20:00')
      const held = await scene.bookingId()
      const before = await agreed()
      const cancel = async () => {
        for (const id of [paid, held]) await scene.move('cancel', id, 'staff')
        await scene.refund()
        await scene.cards()
      }
      await cancel()
      for (const id of [paid, held]) assert.equal((await scene.move('undoCancel', id)).kind, 'done')
      await ranOut('2026-10-06T14:00:31Z')
      assert.deepEqual([await agreed(), sentBack(), scene.stripe.customers.size], [before, [], 1])
      await cancel()
      await ranOut('2026-10-06T14:01:02Z')
      assert.deepEqual(
        [(await agreed())[3], sentBack(), scene.stripe.customers.size],
        ['released', [4_000], 0],
      )
    })
  })

  it('a corrected time zone moves the limit and the day of the card with the booking, of one being secured too', async () => {
    await scene.ask(card)
    await scene.secure()
    const underWay = await scene.goToPay('2026-10-09 20:00')
    await changeVenue(scene.service.db, scene.venue.slug, { timezone: 'America/Chicago' })
    await followZone(scene.service.context, scene.venue.id, async () => undefined)
    await scene.payOn(underWay)
    const rows = await scene.rows(
      `select r.starts_at, g.free_until, g.delete_at, r.guarantee->>'freeUntil' as shown
         from guarantee g join reservation r on r.venue_id = g.venue_id and r.id = g.reservation_id
        where g.venue_id = $1 order by g.id`,
    )
    assert.deepEqual(
      rows.map((row) => Object.values(row).map(moment)),
      [
        ['2026-10-10T00:00', '2026-10-09T00:00', '2026-10-13T09:00', '2026-10-09T00:00'],
        ['2026-10-10T01:00', '2026-10-09T01:00', '2026-10-13T09:00', '2026-10-09T01:00'],
      ].map((row) => row.map((text) => `${text}:00.000Z`)),
    )
  })
})
