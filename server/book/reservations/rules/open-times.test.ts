import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { type Arrivals, loadFromArrivals } from '../../day/load.ts'
import { openTimes } from './open-times.ts'
import { aPeriod, at, nobody, onWeekday, someRules } from '../test/venue.ts'

const monday = at('2026-10-05', '12:00')

const shown = (serviceDate: string, rules: Partial<BookingRules> = {}, clock = monday, load = nobody) =>
  openTimes(someRules(rules), clock, { serviceDate, partySize: 2, door: 'online' }, load)

const times = (serviceDate: string, rules: Partial<BookingRules> = {}, clock = monday) =>
  shown(serviceDate, rules, clock).slots.map(({ time }) => time)

const open = (serviceDate: string, rules: Partial<BookingRules> = {}, clock = monday, load = nobody) =>
  shown(serviceDate, rules, clock, load)
    .slots.filter(({ evaluation }) => evaluation.ok)
    .map(({ time }) => time)

const row = (serviceMinute: number, covers: number): Arrivals => ({
  serviceDate: '2026-10-07',
  serviceMinute,
  covers,
  parties: 1,
})

describe('open times', () => {
  it('are the slots of a service from its opening until before its close', () => {
    const periods = [onWeekday(3, { startMinute: 1025, endMinute: 1070 })]
    assert.deepEqual(times('2026-10-07', { periods }), ['17:05', '17:20', '17:35'])
    assert.deepEqual(times('2026-10-07', { periods, slotStepMinutes: 30 }), ['17:05', '17:35'])
  })

  it('are the seatings where the service has them', () => {
    const periods = [onWeekday(3, { seatingMinutes: [1260, 1020, 1140] })]
    assert.deepEqual(times('2026-10-07', { periods }), ['17:00', '19:00', '21:00'])
  })

  it('from several services come in order', () => {
    const lunch = onWeekday(3, { startMinute: 720, endMinute: 750 })
    const periods = [onWeekday(3, { endMinute: 1050 }), lunch]
    assert.deepEqual(times('2026-10-07', { periods }), ['12:00', '12:15', '17:00', '17:15'])
  })

  it('after midnight belong to the evening and carry the next date', () => {
    const { slots } = shown('2026-10-09', { periods: [onWeekday(5, { startMinute: 1410, endMinute: 1455 })] })
    const named = slots.map(({ date, time }) => `${date} ${time}`)
    assert.deepEqual(named, ['2026-10-09 23:30', '2026-10-09 23:45', '2026-10-10 00:00'])
    assert.equal(slots[2]?.startsAt.toString(), '2026-10-10T04:00:00Z')
  })

  it('a full slot is shown with its sentence, each slot with its own load', () => {
    const pacing = { intervalMinutes: 15, maxCovers: 4, maxParties: null }
    const rules = { pacing, periods: [onWeekday(3, { endMinute: 1065 })] }
    const load = loadFromArrivals([row(1020, 2), row(1034, 2), row(1035, 2)])
    assert.deepEqual(open('2026-10-07', rules, monday, load), ['17:15', '17:30'])
    const [full] = shown('2026-10-07', rules, monday, load).slots
    assert.equal(full?.evaluation.ok === false && full.evaluation.refusal.sentence, '17:00 is fully booked.')
  })

  it('today shows the times that have passed as refused', () => {
    assert.deepEqual(open('2026-10-06', {}, at('2026-10-06', '21:15')), ['21:15', '21:30', '21:45'])
  })

  it('a closed day is shown by name, without slots', () => {
    const specialDays = [{ date: '2026-10-07', name: 'Columbus Day', periods: [] }]
    assert.deepEqual(shown('2026-10-12'), {
      closed: { reason: 'closed', sentence: 'The venue is closed on Mondays.' },
      slots: [],
    })
    const sentence = 'The venue is closed on Wednesday 7 October 2026 (Columbus Day).'
    assert.deepEqual(shown('2026-10-07', { specialDays }), {
      closed: { reason: 'closed', sentence },
      slots: [],
    })
    assert.equal(shown('2026-10-06').closed, null)
  })

  it('times the clocks skip are left out, and times that happen twice are shown once', () => {
    const spring = { periods: [onWeekday(6, { startMinute: 1530, endMinute: 1650 })], slotStepMinutes: 30 }
    assert.deepEqual(times('2026-03-07', spring), ['01:30', '03:00'])
    const autumn = { periods: [onWeekday(6, { startMinute: 1485, endMinute: 1575 })], slotStepMinutes: 30 }
    assert.deepEqual(times('2026-10-31', autumn), ['00:45', '01:15', '01:45'])
  })

  it('a special day shows its own times', () => {
    const specialDays = [{ date: '2026-10-12', name: 'Holiday', periods: [aPeriod({ endMinute: 1050 })] }]
    assert.deepEqual(times('2026-10-12', { specialDays }), ['17:00', '17:15'])
  })
})
