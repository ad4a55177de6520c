import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { describeOutcome, giveUpAt, isSuccess, MAX_TRIES, nextTry } from './schedule.ts'
import { noAnswerKinds, type Outcome } from './sending/sender.ts'

const eventAt = Temporal.Instant.from('2026-10-05T19:00:00Z')
const answered = (statusCode: number): Outcome => ({
  kind: 'answered',
  statusCode,
  body: Buffer.alloc(0),
  durationMs: 5,
})
/** The time of the second attempt, after the first failed at a given time. */
const due = (failedAt: string) => nextTry(1, eventAt, Temporal.Instant.from(failedAt), 0)

describe('schedule: when a failed delivery is tried again', () => {
  it('after 1, 5, 15 and 60 minutes, then 3, 6, 12 and 24 hours: nine tries in all', () => {
    const waits: string[] = []
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const next = nextTry(tries, eventAt, eventAt, 0)
      waits.push(next === 'dropped' ? next : eventAt.until(next, { largestUnit: 'hour' }).toString())
    }
    assert.deepEqual(waits, ['PT1M', 'PT5M', 'PT15M', 'PT1H', 'PT3H', 'PT6H', 'PT12H', 'PT24H', 'dropped'])
  })

  it('all nine fit within the 48 hours, even if each takes as long as a try can', () => {
    let failedAt = eventAt
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      failedAt = failedAt.add({ seconds: 13 })
      const next = nextTry(tries, eventAt, failedAt, 5_000)
      assert.notEqual(next, 'dropped')
      if (next !== 'dropped') failedAt = next
    }
    assert.ok(Temporal.Instant.compare(failedAt, giveUpAt(eventAt)) < 0)
  })

  it('nothing starts 48 hours after the event, to the millisecond', () => {
    assert.equal(due('2026-10-07T18:59:00Z'), 'dropped')
    assert.equal(due('2026-10-07T18:58:59.999Z').toString(), '2026-10-07T18:59:59.999Z')
  })

  it('counts from the end of the failed try, at most 5 seconds later than the wait, never earlier, never past the 48 hours', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.nat(50 * 3_600_000),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        (tries, late, jitter) => {
          const failedAt = eventAt.add({ milliseconds: late })
          const next = nextTry(tries, eventAt, failedAt, jitter)
          if (next === 'dropped') return
          const plain = nextTry(tries, eventAt, failedAt, 0)
          assert.notEqual(plain, 'dropped')
          if (plain === 'dropped') return
          const added = next.epochMilliseconds - plain.epochMilliseconds
          assert.ok(added >= 0 && added <= 5_000, `${added}`)
          assert.ok(Temporal.Instant.compare(next, giveUpAt(eventAt)) < 0)
        },
      ),
    )
  })

  it('throws for an impossible number of tries', () => {
    for (const tries of [0, -1, 1.5, Number.NaN])
      assert.throws(() => nextTry(tries, eventAt, eventAt, 0), RangeError)
  })
})

describe('schedule: the words for an outcome', () => {
  it('is ok or HTTP with the status, otherwise how the try ended', () => {
    for (const status of [200, 204, 299]) {
      assert.equal(isSuccess(answered(status)), true)
      assert.equal(describeOutcome(answered(status)), `ok ${status}`)
    }
    for (const status of [300, 301, 400, 410, 500, 599, 999]) {
      assert.equal(isSuccess(answered(status)), false)
      assert.equal(describeOutcome(answered(status)), `HTTP ${status}`)
    }
    for (const kind of noAnswerKinds) {
      assert.equal(describeOutcome({ kind, durationMs: 1 }), kind)
      assert.equal(isSuccess({ kind, durationMs: 1 }), false)
    }
  })
})
