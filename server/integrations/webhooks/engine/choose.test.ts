import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { UNANSWERED_TO_SLOW } from '../schedule.ts'
import { choose } from './choose.ts'
import { engineLimits } from './limits.ts'
import type { WaitingRow } from './look.ts'

const now = Temporal.Instant.from('2026-10-06T19:00:00Z')
const wide = { first: 100, retry: 100, both: 100 }

/** A venue's facts: its endpoints, each with what is in flight and what is pending. */
const facts = fc
  .record({
    left_count: fc.integer({ min: 0, max: engineLimits.paceEvents }),
    left_late: fc.integer({ min: 0, max: engineLimits.paceLateEvents }),
    kept_for_rings: fc.integer({ min: 0, max: engineLimits.ringsOfPace }),
    endpoints: fc.array(
      fc.record({
        in_flight: fc.integer({ min: 0, max: 5 }),
        unanswered: fc.integer({ min: 0, max: 7 }),
        waiting: fc.array(
          fc.record({
            event: fc.integer({ min: 1, max: 6 }),
            tries: fc.integer({ min: 0, max: 3 }),
            dueInMs: fc.integer({ min: -5_000, max: 5_000 }),
            recently: fc.boolean(),
            late: fc.boolean(),
            ring: fc.boolean(),
            held: fc.boolean(),
          }),
          { maxLength: 9 },
        ),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ left_count, left_late, kept_for_rings, endpoints }): WaitingRow[] => {
    const left_late_count = Math.min(left_late, left_count)
    const left_at = toMoment(now.subtract({ seconds: 30 }))
    const in_flight = endpoints.reduce((sum, { in_flight }) => sum + in_flight, 0)
    const recently = new Map<number, boolean>()
    return endpoints.flatMap((endpoint, e) =>
      endpoint.waiting.map(({ event, tries, dueInMs, recently: was, late, ring, held }, w) => {
        if (!recently.has(event)) recently.set(event, was && left_count > 0)
        return {
          turn: 1,
          left_count,
          left_oldest: left_count > 0 ? left_at : null,
          left_late_count,
          left_late_oldest: left_late_count > 0 ? left_at : null,
          kept_for_rings,
          in_flight,
          id: `${e}-${w}`,
          event_id: event,
          tries,
          due_at: toMoment(now.add({ milliseconds: dueInMs })),
          late,
          ring,
          left_recently: recently.get(event) ?? false,
          endpoint_id: `endpoint ${e}`,
          endpoint_in_flight: endpoint.in_flight,
          unanswered_count: endpoint.unanswered,
          held,
        }
      }),
    )
  })

describe("a venue's turn", () => {
  it('never exceeds the pace, its share of a turn, the free places, or the in-flight limits', () => {
    fc.assert(
      fc.property(
        facts,
        fc.record({
          first: fc.integer({ min: 0, max: 8 }),
          retry: fc.integer({ min: 0, max: 8 }),
          both: fc.integer({ min: 0, max: 12 }),
        }),
        (rows, room) => {
          const { taken, leaving } = choose(rows, room, now)
          const first = taken.filter(({ tries }) => tries === 0)
          const counted = new Set(
            first.filter(({ left_recently }) => left_recently !== true).map(({ event_id }) => event_id),
          )
          const left = rows[0]?.left_count ?? 0
          assert.ok(left + counted.size <= engineLimits.paceEvents, 'pace')
          const late = first.filter(({ event_id }) =>
            first.every((other) => other.event_id !== event_id || other.late),
          )
          const countedLate = new Set(late.map(({ event_id }) => event_id)).intersection(counted)
          const leftLate = rows[0]?.left_late_count ?? 0
          assert.ok(leftLate + countedLate.size <= engineLimits.paceLateEvents, 'pace of late names')
          const kept = rows[0]?.kept_for_rings ?? 0
          if (counted.size > 0 && !taken.some(({ ring }) => ring))
            assert.ok(left + counted.size <= engineLimits.paceEvents - kept, 'places kept for doorbells')
          assert.deepEqual(new Set(leaving), new Set(first.map(({ event_id }) => event_id)))
          assert.ok(leaving.length <= engineLimits.eventsOfTurn, 'events of a turn')
          assert.ok(taken.length - first.length <= engineLimits.retriesOfTurn, 'retries of a turn')
          assert.ok(
            first.length <= room.first && taken.length - first.length <= room.retry,
            'places of a kind',
          )
          assert.ok(taken.length <= room.both, 'places')
          if (taken.length > 0)
            assert.ok((rows[0]?.in_flight ?? 0) + taken.length <= engineLimits.triesOfVenue, 'the venue')
          for (const all of Map.groupBy(taken, ({ endpoint_id }) => endpoint_id).values()) {
            const [
              { endpoint_in_flight, unanswered_count } = { endpoint_in_flight: 0, unanswered_count: 0 },
            ] = all
            const most = unanswered_count >= UNANSWERED_TO_SLOW ? 1 : engineLimits.triesOfEndpoint
            assert.ok(endpoint_in_flight + all.length <= most, 'an endpoint')
            const held = all.filter((one) => one.held)
            assert.ok(held.length === 0 || endpoint_in_flight + held.length === 1, 'one by one')
          }
          assert.ok(taken.every(({ due_at }) => due_at <= toMoment(now)))
        },
      ),
    )
  })

  it('always says when to look again while anything is pending', () => {
    fc.assert(
      fc.property(facts, (rows) => {
        const { nextAt, taken } = choose(rows, wide, now)
        if (rows.length === 0) return
        assert.ok(nextAt, 'a moment')
        const dueLeft = rows.filter((row) => (row.due_at ?? '') <= toMoment(now)).length - taken.length
        const latest = now.add({
          milliseconds: dueLeft > 0 ? engineLimits.paceWindowMs : engineLimits.leaseMs,
        })
        assert.ok(Temporal.Instant.compare(nextAt, latest) <= 0)
      }),
    )
  })

  it('alternates first tries and retries of an endpoint', () => {
    const row = (id: string, tries: number, ageMs: number): WaitingRow => ({
      turn: 1,
      left_count: 0,
      left_oldest: null,
      left_late_count: 0,
      left_late_oldest: null,
      kept_for_rings: 0,
      in_flight: 3,
      id,
      event_id: Number(id),
      tries,
      due_at: toMoment(now.subtract({ milliseconds: ageMs })),
      late: false,
      ring: false,
      left_recently: false,
      endpoint_id: 'one',
      endpoint_in_flight: 3,
      unanswered_count: 0,
      held: false,
    })
    const rows = [row('1', 1, 900), row('2', 1, 800), row('3', 1, 700), row('4', 0, 10)]
    const { taken } = choose(rows, wide, now)
    assert.deepEqual(taken.map(({ id }) => id).toSorted(), ['1', '4'])
  })
})
