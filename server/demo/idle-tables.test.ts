import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import { demoSeed, planDemo } from './plan.ts'
import { playDays } from './test/idle-tables.ts'
import { diningRoom } from './test/replay-evening.ts'

/** A table may be empty for so long while somebody waits who fits it. */
const mostIdleMinutes = 2

describe('the demo, played again in its dining room alone', () => {
  const { bookings, rules } = planDemo({
    now: Temporal.Instant.from('2026-10-06T19:00:00Z'),
    seed: demoSeed,
    scale: 1,
  })
  const play = (short: boolean, stretch: { readonly from: LocalDate; readonly days: number }) =>
    playDays(bookings, { ...stretch, short, rules: { ...rules, floor: diningRoom } })

  it('leaves no table empty all year while a party waits that fits it and nobody is due there within the shortest stay', () => {
    const { idle, covers, waited } = play(true, { from: '2025-10-06', days: 365 })
    assert.deepEqual(
      idle.filter(({ minutes }) => minutes > mostIdleMinutes),
      [],
    )
    // Parties really came, and many had to wait.
    assert.ok(covers > 20_000 && waited > 10_000, JSON.stringify({ covers, waited }))
  })

  it('seats more guests in a week with less waiting than by whole stays alone, which leave tables empty', () => {
    const week = { from: '2026-09-21', days: 7 } as const
    const [whole, short] = [play(false, week), play(true, week)]
    assert.ok(whole.idle.some(({ minutes }) => minutes > mostIdleMinutes))
    assert.ok(short.covers > whole.covers, `${short.covers} covers, ${whole.covers} by whole stays`)
    assert.ok(short.waited < whole.waited, `${short.waited} minutes, ${whole.waited} by whole stays`)
  })
})
