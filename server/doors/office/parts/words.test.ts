import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Moving } from '../../../book/tables/arrange.ts'
import { movingWords } from './open-words.ts'
import {
  guestsInWords,
  inMinutes,
  leftInWords,
  overMinutes,
  sinceInWords,
  waitInWords,
} from './time-words.ts'

describe('the words of the evening', () => {
  it('say just now instead of no minutes ago, and due instead of none left', () => {
    const now = Temporal.Instant.from('2026-10-06T23:00:00Z')
    const since = (seconds: number) => sinceInWords(now.subtract({ seconds }), now)
    assert.deepEqual([0, 59, 60, 240].map(since), ['just now', 'just now', '1 min ago', '4 min ago'])
    assert.deepEqual([5, 1, 0, -3].map(leftInWords), ['5 left', '1 left', 'due', '3 over'])
  })

  it('say minutes to the minute in a narrow column, however many', () => {
    assert.deepEqual([99, 100, 149, 180].map(inMinutes), ['in 99', 'in 1:40', 'in 2:29', 'in 3:00'])
    assert.deepEqual([99, 100, 125, 600].map(overMinutes), ['99 over', '+1:40', '+2:05', '+10:00'])
  })

  it('say a long wait in hours', () => {
    assert.deepEqual([45, 95, 120, 175].map(waitInWords), ['45 min', '95 min', '2 h', '2 h 55 min'])
  })

  it('count one guest as one', () => {
    assert.deepEqual([1, 2, null].map(guestsInWords), ['1 guest', '2 guests', 'party size not given'])
  })

  it('name last, and as at another hour, who moves to the very table that is offered', () => {
    const table = (id: number, label: string) => ({ id, label }) as Moving['tables'][number]
    const [twelve, high] = [table(12, '12'), table(1, 'T1')]
    const moves = new Map([
      [7, [twelve]],
      [8, [high]],
    ])
    const names = new Map([
      [7, 'Dana Moradi'],
      [8, 'Eva Ortiz'],
    ])
    assert.equal(
      movingWords({ tables: [twelve], moves }, names),
      'when Ortiz moves to T1 and Moradi to 12 at another hour',
    )
    assert.equal(
      movingWords({ tables: [table(9, '9')], moves }, names),
      'when Moradi moves to 12 and Ortiz to T1',
    )
  })
})
