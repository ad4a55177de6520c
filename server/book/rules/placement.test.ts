import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LoadOf } from '../day/facts.ts'
import { loadFromArrivals } from '../day/load.ts'
import { turnMinutes } from './turn-minutes.ts'
import { bucketOf } from './placement.ts'
import { resolveService } from './resolve-service.ts'
import { aRequest, at, judge, nobody, onWeekday, someRules } from '../reservations/test/venue.ts'

const tuesday = at('2026-10-06', '12:00')

const row = (serviceDate: string, serviceMinute: number) => ({
  serviceDate,
  serviceMinute,
  covers: 4,
  parties: 1,
})

describe('where a booking is written', () => {
  it('an accepted request gets its service date and minute, period, bucket and turn time', () => {
    const rules = someRules({ turnTimes: [{ upTo: 2, minutes: 90 }] })
    assert.deepEqual(judge(rules, tuesday, aRequest('2026-10-10', '00:50'), nobody), {
      ok: true,
      placement: {
        serviceDate: '2026-10-09',
        serviceMinute: 1490,
        periodName: 'Dinner',
        bucketStartMinute: 1485,
        durationMinutes: 90,
      },
    })
  })

  it("a table is held for the party size's turn time; the last row applies beyond it", () => {
    const turnTimes = [
      { upTo: 2, minutes: 90 },
      { upTo: 6, minutes: 120 },
      { upTo: 8, minutes: 150 },
    ]
    const sizes = [1, 2, 3, 6, 7, 9]
    assert.deepEqual(
      sizes.map((size) => turnMinutes({ turnTimes }, size)),
      [90, 90, 120, 120, 150, 150],
    )
    assert.equal(turnMinutes({ turnTimes: [] }, 2), 120)
  })

  it('a night the clocks change does not change the turn time', () => {
    const rules = someRules({ periods: [onWeekday(6, { endMinute: 1800 })] })
    const answer = judge(rules, tuesday, aRequest('2027-03-14', '01:30'), nobody)
    assert.equal(answer.ok && answer.placement.durationMinutes, 120)
  })

  it("buckets are anchored at the period's start and run through midnight", () => {
    const rules = someRules({
      periods: [onWeekday(5, { startMinute: 1030, endMinute: 1560 })],
      pacing: { intervalMinutes: 20, maxCovers: 10, maxParties: null },
    })
    const bucket = (date: string, time: string) => bucketOf(rules, resolveService(rules, { date, time }))
    const serviceDate = '2026-10-09'
    assert.deepEqual(bucket('2026-10-09', '17:10'), { serviceDate, fromMinute: 1030, toMinute: 1050 })
    assert.deepEqual(bucket('2026-10-09', '17:29'), { serviceDate, fromMinute: 1030, toMinute: 1050 })
    assert.deepEqual(bucket('2026-10-09', '17:30'), { serviceDate, fromMinute: 1050, toMinute: 1070 })
    assert.deepEqual(bucket('2026-10-10', '00:05'), { serviceDate, fromMinute: 1430, toMinute: 1450 })
    assert.equal(bucket('2026-10-09', '12:00'), undefined)
  })

  it("a period's own interval sets its buckets", () => {
    const pacing = { intervalMinutes: 30, maxCovers: null, maxParties: null }
    const rules = someRules({ periods: [onWeekday(3, { pacing })] })
    const place = resolveService(rules, { date: '2026-10-07', time: '17:59' })
    assert.deepEqual(bucketOf(rules, place), { serviceDate: '2026-10-07', fromMinute: 1050, toMinute: 1080 })
  })

  it('both moments of a time that happens twice share one bucket', () => {
    const periods = [onWeekday(6, { endMinute: 1800 })]
    const rules = someRules({ periods, pacing: { intervalMinutes: 15, maxCovers: 2, maxParties: null } })
    const asked: string[] = []
    const load: LoadOf = ({ serviceDate, fromMinute }) => {
      asked.push(`${serviceDate} ${fromMinute}`)
      return { covers: 0, parties: 0 }
    }
    for (const startsAt of ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z']) {
      const request = aRequest('2026-11-01', '01:30', { startsAt: Temporal.Instant.from(startsAt) })
      assert.equal(judge(rules, tuesday, request, load).ok, true)
    }
    assert.deepEqual(asked, ['2026-10-31 1530', '2026-10-31 1530'])
  })

  it("a bucket's load is the sum of its own arrivals, on its own service date", () => {
    const load = loadFromArrivals([
      row('2026-10-07', 1139),
      row('2026-10-07', 1140),
      row('2026-10-07', 1154),
      row('2026-10-07', 1155),
      row('2026-10-08', 1140),
    ])
    const bucket = { serviceDate: '2026-10-07', fromMinute: 1140, toMinute: 1155 }
    assert.deepEqual(load(bucket), { covers: 8, parties: 2 })
  })
})
