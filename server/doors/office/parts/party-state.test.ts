import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { comingState, seatedState } from './party-state.ts'

const at = (time: string) => Temporal.Instant.from(`2026-10-06T${time}Z`)

describe('the state of a party of the evening', () => {
  it('at its table: minutes left, none left in the last one, over time once a whole minute has passed', () => {
    const seated = (time: string, floorStage: string | null = null) =>
      seatedState({ planned: at('21:00:00'), floorStage }, at(time))
    assert.deepEqual(seated('19:00:00'), { state: 'seated', left: 120 })
    assert.deepEqual(seated('20:58:30'), { state: 'seated', left: 2 })
    assert.deepEqual(seated('21:00:00'), { state: 'seated', left: 0 })
    assert.deepEqual(seated('21:00:59'), { state: 'seated', left: 0 })
    assert.deepEqual(seated('21:01:00'), { state: 'over', left: -1 })
    assert.deepEqual(seated('21:10:00', 'Mains'), { state: 'over', left: -10 })
    assert.deepEqual(seated('21:10:00', 'Paid'), { state: 'paid', left: -10 })
  })

  it('expected: due from less than 30 minutes before its time, late from 15 after it, and never late once here', () => {
    const coming = (time: string, arrived = false) => comingState({ from: at('19:00:00'), arrived }, at(time))
    assert.deepEqual(coming('18:30:00'), { state: 'expected', late: -30 })
    assert.deepEqual(coming('18:31:00'), { state: 'due', late: -29 })
    assert.deepEqual(coming('19:00:00'), { state: 'due', late: 0 })
    assert.deepEqual(coming('19:14:59'), { state: 'due', late: 14 })
    assert.deepEqual(coming('19:15:00'), { state: 'late', late: 15 })
    assert.deepEqual(coming('19:40:00', true), { state: 'here', late: 40 })
  })
})
