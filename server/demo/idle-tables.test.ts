import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demoSeed, planDemo } from './plan.ts'
import { playDays } from './test/idle-tables.ts'
import { diningRoom } from './test/replay-evening.ts'

/** A table may be empty for so long while somebody waits who fits it. */
const mostIdleMinutes = 2

describe('a week of the demo, played again in its dining room alone', () => {
  const { bookings, rules } = planDemo({
    now: Temporal.Instant.from('2026-10-06T19:00:00Z'),
    seed: demoSeed,
    scale: 1,
  })
  const play = (short: boolean) =>
    playDays(bookings, {
      ...{ from: '2026-09-21', days: 7, short },
      rules: { ...rules, floor: diningRoom },
    })

  it('leaves no table empty while a party waits that fits it and nobody is due there within the shortest stay', () => {
    const { idle } = play(true)
    assert.deepEqual(
      idle.filter(({ minutes }) => minutes > mostIdleMinutes),
      [],
    )
  })

  it('seats more guests with less waiting than by whole stays alone, which leave tables empty', () => {
    const [whole, short] = [play(false), play(true)]
    assert.ok(whole.idle.some(({ minutes }) => minutes > mostIdleMinutes))
    assert.ok(short.covers > whole.covers, `${short.covers} covers, ${whole.covers} by whole stays`)
    assert.ok(short.waited < whole.waited, `${short.waited} minutes, ${whole.waited} by whole stays`)
  })
})
