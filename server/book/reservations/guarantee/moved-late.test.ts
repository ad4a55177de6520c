import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { letterOf } from '../../../test/letter-of.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

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

  it('a reminder and the guest’s page say what canceling costs by now, and before the limit only until when it is free', async () => {
    const keeps = /The time to cancel free of charge is over: the restaurant keeps \$40\.00\./
    const charges = /The time to cancel free of charge is over: the restaurant may charge \$50\.00\./
    for (const [asks, late] of [
      [deposit, keeps],
      [card, charges],
    ] as const) {
      await scene.open()
      await scene.ask(asks)
      const mine = await scene.secure()
      const said = async () => {
        const { text } = await guestAt(scene.service, mine)
        return [text, String((await letterOf(scene, 'bookingReminder')).facts)]
      }
      for (const text of await said()) assert.doesNotMatch(text, /free of charge is over/)
      scene.service.setClock('2026-10-09T00:00:00Z')
      for (const text of await said()) assert.match(text, late)
    }
  })

  it('of a table that was secured when canceling was not free any more the sentence that was agreed on says it alone', async () => {
    await scene.ask({ ...deposit, freeUntilHours: 24 * 30 })
    const mine = await scene.secure()
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /If you cancel or nobody comes, the restaurant keeps it\./)
    assert.doesNotMatch(text, /free of charge is over/)
  })
})
