import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { movingSteps } from '../book/day/assignment/soonest.ts'
import { type Stays, staysOf } from '../book/tables/stays.ts'
import { demoSeed, planDemo } from './plan.ts'
import { playOnTime } from './test/on-time-evening.ts'
import { diningRoom } from './test/replay-evening.ts'
import { minuteMs } from './venue-time.ts'

/** The most that a table may come later than was said, where everybody comes and leaves when they are expected to. */
const mostLaterMinutes = 15
const evenings = 3

describe('quotes on full evenings on which everybody comes and leaves on time, in the demo’s dining room', () => {
  const { rules } = planDemo({
    now: Temporal.Instant.from('2026-10-06T19:00:00Z'),
    seed: demoSeed,
    scale: 1,
  })
  const opens = Temporal.ZonedDateTime.from('2026-10-03T17:00[America/New_York]').epochMilliseconds
  const turnTimes = staysOf(rules, new Map())
  /** Parties of every size stayed between forty minutes and two and a half hours. */
  const known = staysOf(
    rules,
    new Map(
      ['1', '2', '3', '4'].map((kind, n) => [
        `${kind} true`,
        { count: 800, twentieths: Array.from({ length: 21 }, (_, share) => 40 + n * 12 + share * 4) },
      ]),
    ),
  )
  const play = (stays: Stays) => {
    const later: string[] = []
    const counts = { presses: 0, quotes: 0, waits: 0, mostSteps: 0 }
    for (let seed = 1; seed <= evenings; seed++) {
      const said = new Map<string, number>()
      const say = (who: string, time: number, after: string): void => {
        const before = said.get(who)
        counts.quotes++
        if (before !== undefined && time - before > mostLaterMinutes * minuteMs)
          later.push(`evening ${seed}: ${who} ${(time - before) / minuteMs} minutes later once ${after}`)
        said.set(who, time)
      }
      const evening = { rules: { ...rules, floor: diningRoom }, stays, date: '2026-10-03', opens } as const
      playOnTime({ ...evening, seed, booked: 36, walkIns: 22 }, ({ at, after, line, likely, quoted }) => {
        counts.presses++
        counts.mostSteps = Math.max(counts.mostSteps, likely.steps)
        assert.ok(likely.steps <= (line.length + 1) * movingSteps)
        for (const [place, { id }] of line.entries()) {
          const [row, alone] = [likely.ahead[place], quoted(place)]
          assert.ok(row && alone, `${id} is quoted a table`)
          say(`row of ${id}`, row.at.epochMilliseconds, after)
          say(`quote of ${id}`, alone.at.epochMilliseconds, after)
          if (row.at.epochMilliseconds > at) counts.waits++
        }
      })
    }
    return { later, counts }
  }

  for (const [of, stays] of [
    ['the turn time', turnTimes],
    ['what is known of stays', known],
  ] as const) {
    it(`never move later by more than 15 minutes from one press to the next, by ${of}`, () => {
      const { later, counts } = play(stays)
      assert.deepEqual(later, [])
      assert.ok(counts.presses > 450 && counts.waits > 1_000, JSON.stringify(counts))
      // A judgement of one party may take five thousand; these place a whole line.
      assert.ok(counts.mostSteps > 300 && counts.mostSteps < 10_000, JSON.stringify(counts))
    })
  }
})
