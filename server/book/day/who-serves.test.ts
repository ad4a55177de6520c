import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Shift } from '../rules/floor/floor.ts'
import type { ServicePeriod } from '../rules/booking-rules.ts'
import { balancedBy, sectionsIn, serverOf, shiftAt } from './who-serves.ts'

const zone = 'America/New_York'
const date = '2026-10-31' // The clocks go back in the night after it.
const shift = (id: number, fromMinute: number, toMinute: number): Shift => ({
  ...{ id, date, fromMinute, toMinute, plan: 1 },
  servers: [
    { section: 1, server: 10 * id, from: fromMinute, until: toMinute },
    { section: 2, server: 10 * id + 1, from: fromMinute, until: toMinute },
  ],
})
const period = (startMinute: number, endMinute: number) =>
  ({ startMinute, endMinute }) as unknown as ServicePeriod
const hours = { timezone: zone, periods: [], specialDays: [] }
/** As the rules have them: from the last. */
const floor = {
  shifts: [{ ...shift(3, 1020, 1560), date: '2026-11-01' }, shift(2, 1020, 1560), shift(1, 660, 900)],
  sectionPlans: [
    {
      id: 1,
      tables: [
        { table: 1, section: 1 },
        { table: 2, section: 2 },
        { table: 3, section: 3 },
      ],
    },
  ],
}
const at = (moment: string) => shiftAt(floor, hours, date, Temporal.Instant.from(moment))?.id

describe('the shift of a party', () => {
  it('is the last of its service date that has begun, also after midnight and in the hour that comes twice, and counts for an hour before and after', () => {
    assert.equal(at('2026-10-31T14:59:00Z'), 1)
    assert.equal(at('2026-10-31T13:59:00Z'), undefined)
    assert.equal(at('2026-10-31T19:59:00Z'), 1)
    assert.equal(at('2026-10-31T20:00:00Z'), 2)
    assert.equal(at('2026-10-31T20:59:00Z'), 2)
    assert.equal(at('2026-10-31T21:00:00Z'), 2)
    assert.equal(at('2026-11-01T04:30:00Z'), 2)
    assert.equal(at('2026-11-01T05:30:00Z'), 2)
    assert.equal(at('2026-11-01T06:30:00Z'), 2)
    assert.equal(at('2026-11-01T08:00:00Z'), undefined)
    assert.equal(
      shiftAt(floor, hours, '2026-10-30', Temporal.Instant.from('2026-10-31T21:00:00Z')),
      undefined,
    )
  })

  it('is none while a neighbor service without a line-up runs', () => {
    const planned = {
      ...hours,
      specialDays: [{ date, name: null, periods: [period(660, 900), period(930, 1380)] }],
    }
    const of = (only: Shift, moment: string) =>
      shiftAt({ shifts: [only] }, planned, date, Temporal.Instant.from(moment))?.id
    // 14:59, 15:10, 15:30 and 14:40 in New York.
    assert.equal(of(shift(1, 660, 900), '2026-10-31T18:59:00Z'), 1)
    assert.equal(of(shift(1, 660, 900), '2026-10-31T19:10:00Z'), 1)
    assert.equal(of(shift(1, 660, 900), '2026-10-31T19:30:00Z'), undefined)
    assert.equal(of(shift(2, 930, 1380), '2026-10-31T18:40:00Z'), undefined)
    assert.equal(of(shift(2, 930, 1380), '2026-10-31T19:10:00Z'), 2)
  })

  it('gives joined tables to the one who has the first that anybody has, and tables in no section to nobody', () => {
    const sections = sectionsIn(floor, shift(2, 1020, 1560))
    assert.equal(serverOf(sections, [2, 1]), 20)
    assert.equal(serverOf(sections, [3, 2]), 21)
    assert.equal(serverOf(sections, [3]), undefined)
    assert.equal(serverOf(sections, [4]), undefined)
    assert.equal(serverOf(sections, []), undefined)
  })

  it('spreads covers by servers, by a section that nobody has, and together where there is none, in each line-up anew', () => {
    const [lunch, dinner, ...more] = balancedBy(floor, hours, date)
    const counted = (of: ((table: number) => string) | undefined) =>
      [1, 2, 3, 4, 5].map((table) => of?.(table))
    const third = floor.sectionPlans[0]?.tables.length
    assert.deepEqual(counted(lunch?.of), [
      '1 server 10',
      '1 server 11',
      `1 section ${third}`,
      '1 section none',
      '1 section none',
    ])
    assert.equal(dinner?.of(1), '2 server 20')
    // An hour before the doors open, as parties are of a shift.
    assert.equal(dinner?.from, Temporal.Instant.from('2026-10-31T20:00:00Z').epochMilliseconds)
    assert.deepEqual([more, balancedBy(floor, hours, '2026-10-30')], [[], []])
  })
})
