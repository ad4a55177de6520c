import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closedDay, resolveService } from './resolve-service.ts'
import { aPeriod, onWeekday, someRules } from '../reservations/test/venue.ts'

const rules = someRules()
const placeOf = (date: string, time: string, venue = rules) => {
  const { serviceDate, serviceMinute, period, closed } = resolveService(venue, { date, time })
  return [serviceDate, serviceMinute, period?.name ?? null, closed?.by ?? null]
}

describe('resolving the service', () => {
  it("an arrival after midnight belongs to last night's service until that closes", () => {
    assert.deepEqual(placeOf('2026-10-09', '17:00'), ['2026-10-09', 1020, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-10', '00:00'), ['2026-10-09', 1440, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-10', '00:30'), ['2026-10-09', 1470, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-10', '01:59'), ['2026-10-09', 1559, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-10', '02:00'), ['2026-10-10', 120, null, null])
  })

  it('hours are half-open: the opening minute is in, the closing minute is out', () => {
    assert.deepEqual(placeOf('2026-10-07', '16:59'), ['2026-10-07', 1019, null, null])
    assert.deepEqual(placeOf('2026-10-07', '17:00'), ['2026-10-07', 1020, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-07', '21:59'), ['2026-10-07', 1319, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-07', '22:00'), ['2026-10-07', 1320, null, null])
  })

  it('Sunday is ISO weekday 7, and its night runs into Monday', () => {
    assert.deepEqual(placeOf('2026-10-11', '10:00'), ['2026-10-11', 600, 'Brunch', null])
    assert.deepEqual(placeOf('2026-10-12', '00:30'), ['2026-10-12', 30, null, 'weekday'])
    const sundays = someRules({ periods: [onWeekday(7, { endMinute: 1560 })] })
    assert.deepEqual(placeOf('2026-10-12', '00:30', sundays), ['2026-10-11', 1470, 'Dinner', null])
  })

  it("a special day replaces its weekday's services, including hours after midnight", () => {
    const special = {
      date: '2026-10-09',
      name: 'Private night',
      periods: [aPeriod({ name: 'Early', startMinute: 900 })],
    }
    const venue = someRules({ specialDays: [special] })
    assert.deepEqual(placeOf('2026-10-09', '15:00', venue), ['2026-10-09', 900, 'Early', null])
    assert.deepEqual(placeOf('2026-10-10', '00:30', venue), ['2026-10-10', 30, null, null])
    assert.deepEqual(placeOf('2026-10-16', '15:00', venue), ['2026-10-16', 900, null, null])
  })

  it('a special day without services is closed under its own name', () => {
    const venue = someRules({ specialDays: [{ date: '2026-10-09', name: 'Staff party', periods: [] }] })
    assert.deepEqual(closedDay(venue, '2026-10-09'), {
      by: 'special-day',
      date: '2026-10-09',
      name: 'Staff party',
    })
    assert.deepEqual(placeOf('2026-10-09', '19:00', venue), ['2026-10-09', 1140, null, 'special-day'])
  })

  it('a closure holds from its first to its last day, both included', () => {
    const venue = someRules({ closures: [{ from: '2026-10-07', to: '2026-10-08', name: 'Refit' }] })
    const by = (date: string) => closedDay(venue, date)?.by ?? null
    const days = ['2026-10-06', '2026-10-07', '2026-10-08', '2026-10-09']
    assert.deepEqual(days.map(by), [null, 'closure', 'closure', null])
  })

  it('a venue without weekly hours is distinguished from a weekday it closes on', () => {
    const venue = someRules({
      periods: [],
      specialDays: [{ date: '2026-10-10', name: 'Open house', periods: [aPeriod()] }],
      closures: [{ from: '2026-10-12', to: '2026-10-12', name: 'Flood' }],
    })
    const by = (date: string, rules = venue) => closedDay(rules, date)?.by ?? null
    assert.deepEqual(
      ['2026-10-09', '2026-10-10', '2026-10-12'].map((date) => by(date)),
      ['no-hours', null, 'closure'],
    )
    assert.equal(by('2026-10-12', someRules()), 'weekday')
  })

  it('a closure wins over a special day', () => {
    const venue = someRules({
      closures: [{ from: '2026-10-12', to: '2026-10-12', name: 'Flood' }],
      specialDays: [{ date: '2026-10-12', name: 'Columbus Day', periods: [aPeriod()] }],
    })
    assert.deepEqual(closedDay(venue, '2026-10-12'), { by: 'closure', date: '2026-10-12', name: 'Flood' })
  })

  describe('a closure of the day before, but not of the day', () => {
    const closures = [{ from: '2026-10-09', to: '2026-10-09', name: 'Wedding' }]

    it('closes the hours after midnight it would have served, naming the closure', () => {
      const place = resolveService(someRules({ closures }), { date: '2026-10-10', time: '00:30' })
      assert.deepEqual(place, {
        serviceDate: '2026-10-09',
        serviceMinute: 1470,
        period: null,
        closed: { by: 'closure', date: '2026-10-09', name: 'Wedding' },
      })
    })

    it("leaves hours outside its services to the day's own answer", () => {
      assert.deepEqual(placeOf('2026-10-10', '02:00', someRules({ closures })), [
        '2026-10-10',
        120,
        null,
        null,
      ])
      assert.deepEqual(placeOf('2026-10-10', '17:00', someRules({ closures })), [
        '2026-10-10',
        1020,
        'Dinner',
        null,
      ])
    })

    it('does not touch a service of the day itself', () => {
      const breakfast = onWeekday(6, { name: 'Night bar', startMinute: 0, endMinute: 300 })
      const periods = [onWeekday(5, { endMinute: 1560 }), breakfast]
      assert.deepEqual(placeOf('2026-10-10', '00:30', someRules({ closures, periods })), [
        '2026-10-10',
        30,
        'Night bar',
        null,
      ])
    })

    it("is not named when the day's own closure is the cause", () => {
      const both = [...closures, { from: '2026-10-10', to: '2026-10-10', name: 'Funeral' }]
      const periods = [onWeekday(5, { endMinute: 1560 }), onWeekday(6, { startMinute: 0, endMinute: 300 })]
      const place = resolveService(someRules({ closures: both, periods }), {
        date: '2026-10-10',
        time: '00:30',
      })
      assert.deepEqual(place.closed, { by: 'closure', date: '2026-10-10', name: 'Funeral' })
      assert.equal(place.serviceDate, '2026-10-10')
    })
  })

  it("a closure of the day leaves last night's service running", () => {
    const venue = someRules({ closures: [{ from: '2026-10-10', to: '2026-10-10', name: 'Refit' }] })
    assert.deepEqual(placeOf('2026-10-10', '00:30', venue), ['2026-10-09', 1470, 'Dinner', null])
    assert.deepEqual(placeOf('2026-10-10', '19:00', venue), ['2026-10-10', 1140, null, 'closure'])
    assert.deepEqual(placeOf('2026-10-11', '00:30', venue), ['2026-10-10', 1470, null, 'closure'])
  })
})
