import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deposit, lookAsRestored, securingTables } from '../../test/securing-tables.ts'
import { backUp } from '../../test/venue-backup.ts'
import { paymentCommands } from './payments.ts'

describe('comparing the books of payments on a restored copy', () => {
  const scene = securingTables()
  const compared = async (isOnHold: boolean) => {
    const { context } = scene.service
    const { slug: venue } = scene.venue
    const [command] = paymentCommands
    assert.ok(command)
    const given = { venue, from: '2026-10-06', to: undefined }
    const { text, json } = await command.run(
      { ...context, hold: { ...context.hold, isOn: () => isOnHold } },
      given as never,
    )
    return { text, differences: (json as { differences: { booking: number | null }[] }).differences }
  }

  it('names the booking that was paid for, and says to resume sending rather than what to do by hand, until that was done', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 4)
    const backup = await backUp(scene.service, scene.venue)
    await scene.payOn(await scene.agree(mine))
    await backup.putBack()
    const onHold = await compared(true)
    assert.deepEqual(
      onHold.differences.map(({ booking }) => booking),
      [id],
    )
    assert.match(onHold.text, new RegExp(`BOOKING[^]*missing-here[^]*\\b${id}\\b[^]*Run resume sending`))
    assert.doesNotMatch(onHold.text, /by hand|give it back|within a minute/)
    await lookAsRestored(scene.service)
    assert.deepEqual((await compared(false)).differences, [])
  })
})
