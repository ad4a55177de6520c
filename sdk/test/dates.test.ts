import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toArrival, toDate, toInstant, toZonedDateTime } from '../src/dates.ts'

const zones = [
  'America/New_York',
  'Europe/Dublin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'UTC',
]

describe('dates', () => {
  it('are the same by Temporal and by Date, in every zone, when clocks change, too', () => {
    const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (moment, timezone) => {
        const date = moment.toISOString().slice(0, 10)
        const time = moment.toISOString().slice(11, 16)
        const byTemporal = toZonedDateTime({ date, time }, timezone)?.epochMilliseconds
        assert.equal(toDate({ date, time }, timezone)?.getTime(), byTemporal)
      }),
      { numRuns: 200 },
    )
  })

  for (const [what, timezone, date, time, moment] of [
    [
      'that comes twice is the earlier',
      'America/New_York',
      '2026-11-01',
      '01:30',
      '2026-11-01T05:30:00.000Z',
    ],
    [
      'that the clocks skip is an hour later',
      'America/New_York',
      '2027-03-14',
      '02:30',
      '2027-03-14T07:30:00.000Z',
    ],
    ['on half an hour', 'Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00.000Z'],
  ] as const) {
    it(`a time ${what}`, () => {
      assert.equal(toDate({ date, time }, timezone)?.toISOString(), moment)
      assert.equal(
        toZonedDateTime({ date, time }, timezone)?.toInstant().toString({ fractionalSecondDigits: 3 }),
        moment,
      )
    })
  }

  it('go back to the calendar and the clock of the venue', () => {
    const arrival = { date: '2026-11-28', time: '00:30' }
    const moment = toDate(arrival, 'America/New_York')
    assert.ok(moment)
    assert.deepEqual(toArrival(moment, 'America/New_York'), arrival)
  })

  it('are nothing where the record has none', () => {
    assert.equal(toDate({ date: '2026-11-28', time: null }, 'UTC'), undefined)
    assert.equal(toZonedDateTime({ date: null, time: '19:00' }, 'UTC'), undefined)
  })

  it('are moments as they are written', () => {
    assert.equal(toInstant('2026-11-20T12:28:12.500Z').epochMilliseconds, 1_795_177_692_500)
  })

  it('say where there is no Temporal', () => {
    const { Temporal: here } = globalThis
    Reflect.deleteProperty(globalThis, 'Temporal')
    try {
      assert.throws(() => toInstant('2026-11-20T12:28:12.500Z'), /no Temporal yet/)
    } finally {
      Object.defineProperty(globalThis, 'Temporal', { value: here, configurable: true, writable: true })
    }
  })
})
