import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { dayAt, nobody } from '../day/day.ts'
import type { BookingRequest, Day, Load } from '../day/facts.ts'
import { resolveService } from '../rules/resolve-service.ts'
import { aFloor, aRequest, anExperience, at, emptyFloors, onWeekday, someRules } from './test/venue.ts'
import { anotherDay, reasonsAgainst } from './staff-reasons.ts'

type Case = readonly [
  sentence: string,
  rules: Partial<BookingRules>,
  request: BookingRequest,
  more?: {
    readonly load?: Load
    readonly now?: Temporal.Instant
    readonly experience?: Day['experience']
  },
]

const staffRequest = (date: string, time: string, partySize = 2): BookingRequest =>
  aRequest(date, time, { partySize, door: 'staff' })

const cases: Record<BookingReason, Case> = {
  'in-the-past': [
    '19:00 has passed: it is 19:42 now.',
    {},
    staffRequest('2026-10-06', '19:00'),
    { now: at('2026-10-06', '19:42') },
  ],
  closed: [
    'Closed on Thursday 26 November (Thanksgiving).',
    { closures: [{ from: '2026-11-26', to: '2026-11-26', name: 'Thanksgiving' }] },
    staffRequest('2026-11-26', '19:00'),
  ],
  'outside-hours': [
    'Outside opening hours: Wednesday 7 October is open 17:00 to 22:00.',
    {},
    staffRequest('2026-10-07', '16:59'),
  ],
  blocked: [
    'Blocked from 18:00 to 19:30: Wedding.',
    {
      blocks: [
        { serviceDate: '2026-10-08', fromMinute: 1080, toMinute: 1170, scope: 'all', publicNote: 'Wedding' },
      ],
    },
    staffRequest('2026-10-08', '19:00'),
  ],
  'same-day-cutoff': [
    'Same-day bookings closed at 16:00.',
    { sameDayCutoffMinute: 960 },
    staffRequest('2026-10-06', '19:00'),
    { now: at('2026-10-06', '16:00') },
  ],
  'party-too-small': [
    'This service takes parties of 2 or more.',
    { minParty: 2 },
    staffRequest('2026-10-07', '19:00', 1),
  ],
  'party-too-large': [
    'This service takes parties of up to 8.',
    { maxParty: 8 },
    staffRequest('2026-10-07', '19:00', 9),
  ],
  'too-short-notice': [
    'Less than the required notice of 60 minutes.',
    { minNoticeMinutes: 60 },
    staffRequest('2026-10-06', '18:59'),
    { now: at('2026-10-06', '18:00') },
  ],
  'too-far-ahead': [
    'Bookings open only 60 days ahead.',
    { maxDaysAhead: 60 },
    staffRequest('2026-12-09', '19:00'),
  ],
  'after-last-arrival': [
    'After the last arrival, 21:00.',
    { periods: [onWeekday(3, { lastArrivalMinute: 1260 })] },
    staffRequest('2026-10-07', '21:01'),
  ],
  'not-a-seating-time': [
    'Not a seating time. Seatings are 18:00 and 20:30.',
    { periods: [onWeekday(3, { seatingMinutes: [1080, 1230] })] },
    staffRequest('2026-10-07', '19:00'),
  ],
  'pacing-covers-full': [
    'The 19:00 slot takes 10 guests.',
    { pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } },
    staffRequest('2026-10-07', '19:14', 3),
    { load: { covers: 8, parties: 2 } },
  ],
  'pacing-parties-full': [
    'The 19:00 slot takes 4 parties.',
    { pacing: { intervalMinutes: 15, maxCovers: null, maxParties: 4 } },
    staffRequest('2026-10-07', '19:00'),
    { load: { covers: 8, parties: 4 } },
  ],
  'tables-full': [
    'There is no table for 6 at 19:00.',
    { floor: aFloor(4) },
    staffRequest('2026-10-07', '19:00', 6),
  ],
  'experience-full': [
    '“Chef’s counter” is for 2 parties an evening.',
    { experiences: [anExperience({ mostPerEvening: 2 })] },
    staffRequest('2026-10-09', '19:00'),
    { experience: { key: 'chefs-counter', taken: 2 } },
  ],
}

describe('the rules as sentences for staff', () => {
  for (const [reason, [sentence, changes, request, more = {}]] of Object.entries(cases)) {
    it(`${reason}: ${sentence}`, () => {
      const { load = nobody, now = at('2026-10-06', '12:00'), experience } = more
      const rules = someRules(changes)
      const day = {
        ...dayAt(rules, resolveService(rules, request), () => load, emptyFloors(rules, now)),
        experience,
      }
      const [first, ...others] = reasonsAgainst(day, now, request)
      assert.deepEqual([first?.reason, first?.sentence, others], [reason, sentence, []])
      assert.doesNotMatch(sentence, /call|please/i)
    })
  }

  it('of a party that sits down early, there is no table at the time it sits down', () => {
    const booked = staffRequest('2026-10-07', '21:00', 6)
    const now = at('2026-10-07', '17:36')
    const rules = someRules({ floor: aFloor(4) })
    const day = dayAt(rules, resolveService(rules, booked), () => nobody, emptyFloors(rules, now))
    assert.deepEqual(
      reasonsAgainst(day, now, { ...booked, startsAt: now }).map(({ sentence }) => sentence),
      ['There is no table for 6 at 17:36.'],
    )
  })

  it('a weekday without hours is not a closure, and a slot says how far over it would be', () => {
    const rules = someRules({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } })
    const against = (request: BookingRequest) =>
      reasonsAgainst(
        dayAt(rules, resolveService(rules, request), () => ({ covers: 8, parties: 2 })),
        at('2026-10-06', '12:00'),
        request,
      )
    assert.equal(against(staffRequest('2026-10-12', '19:00'))[0]?.sentence, 'There is no service on Mondays.')
    assert.equal(against(staffRequest('2026-10-07', '19:00', 4))[0]?.figure, '12 of 10')
  })

  it("a venue without hours gets its own sentence, and a note's period is not doubled", () => {
    const first = (changes: Partial<BookingRules>) => {
      const request = staffRequest('2026-10-08', '19:00')
      const rules = someRules(changes)
      const day = dayAt(rules, resolveService(rules, request), () => nobody)
      return reasonsAgainst(day, at('2026-10-06', '12:00'), request)[0]?.sentence
    }
    assert.equal(
      first({ periods: [] }),
      'No weekly opening hours are set; a manager can enter them under Settings, Hours.',
    )
    assert.equal(
      first({ periods: [], closures: [{ from: '2026-10-08', to: '2026-10-08', name: 'Boiler' }] }),
      'Closed on Thursday 8 October (Boiler).',
    )
    const far = someRules({ closures: [{ from: '2020-01-01', to: '2020-01-01', name: 'Holiday' }] })
    const lastAsked = staffRequest('2020-01-01', '20:00')
    assert.deepEqual(
      reasonsAgainst(
        dayAt(far, resolveService(far, lastAsked), () => nobody),
        at('2026-10-06', '12:00'),
        lastAsked,
      )
        .slice(0, 2)
        .map(({ sentence }) => sentence),
      [
        '20:00 on Wednesday 1 January 2020 has passed: it is 12:00 now.',
        'Closed on Wednesday 1 January 2020 (Holiday).',
      ],
      'a day of another year has its year',
    )
    const block = { serviceDate: '2026-10-08', fromMinute: 1080, toMinute: 1170, scope: 'all' as const }
    assert.equal(
      first({ blocks: [{ ...block, publicNote: "Dinner of Joe's Inc." }] }),
      "Blocked from 18:00 to 19:30: Dinner of Joe's Inc.",
    )
  })

  it('somebody expected on another day', () => {
    assert.deepEqual(anotherDay('2026-10-06', '2026-10-06'), [])
    assert.deepEqual(anotherDay(null, '2026-10-06'), [])
    assert.equal(
      anotherDay('2026-10-07', '2026-10-06')[0]?.sentence,
      'They are expected on Wednesday 7 October; today is Tuesday 6 October.',
    )
    assert.match(anotherDay('2026-10-05', '2026-10-06')[0]?.sentence ?? '', /^They were expected on Monday/)
  })
})
