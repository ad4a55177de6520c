import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

describe('another time past the limit of a deposit', () => {
  const scene = securingTables()
  const page = async (mine: string, slot: string) =>
    (await guestAt(scene.service, mine, { form: { do: 'ask', size: '2', slot } })).text

  it('the guest’s page says before the press that the deposit stays, and nothing of the kind before the limit', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    assert.doesNotMatch(await page(mine, '2026-10-12 19:00'), /restaurant keeps \$40/)
    await scene.later('2026-10-09T12:00:00Z')
    assert.match(
      await page(mine, '2026-10-12 19:00'),
      /The time to cancel free of charge is over: the restaurant keeps \$40\.00\./,
    )
  })

  it('the office says of a booking that is past its limit that canceling is not free any more, and names no day that is over', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await scene.later('2026-10-09T12:00:00Z')
    const id = await scene.bookingId()
    const { words } = await scene.office.get(`/office/bookings/${id}`)
    assert.match(words, /Canceling No longer free/)
    assert.doesNotMatch(words, /Free until/)
  })
})
