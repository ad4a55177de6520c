import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KnownStays, staysOf } from './stays.ts'

const rules = { turnTimes: [{ upTo: 99, minutes: 120 }] }
/** From 40 to 80 minutes, evenly. */
const even = (count: number): KnownStays => ({
  count,
  twentieths: Array.from({ length: 21 }, (_, n) => 40 + 2 * n),
})
const evening = { partySize: 2, isEvening: true }

describe('how long parties stay', () => {
  it('is the turn time where nothing is known, and the nearer to the median the more is', () => {
    assert.equal(staysOf(rules, new Map())(evening), 120)
    const after = (count: number) => staysOf(rules, new Map([['1 true', even(count)]]))(evening)
    assert.equal(after(10), 90)
    assert.equal(Math.round(after(1_000)), 61)
  })

  it('is of parties of about the size and of that part of the day', () => {
    const stays = staysOf(rules, new Map([['1 true', even(1_000)]]))
    assert.ok(stays({ partySize: 1, isEvening: true }) < 62)
    assert.equal(stays({ partySize: 3, isEvening: true }), 120)
    assert.equal(stays({ partySize: 2, isEvening: false }), 120)
  })

  it('goes by those who stayed as long, once a party has sat for a while', () => {
    const stays = staysOf(rules, new Map([['1 true', even(100_000)]]))
    const after = (sat: number) => Math.round(stays({ ...evening, sat }))
    assert.deepEqual([after(0), after(40), after(60)], [60, 60, 60], 'no later while it is in time')
    assert.deepEqual([after(61), after(70)], [71, 75])
    assert.deepEqual([after(80), after(115), after(150)], [120, 125, 160], 'nobody known stayed so long')
    for (let sat = 0; sat < 300; sat += 7) assert.ok(stays({ ...evening, sat }) > sat)
  })
})
