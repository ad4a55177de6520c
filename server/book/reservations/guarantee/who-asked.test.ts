import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hiddenOn } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

describe('staff who move a booking with a card or a deposit', () => {
  const scene = securingTables()
  const freeUntil = async () => new Date(String((await scene.guarantee())['free_until'])).toISOString()
  const send = async (id: number, date: string, more: Record<string, string> = {}) => {
    const page = await scene.office.get(`/office/bookings/${id}`)
    const version = hiddenOn(page.html.slice(page.html.indexOf('booking-form')), 'version')
    return scene.office.post(`/office/bookings/${id}/edits`, {
      ...{ version, date, time: '7:00 PM', partySize: '2', guestName: 'Maya Okafor', phone: '' },
      ...{ email: 'maya@example.com', notes: '', ...more },
    })
  }

  it('say past the limit who asked: the guest gets no way around it, and the venue’s own move takes it along', async () => {
    for (const [answer, expected] of [
      ['guest-asked', '2026-10-08T23:00:00.000Z'],
      ['venue-asked', '2026-10-11T23:00:00.000Z'],
    ] as const) {
      await scene.later('2026-10-06T14:00:00Z')
      await scene.ask(card)
      await scene.secure()
      const id = await scene.bookingId()
      await scene.later('2026-10-09T12:00:00Z')
      const asked = await send(id, '2026-10-12')
      assert.equal(asked.status, 409)
      assert.match(
        asked.words,
        /If the guest asked, canceling is no longer free: the card may be charged up to \$50\.00, at the new time, too\. If you moved it, canceling is free until October 11, 2026, 7:00 PM\./,
      )
      for (const one of ['guest-asked', 'venue-asked'])
        assert.match(asked.html, new RegExp(`name="confirmed" value="[^"]*${one}"`))
      assert.equal(await freeUntil(), '2026-10-08T23:00:00.000Z', 'nothing was done yet')
      const done = await send(id, '2026-10-12', { confirmed: answer })
      assert.equal(done.status, 303, done.words)
      assert.equal(await freeUntil(), expected)
      const cancelled = await scene.move('cancel', id, 'guest')
      assert.equal(cancelled.kind, 'done')
      assert.equal((await scene.guarantee())['status'], answer === 'guest-asked' ? 'held' : 'released')
      await scene.open()
    }
  })

  it('are not asked where it is the same either way', async () => {
    await scene.ask(card)
    await scene.secure()
    const id = await scene.bookingId()
    assert.equal((await send(id, '2026-10-12')).status, 303, 'before the limit it moves along for both')
    assert.equal(await freeUntil(), '2026-10-11T23:00:00.000Z')
    assert.equal((await send(id, '2026-10-10')).status, 409, 'to an earlier day only with its guest')
  })
})

describe('staff who cancel a confirmed booking with a deposit', () => {
  const scene = securingTables()

  for (const [who, clock, decidedBy, expected] of [
    ['for its guest until the limit send it back', '2026-10-08T22:59:00Z', 'guest', ['refunded', [4_000]]],
    ['for its guest from the limit on keep it', '2026-10-08T23:00:00Z', 'guest', ['paid', []]],
    ['for the venue send it back, however late', '2026-10-09T22:00:00Z', 'staff', ['refunded', [4_000]]],
  ] as const)
    it(who, async () => {
      await scene.ask(deposit)
      await scene.secure()
      const id = await scene.bookingId()
      const bookings = () => scene.rows('select status from reservation where venue_id = $1')
      assert.deepEqual(await bookings(), [{ status: 'Confirmed' }])
      await scene.later(clock)
      assert.equal((await scene.move('cancel', id, decidedBy)).kind, 'done')
      scene.service.setClock(Temporal.Instant.from(clock).add({ minutes: 2 }).toString())
      await scene.refund()
      const sent = [...scene.stripe.refunds.values()].map(({ amount }) => amount)
      assert.deepEqual([(await scene.guarantee())['status'], sent], expected)
    })
})
