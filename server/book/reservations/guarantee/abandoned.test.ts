import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

describe('a table that is being secured', () => {
  const scene = securingTables()
  /** All that others than this guest could learn of it. */
  const known = async () => ({
    feed: await scene.rows('select kind, record_id from record_change where venue_id = $1 order by 1, 2'),
    events: await scene.rows('select name from event where venue_id = $1 order by id'),
    guests: await scene.rows('select id from guest where venue_id = $1 order by id'),
    bookings: await scene.rows('select id from reservation where venue_id = $1 order by id'),
    mails: await scene.rows('select kind from guest_mail where venue_id = $1 order by id'),
  })

  for (const [what, asks] of [
    ['card', card],
    ['deposit', deposit],
  ] as const)
    it(`by a ${what} is in no feed, event, guest book, list or mail while its page is open, nor once that was abandoned`, async () => {
      await scene.ask(asks)
      const before = await known()
      const session = await scene.goToPay()
      const states = () => scene.rows('select state from checkout where venue_id = $1')
      assert.deepEqual([await known(), await states()], [before, [{ state: 'open' }]])
      await scene.stripe.expire(session)
      scene.service.setClock('2026-10-06T15:00:00Z')
      await scene.sweep()
      assert.deepEqual([await known(), await states()], [before, [{ state: 'ended' }]])
      await scene.secure('2026-10-09 20:00')
      const told = await known()
      for (const [name, rows] of Object.entries(told))
        assert.ok(rows.length > before[name as keyof typeof before].length, `${name} of one that was secured`)
    })
})
