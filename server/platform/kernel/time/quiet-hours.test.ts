import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { quietFrom, quietUntil } from './quiet-hours.ts'

describe('quiet hours', () => {
  it('run from nine in the evening to nine in the morning on the venue’s wall, also where the clocks change', () => {
    const zone = 'America/New_York'
    for (const [now, until] of [
      ['2026-10-06T12:59:59Z', '2026-10-06T13:00:00Z'],
      ['2026-10-06T13:00:00Z', undefined],
      ['2026-10-07T00:59:59Z', undefined],
      ['2026-10-07T01:00:00Z', '2026-10-07T13:00:00Z'],
      // The night in which the clocks go back is an hour longer.
      ['2026-11-01T01:30:00Z', '2026-11-01T14:00:00Z'],
    ] as const)
      assert.equal(quietUntil(Temporal.Instant.from(now), zone)?.toString(), until, now)
    assert.equal(
      quietFrom(Temporal.Instant.from('2026-10-06T23:40:00Z'), zone).toString(),
      '2026-10-07T01:00:00Z',
    )
  })
})
