import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BookingReason, bookingReasons } from '@venue-data/contract/reasons.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { dayAt } from '../../day/day.ts'
import type { BookingRequest, Day, Load } from '../../day/facts.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import { evaluate, verdicts } from './evaluate.ts'
import {
  aFloor,
  aRequest,
  anExperience,
  at,
  emptyFloors,
  judge,
  loadOf,
  onWeekday,
  someRules,
} from '../test/venue.ts'

type Case = {
  rules: Partial<BookingRules>
  now: Temporal.Instant
  request: BookingRequest
  load?: Partial<Load>
  experience?: Day['experience']
}

const earlyOctober = at('2026-10-01', '12:00')
const tuesday = at('2026-10-06', '12:00')

const refusal = ({ rules: given, now, request, load = {}, experience }: Case) => {
  const rules = someRules(given)
  const day = dayAt(rules, resolveService(rules, request), loadOf(load))
  const answer = experience
    ? evaluate({ ...day, experience }, now, request)
    : judge(rules, now, request, loadOf(load))
  assert.equal(answer.ok, false)
  return answer.ok ? undefined : answer.refusal
}

/** For every published reason, settings and a request that must give its sample sentence. */
const samples: Record<BookingReason, Case> = {
  'in-the-past': { rules: {}, now: at('2026-10-06', '19:42'), request: aRequest('2026-10-06', '19:00') },
  closed: {
    rules: { closures: [{ from: '2026-11-26', to: '2026-11-26', name: 'Thanksgiving' }] },
    now: tuesday,
    request: aRequest('2026-11-26', '19:00'),
  },
  'outside-hours': { rules: {}, now: tuesday, request: aRequest('2026-10-07', '16:59') },
  blocked: {
    rules: {
      blocks: [
        { serviceDate: '2026-10-08', fromMinute: 1080, toMinute: 1170, scope: 'online', publicNote: null },
      ],
    },
    now: tuesday,
    request: aRequest('2026-10-08', '19:00'),
  },
  'same-day-cutoff': {
    rules: { sameDayCutoffMinute: 960 },
    now: at('2026-10-06', '16:00'),
    request: aRequest('2026-10-06', '19:00'),
  },
  'party-too-small': {
    rules: { periods: [onWeekday(7, { minParty: 2 })] },
    now: tuesday,
    request: aRequest('2026-10-11', '19:00', { partySize: 1 }),
  },
  'party-too-large': {
    rules: { maxParty: 8 },
    now: tuesday,
    request: aRequest('2026-10-07', '19:00', { partySize: 9 }),
  },
  'too-short-notice': {
    rules: { minNoticeMinutes: 60 },
    now: at('2026-10-06', '18:00'),
    request: aRequest('2026-10-06', '18:59'),
  },
  'too-far-ahead': {
    rules: { maxDaysAhead: 60, periods: [onWeekday(6), onWeekday(7)] },
    now: tuesday,
    request: aRequest('2026-12-06', '19:00'),
  },
  'after-last-arrival': {
    rules: { periods: [onWeekday(3, { lastArrivalMinute: 1260 })] },
    now: tuesday,
    request: aRequest('2026-10-07', '21:01'),
  },
  'not-a-seating-time': {
    rules: { periods: [onWeekday(7, { startMinute: 600, endMinute: 900, seatingMinutes: [600, 720, 810] })] },
    now: tuesday,
    request: aRequest('2026-10-11', '11:00'),
  },
  'pacing-covers-full': {
    rules: { pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } },
    now: tuesday,
    request: aRequest('2026-10-07', '19:14', { partySize: 3 }),
    load: { covers: 8 },
  },
  'pacing-parties-full': {
    rules: { pacing: { intervalMinutes: 15, maxCovers: null, maxParties: 4 } },
    now: tuesday,
    request: aRequest('2026-10-07', '19:00'),
    load: { parties: 4 },
  },
  'tables-full': {
    rules: { floor: aFloor(2, 4) },
    now: tuesday,
    request: aRequest('2026-10-07', '19:00', { partySize: 6 }),
  },
  'experience-full': {
    rules: { experiences: [anExperience({ mostPerEvening: 2 })] },
    now: tuesday,
    request: aRequest('2026-10-09', '19:00'),
    experience: { key: 'chefs-counter', taken: 2 },
  },
}

const says = (sentence: string, sample: Case) => {
  it(sentence, () => assert.equal(refusal(sample)?.sentence, sentence))
}

describe('sentences of the booking rules', () => {
  for (const [reason, sample] of Object.entries(samples)) {
    it(`${reason} says word for word what the contract shows`, () => {
      const { sentence } = bookingReasons[reason as BookingReason]
      assert.deepEqual(refusal(sample), { reason, sentence })
    })

    const entry = bookingReasons[reason as BookingReason]
    if ('rule' in entry)
      it(`${reason} is given by the rule that the contract names`, () => {
        const { rules: given, now, request, load = {} } = sample
        const rules = someRules(given)
        const floors = emptyFloors(rules, now)
        const day = dayAt(rules, resolveService(rules, request), loadOf(load), floors)
        const refusing = verdicts(day, now, request).filter((verdict) => verdict.refusal?.reason === reason)
        assert.deepEqual(
          refusing.map(({ rule }) => rule),
          [entry.rule],
        )
      })
  }

  const pacing = samples['pacing-covers-full']

  says('19:00 is fully booked.', { ...pacing, load: { covers: 10 } })
  says('19:00 is fully booked.', { ...pacing, load: { covers: 12 } })
  says('There is only 1 place left at 19:00.', { ...pacing, load: { covers: 9 } })
  says('There are only 10 places left at 19:00.', {
    ...pacing,
    request: aRequest('2026-10-07', '19:00', { partySize: 11 }),
    load: {},
  })
  const counter = samples['experience-full']
  const notOffered = '“Chef’s counter” is not offered at that time to a party of this size.'

  says(notOffered, { ...counter, rules: { experiences: [anExperience({ weekdays: [6] })] } })
  says(notOffered, { ...counter, rules: { experiences: [anExperience({ partyFrom: 3 })] } })
  says('What was chosen is not offered at that time to a party of this size.', { ...counter, rules: {} })
  says('The venue is closed on Mondays.', {
    rules: {},
    now: tuesday,
    request: aRequest('2026-10-12', '19:00'),
  })
  says('The venue is closed on Monday 12 October 2026 (Columbus Day).', {
    rules: { specialDays: [{ date: '2026-10-12', name: 'Columbus Day', periods: [] }] },
    now: tuesday,
    request: aRequest('2026-10-12', '19:00'),
  })
  says('The venue is closed on Monday 12 October 2026.', {
    rules: { specialDays: [{ date: '2026-10-12', name: null, periods: [] }] },
    now: tuesday,
    request: aRequest('2026-10-12', '19:00'),
  })
  says(
    'On Wednesday 7 October the venue takes arrivals between 12:00 and 15:00, and between 17:00 and 02:00.',
    {
      rules: {
        periods: [onWeekday(3, { endMinute: 1560 }), onWeekday(3, { startMinute: 720, endMinute: 900 })],
      },
      now: tuesday,
      request: aRequest('2026-10-07', '16:00'),
    },
  )
  says('The venue takes no bookings between 18:00 and 19:30 on Thursday 8 October (wine fair).', {
    ...samples.blocked,
    rules: {
      blocks: [
        {
          serviceDate: '2026-10-08',
          fromMinute: 1080,
          toMinute: 1170,
          scope: 'all',
          publicNote: 'wine fair',
        },
      ],
    },
  })
  says('The venue takes no online bookings at the moment.', {
    ...samples.blocked,
    rules: { onlinePaused: true },
  })
  says('The venue takes parties of up to 8 here; please call the venue.', {
    ...samples['party-too-large'],
    rules: { maxParty: 8, phone: null },
  })
  says("Bookings need at least 1 minute's notice; the earliest time now is 19:01.", {
    rules: { minNoticeMinutes: 1 },
    now: at('2026-10-06', '19:00'),
    request: aRequest('2026-10-06', '19:00'),
  })
  says("Bookings need at least 24 hours' notice; the earliest time now is 18:00 on Wednesday 7 October.", {
    rules: { minNoticeMinutes: 1440 },
    now: at('2026-10-06', '18:00'),
    request: aRequest('2026-10-06', '19:00'),
  })
  says('It is already 19:42 on Tuesday 6 October at the venue, so 19:00 on Sunday 4 October has passed.', {
    rules: {},
    now: at('2026-10-06', '19:42'),
    request: aRequest('2026-10-04', '19:00'),
  })
  says(
    'It is already 12:00 on Tuesday 6 October at the venue, so 19:00 on Sunday 5 October 2025 has passed.',
    {
      rules: {},
      now: tuesday,
      request: aRequest('2025-10-05', '19:00'),
    },
  )
  says('Bookings open 1 day ahead; the last date now is Wednesday 7 October 2026.', {
    rules: { maxDaysAhead: 1 },
    now: tuesday,
    request: aRequest('2026-10-08', '19:00'),
  })
  says('On Sunday 11 October the seating is 12:00.', {
    ...samples['not-a-seating-time'],
    rules: { periods: [onWeekday(7, { startMinute: 600, endMinute: 900, seatingMinutes: [720] })] },
  })
})

describe('sentences about an arrival after midnight', () => {
  const night = aRequest('2026-10-10', '00:30')
  const belongs = "00:30 on Saturday 10 October belongs to Friday evening's service."
  const friday = onWeekday(5, { endMinute: 1560 })
  const afterMidnight = (
    rest: string,
    rules: Partial<BookingRules>,
    now = earlyOctober,
    load: Partial<Load> = {},
  ) => {
    says(`${belongs} ${rest}`, { rules, now, request: night, load })
  }

  afterMidnight('The last arrival on Friday 9 October is 00:00.', {
    periods: [{ ...friday, lastArrivalMinute: 1440 }],
  })
  afterMidnight('On Friday 9 October the seatings are 19:00 and 00:00.', {
    periods: [{ ...friday, seatingMinutes: [1140, 1440] }],
  })
  afterMidnight(
    '00:30 is fully booked.',
    { pacing: { intervalMinutes: 15, maxCovers: 4, maxParties: null } },
    earlyOctober,
    {
      covers: 4,
    },
  )
  afterMidnight('The venue is closed on Friday 9 October 2026 (Wedding).', {
    closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Wedding' }],
  })
  afterMidnight('The venue takes no bookings between 00:00 and 01:00 on Saturday 10 October.', {
    blocks: [{ serviceDate: '2026-10-09', fromMinute: 1440, toMinute: 1500, scope: 'all', publicNote: null }],
  })
  afterMidnight('Bookings open 7 days ahead; the last date now is Thursday 8 October 2026.', {
    maxDaysAhead: 7,
  })
  afterMidnight(
    'Bookings for today closed at 16:00.',
    { sameDayCutoffMinute: 960 },
    at('2026-10-09', '23:00'),
  )
  afterMidnight(
    'Bookings for today closed at 16:00 on Friday 9 October.',
    { sameDayCutoffMinute: 960 },
    at('2026-10-10', '00:10'),
  )

  it('midnight itself is named with both days', () => {
    const request = aRequest('2026-10-10', '00:00')
    assert.equal(
      refusal({ rules: { periods: [{ ...friday, lastArrivalMinute: 1380 }] }, now: earlyOctober, request })
        ?.sentence,
      "00:00 on Saturday 10 October belongs to Friday evening's service. The last arrival on Friday 9 October is 23:00.",
    )
  })

  it("a service that runs into the morning is the day's, not the evening's", () => {
    const roundTheClock = onWeekday(5, { startMinute: 600, endMinute: 2040, lastArrivalMinute: 1790 })
    const request = aRequest('2026-10-10', '06:00')
    assert.equal(
      refusal({ rules: { periods: [roundTheClock] }, now: earlyOctober, request })?.sentence,
      "06:00 on Saturday 10 October belongs to Friday's service. The last arrival on Friday 9 October is 05:50.",
    )
  })
})
