import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Block, BookingRules } from '../../rules/booking-rules.ts'
import type { BookingRequest, Load } from '../../day/facts.ts'
import { aRequest, at, instant, judge, loadOf, onWeekday, someRules } from '../test/venue.ts'

const tuesday = at('2026-10-06', '12:00')

/** The first reason, or ok. */
const answer = (
  rules: Partial<BookingRules>,
  request: BookingRequest,
  now: Temporal.Instant = tuesday,
  load: Partial<Load> = {},
): string => {
  const evaluation = judge(someRules(rules), now, request, loadOf(load))
  return evaluation.ok ? 'ok' : evaluation.refusal.reason
}

const wednesday = (time: string, partySize = 2) => aRequest('2026-10-07', time, { partySize })

/** A block 18:00–19:30 on Wednesday. */
const evening = (scope: Block['scope']): Block => ({
  serviceDate: '2026-10-07',
  fromMinute: 1080,
  toMinute: 1170,
  scope,
  publicNote: null,
})

/** The answers to parties of 1, 2, 8 and 9. */
const sizes = (rules: Partial<BookingRules>) =>
  [1, 2, 8, 9].map((partySize) => answer(rules, wednesday('19:00', partySize)))

describe('boundaries of the booking rules', () => {
  it('past: the current minute is not past yet; seconds are cut off', () => {
    const request = aRequest('2026-10-06', '19:00')
    assert.equal(answer({}, request, at('2026-10-06', '19:00').add({ seconds: 45 })), 'ok')
    assert.equal(answer({}, request, at('2026-10-06', '19:01')), 'in-the-past')
  })

  it('the past comes first, under any settings', () => {
    assert.equal(answer({ periods: [] }, aRequest('2026-10-05', '19:00')), 'in-the-past')
  })

  it('a block applies from its first minute until just before its end; only the arrival counts', () => {
    const times = ['17:59', '18:00', '19:29', '19:30']
    const answers = times.map((time) => answer({ blocks: [evening('online')] }, wednesday(time)))
    assert.deepEqual(answers, ['ok', 'blocked', 'blocked', 'ok'])
    assert.equal(answer({ blocks: [evening('online')] }, aRequest('2026-10-08', '18:00')), 'ok')
  })

  it('a block with scope online and a pause apply online only; scope all applies to staff too', () => {
    const staff = aRequest('2026-10-07', '18:00', { door: 'staff' })
    assert.equal(answer({ blocks: [evening('online')] }, staff), 'ok')
    assert.equal(answer({ blocks: [evening('all')] }, staff), 'blocked')
    assert.equal(answer({ blocks: [evening('all')] }, wednesday('18:00')), 'blocked')
    assert.equal(answer({ onlinePaused: true }, staff), 'ok')
    assert.equal(answer({ onlinePaused: true }, wednesday('18:00')), 'blocked')
  })

  it('a block after midnight applies by service minute', () => {
    const block: Block = {
      serviceDate: '2026-10-09',
      fromMinute: 1440,
      toMinute: 1500,
      scope: 'all',
      publicNote: null,
    }
    const night = (time: string) => answer({ blocks: [block] }, aRequest('2026-10-10', time))
    assert.deepEqual(['00:00', '00:59', '01:00'].map(night), ['blocked', 'blocked', 'ok'])
  })

  it('same-day cut-off: equal is refused, one minute before is not', () => {
    const rules = { sameDayCutoffMinute: 960 }
    const request = aRequest('2026-10-06', '19:00')
    assert.equal(answer(rules, request, at('2026-10-06', '15:59').add({ seconds: 59 })), 'ok')
    assert.equal(answer(rules, request, at('2026-10-06', '16:00')), 'same-day-cutoff')
    assert.equal(answer(rules, wednesday('19:00'), at('2026-10-06', '23:59')), 'ok')
  })

  it('same-day cut-off 00:00 means never on the same day', () => {
    const rules = { sameDayCutoffMinute: 0 }
    assert.equal(answer(rules, wednesday('19:00'), at('2026-10-06', '23:59')), 'ok')
    assert.equal(answer(rules, wednesday('19:00'), at('2026-10-07', '00:00')), 'same-day-cutoff')
  })

  it("same-day cut-off: 00:50 on Sunday follows Saturday's cut-off and touches no other day", () => {
    const rules = { sameDayCutoffMinute: 960 }
    const night = aRequest('2026-10-11', '00:50')
    assert.equal(answer(rules, night, at('2026-10-10', '15:59')), 'ok')
    assert.equal(answer(rules, night, at('2026-10-10', '16:00')), 'same-day-cutoff')
    assert.equal(answer(rules, night, at('2026-10-11', '00:10')), 'same-day-cutoff')
    assert.equal(answer(rules, aRequest('2026-10-11', '14:00'), at('2026-10-11', '00:10')), 'ok')
  })

  it("a period's own cut-off replaces the venue's", () => {
    const periods = [onWeekday(2, { sameDayCutoffMinute: 1080 })]
    const rules = { sameDayCutoffMinute: 960, periods }
    assert.equal(answer(rules, aRequest('2026-10-06', '19:00'), at('2026-10-06', '17:59')), 'ok')
    assert.equal(answer(rules, aRequest('2026-10-06', '19:00'), at('2026-10-06', '18:00')), 'same-day-cutoff')
  })

  it('party limits are inclusive, and a period may set its own', () => {
    const venue = { minParty: 2, maxParty: 8 }
    assert.deepEqual(sizes(venue), ['party-too-small', 'ok', 'ok', 'party-too-large'])
    assert.deepEqual(sizes({ ...venue, periods: [onWeekday(3, { minParty: 1, maxParty: 9 })] }), [
      'ok',
      'ok',
      'ok',
      'ok',
    ])
    assert.deepEqual(sizes({}), ['ok', 'ok', 'ok', 'ok'])
  })

  it('notice: exactly N elapsed minutes are allowed, from the floored clock', () => {
    const rules = { minNoticeMinutes: 60 }
    const now = at('2026-10-06', '18:00').add({ seconds: 59 })
    assert.equal(answer(rules, aRequest('2026-10-06', '18:59'), now), 'too-short-notice')
    assert.equal(answer(rules, aRequest('2026-10-06', '19:00'), now), 'ok')
  })

  it('notice counts elapsed minutes across a change of the clocks', () => {
    const periods = [onWeekday(6, { endMinute: 1800 })]
    // 01:30 to 03:30 on the wall is one elapsed hour in spring; 00:30 to 01:30 (second) is two in autumn.
    const spring = aRequest('2026-03-08', '03:30')
    assert.equal(
      answer({ periods, minNoticeMinutes: 61 }, spring, at('2026-03-08', '01:30')),
      'too-short-notice',
    )
    assert.equal(answer({ periods, minNoticeMinutes: 60 }, spring, at('2026-03-08', '01:30')), 'ok')
    const second = aRequest('2026-11-01', '01:30', { startsAt: instant('2026-11-01T06:30:00Z') })
    assert.equal(answer({ periods, minNoticeMinutes: 120 }, second, at('2026-11-01', '00:30')), 'ok')
    assert.equal(
      answer({ periods, minNoticeMinutes: 121 }, second, at('2026-11-01', '00:30')),
      'too-short-notice',
    )
  })

  it('how far ahead: day N is allowed until its end, after midnight included', () => {
    const rules = { maxDaysAhead: 3 }
    assert.equal(answer(rules, aRequest('2026-10-09', '23:59')), 'ok')
    assert.equal(answer(rules, aRequest('2026-10-10', '01:59')), 'ok')
    assert.equal(answer(rules, aRequest('2026-10-10', '17:00')), 'too-far-ahead')
    assert.equal(answer({ maxDaysAhead: 0 }, aRequest('2026-10-06', '21:00')), 'ok')
    assert.equal(answer({ maxDaysAhead: 0 }, wednesday('17:00')), 'too-far-ahead')
  })

  it('how far ahead counts calendar days, even over a 25-hour day', () => {
    const lateSaturday = at('2026-10-31', '23:30')
    const rules = { maxDaysAhead: 1 }
    assert.equal(answer(rules, aRequest('2026-11-01', '14:59'), lateSaturday), 'ok')
    assert.equal(answer(rules, aRequest('2026-11-03', '17:00'), lateSaturday), 'too-far-ahead')
  })

  it('last arrival: equal is allowed', () => {
    const rules = { periods: [onWeekday(3, { lastArrivalMinute: 1260 })] }
    assert.equal(answer(rules, wednesday('21:00')), 'ok')
    assert.equal(answer(rules, wednesday('21:01')), 'after-last-arrival')
  })

  it('fixed seating times: the exact minute only', () => {
    const rules = { periods: [onWeekday(3, { seatingMinutes: [1020, 1140] })] }
    const times = ['17:00', '17:01', '18:59', '19:00']
    const answers = times.map((time) => answer(rules, wednesday(time)))
    assert.deepEqual(answers, ['ok', 'not-a-seating-time', 'not-a-seating-time', 'ok'])
  })

  it('pacing: filling the slot exactly is allowed, one guest more is not', () => {
    const rules = { pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }
    assert.equal(answer(rules, wednesday('19:00'), tuesday, { covers: 8 }), 'ok')
    assert.equal(answer(rules, wednesday('19:00'), tuesday, { covers: 9 }), 'pacing-covers-full')
  })

  it("a party larger than an empty slot's cap is refused", () => {
    const rules = { pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }
    assert.equal(answer(rules, wednesday('19:00', 11)), 'pacing-covers-full')
  })

  it('pacing by parties: the last party is allowed, one more is not; covers come first', () => {
    const rules = { pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: 3 } }
    assert.equal(answer(rules, wednesday('19:00'), tuesday, { parties: 2 }), 'ok')
    assert.equal(answer(rules, wednesday('19:00'), tuesday, { parties: 3 }), 'pacing-parties-full')
    assert.equal(answer(rules, wednesday('19:00'), tuesday, { parties: 3, covers: 10 }), 'pacing-covers-full')
  })

  it("a period's own pacing replaces the venue's, part by part", () => {
    const periods = [onWeekday(3, { pacing: { intervalMinutes: null, maxCovers: 4, maxParties: null } })]
    const rules = { periods, pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: 1 } }
    assert.equal(answer(rules, wednesday('19:00', 5)), 'pacing-covers-full')
    assert.equal(answer(rules, wednesday('19:00', 4), tuesday, { parties: 1 }), 'pacing-parties-full')
  })
})
