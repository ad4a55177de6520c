import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setGuestPages } from '../../test/guest.ts'
import { deposit, securingTables } from '../../test/securing-tables.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { resumeCommand } from './resume.ts'

describe('resume sending, on a restored copy', () => {
  const scene = securingTables()

  it('gives a table that was paid for since the backup, and signs its guest up for the news they asked for', async () => {
    await setGuestPages(scene.service, scene.venue, { doors: ['book', 'news'], confirmUpTo: 8 })
    await scene.ask(deposit)
    const session = await scene.goToPay('2026-10-09 19:00', '2', { news: 'yes' })
    await scene.stripe.pay(session)
    const { context } = scene.service
    const hold = { ...context.hold, isOn: () => true, look: async () => toMoment(context.clock()) }
    await resumeCommand.run({ ...context, hold }, { 'dry-run': false } as never)
    assert.equal((await scene.guarantee())['status'], 'paid')
    assert.deepEqual(await scene.rows('select email from subscriber where venue_id = $1'), [
      { email: 'maya@example.com' },
    ])
  })
})
