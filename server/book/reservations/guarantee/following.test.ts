import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeVenue } from '../../../core/venue/actions.ts'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
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
