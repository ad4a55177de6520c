import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { openPatiently } from '../../../test/database.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { countedBeside } from '../../../test/processes/counting-proxy.ts'
import { textOf } from '../../../platform/html/html.ts'
import { openMorePart } from './open-more.ts'

describe('offers to open full times', () => {
  const { service, proxy } = countedBeside()

  /** What a report asks of the database about so many full times of one evening, and those it speaks of. */
  const costOf = async (full: number) => {
    const venue = await service.venue()
    const tables = tablesOf([1, 2, 3, 4].map((label) => ({ label: `${label}`, most: 2 })))
    const pacing = { intervalMinutes: 15, maxCovers: 2 }
    await setRules(service, venue, everyEvening({ maxParty: 8, pacing, ...tables }))
    await turnTablesOn(service, venue)
    const days = { from: '2026-10-05', to: '2026-10-11' }
    for (const minutes of [0, 15, 30].slice(0, full)) {
      const body = {
        ...{ guestName: 'Bea', partySize: 2, date: '2026-10-09' },
        time: `19:${`${minutes}`.padStart(2, '0')}`,
      }
      const { status } = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
      assert.equal(status, 201)
      service.context.demand.refused({
        ...{ venue: venue.id, asker: `${minutes}`, reason: 'pacing-covers-full', door: 'book' },
        table: { serviceDate: '2026-10-09', serviceMinute: 1140 + minutes, partySize: 2 },
      })
    }
    await service.context.demand.flush()
    const db = openPatiently({ url: proxy.url })
    try {
      const within = db.within(venue.id)
      const work = { db: within, venue, now: service.context.clock } as never
      const rules = await allBookingRules(within, venue.id)
      let part: Awaited<ReturnType<typeof openMorePart>>
      const { statements } = await proxy.counted(async () => {
        part = await openMorePart(work, rules, {
          today: '2026-10-06',
          days,
          shownPeriod: {},
          isFullWeekly: false,
        })
      })
      assert.ok(part)
      return { statements, times: textOf(part.all).match(/<summary>/g)?.length }
    } finally {
      await db.close()
    }
  }

  it('read the parties of an evening once for all of its full times that could take more', async () => {
    const [one, three] = [await costOf(1), await costOf(3)]
    assert.deepEqual([one.times, three.times], [1, 3])
    assert.equal(three.statements, one.statements)
  })
})
