import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setChangesByApi } from '../../rules/changes-by-api.ts'
import { actAt } from '../../../test/act.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

describe('software that changes the size of a party with a deposit', () => {
  const scene = securingTables()
  /** Makes it for so many, and returns the sums once nobody can undo that. */
  const resized = async (partySize: number) => {
    const { status, text } = await scene.service.call(
      'PATCH',
      `/api/v1/reservations/${await scene.bookingId()}`,
      { key: scene.venue.key, body: { partySize }, headers: { 'if-match': '*' } },
    )
    assert.equal(status, 200, text)
    scene.service.setClock(scene.service.context.clock().add({ minutes: 2 }).toString())
    await scene.refund()
    const row = await scene.guarantee()
    const { amount_cents: amount, asked_cents: asked, paid_cents: paid, refunded_cents: back } = row
    return { status: row['status'], amount, asked, paid, back }
  }

  it('sends back the part of a guest who is taken off in time, asks for more of those who are added, and keeps what is behind it past the limit', async () => {
    await scene.ask(deposit)
    await scene.secure('2026-10-09 19:00', '4')
    await actAt(scene.service, scene.venue, (work) => setChangesByApi(work, { kind: 'service' }, 'direct'))
    const back = { status: 'partially_refunded', paid: 8_000, back: 2_000 }
    assert.deepEqual(await resized(3), { ...back, amount: 6_000, asked: 0 })
    assert.deepEqual(await resized(5), { ...back, amount: 6_000, asked: 4_000 })
    scene.service.setClock('2026-10-09T12:00:00Z')
    assert.deepEqual(await resized(2), { ...back, amount: 6_000, asked: 0 }, 'too late for more')
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [2_000],
    )
  })
})
