import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type RelayState, holdOff, isPaced, isWell, slowDown, slowedTo, take } from './pace.ts'

const none = { perSecond: undefined, perHour: undefined, perDay: undefined }
const hour = 3_600_000

describe('the pace of a relay', () => {
  it('without limits is not asked about', () => {
    assert.equal(isPaced(none, {}, 0), false)
    assert.equal(take(none, {}, 20, 0).granted, 20)
  })

  it('no hour and no day holds more than agreed, wherever it begins', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 20_000 }),
        fc.constantFrom('perHour' as const, 'perDay' as const),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 1, max: 500 })), {
          minLength: 1,
          maxLength: 300,
        }),
        (limit, name, asks) => {
          let state: RelayState = {}
          let now = 0
          const granted: { at: number; count: number }[] = []
          for (const [pause, wanted] of asks) {
            now += pause
            const answer = take({ ...none, [name]: limit }, state, wanted, now)
            state = answer.state
            granted.push({ at: now, count: answer.granted })
            assert.ok(answer.granted > 0 || answer.waitMs > 0)
          }
          const window = name === 'perHour' ? hour : 24 * hour
          for (const { at: start } of granted) {
            const inside = granted.filter(({ at }) => at >= start && at < start + window)
            const sum = inside.reduce((total, { count }) => total + count, 0)
            assert.ok(sum <= limit, `${sum} of ${limit}`)
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('gives what a long time adds up to', () => {
    let state: RelayState = {}
    let all = 0
    for (let second = 0; second < 24 * 3_600; second += 10) {
      const answer = take({ ...none, perHour: 3_600 }, state, 20, second * 1_000)
      state = answer.state
      all += answer.granted
    }
    assert.ok(all > 0.94 * 24 * 3_600, String(all))
  })

  it('a second holds the limit and a tenth of it', () => {
    let state: RelayState = {}
    let all = 0
    for (let ms = 0; ms < 10_000; ms += 5) {
      const answer = take({ ...none, perSecond: 14 }, state, 20, ms)
      state = answer.state
      all += answer.granted
    }
    assert.ok(all >= 135 && all <= 142, String(all))
  })

  it('is half when the relay asks for less, once in ten seconds, and recovers by a tenth each minute', () => {
    let state = slowDown({}, 100, 0)
    assert.equal(slowedTo(state, 0), 50)
    assert.equal(slowedTo(slowDown(state, 100, 9_999), 9_999), 50)
    state = slowDown(state, 50, 10_000)
    assert.equal(slowedTo(state, 10_000), 25)
    assert.ok(Math.abs((slowedTo(state, 70_000) ?? 0) - 27.5) < 1e-9)
    assert.equal(slowedTo(state, 10_000 + 15 * 60_000), undefined)
    assert.ok((slowedTo(slowDown({}, 0.1, 0), 0) ?? 0) >= 1, 'never slower than one a second')
  })

  it('is nothing for half a minute after trouble, then twice as long each time, up to a quarter of an hour', () => {
    let state: RelayState = {}
    let now = 0
    const seconds: number[] = []
    for (let n = 0; n < 7; n++) {
      state = holdOff(state, now)
      assert.equal(holdOff(state, now + 1), state, 'trouble during a hold does not lengthen it')
      seconds.push(state.hold?.seconds ?? 0)
      now = state.hold?.until ?? 0
    }
    assert.deepEqual(seconds, [30, 60, 120, 240, 480, 900, 900])
    assert.equal(holdOff(isWell(state), now).hold?.seconds, 30)
  })
})
