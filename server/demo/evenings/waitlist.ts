import { addDays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { type LocalDate, clockTimeAt, minuteOfDay } from '../../platform/kernel/time/written-time.ts'
import { turnMinutes } from '../../book/rules/turn-minutes.ts'
import { openPeriodsOn } from '../../book/rules/resolve-service.ts'
import type { BookingRules, ServicePeriod } from '../../book/rules/booking-rules.ts'
import { bookingNote } from '../words/booking-notes.ts'
import { type BookingStory, arrivalAt } from './booking-story.ts'
import { isBrunch } from './demand.ts'
import { withinMinute } from './made-when.ts'
import { outcomeOf } from './outcome.ts'
import type { People } from '../people.ts'
import type { Random } from '../random.ts'
import type { WaitlistStory } from './waitlist-story.ts'
import { datesBetween, dayMs, hourMs, minuteMs, momentAt, wallAt } from '../venue-time.ts'

/** Parties that wait, each service: only when the room is full. */
const waitingByWeekday = {
  dinner: [0, 0.2, 0.3, 0.8, 2.6, 3.6, 0.3],
  brunch: [0, 0, 0, 0, 0, 1, 1.6],
} as const

type Evenings = {
  readonly rules: BookingRules
  readonly dates: readonly LocalDate[]
  /** Size of the demo; 1 is all of it. */
  readonly scale: number
  readonly trackedFrom: LocalDate
}

export const waitlistStories = (
  random: Random,
  people: People,
  { rules, dates, scale, trackedFrom }: Evenings,
): WaitlistStory[] =>
  dates.flatMap((date) =>
    openPeriodsOn(rules, date).flatMap((period) => {
      const meal = isBrunch(period) ? 'brunch' : 'dinner'
      const expected = (waitingByWeekday[meal][weekdayOf(date) - 1] ?? 0) * scale
      const busy = random.chance(0.7) ? expected * 1.4 : expected * 0.1
      const count = Math.floor(busy) + (random.chance(busy % 1) ? 1 : 0)
      return Array.from({ length: count }, () =>
        partyOf(random, people, { rules, date, period, tracked: date >= trackedFrom }),
      )
    }),
  )

type Service = {
  readonly rules: BookingRules
  readonly date: LocalDate
  readonly period: ServicePeriod
  readonly tracked: boolean
}

const partyOf = (
  random: Random,
  people: People,
  { rules, date, period, tracked }: Service,
): WaitlistStory => {
  const last = (period.lastArrivalMinute ?? period.endMinute) - 15
  const minute = isBrunch(period)
    ? random.integer(11 * 60, 13 * 60 + 20)
    : random.integer(18 * 60 + 40, Math.min(last, 20 * 60 + 50))
  const partySize = random.weighted([
    [2, 60],
    [3, 15],
    [4, 20],
    [5, 3],
    [6, 2],
  ])
  const createdAt = withinMinute(random, momentAt(date, minute))
  const quotedMinutes = 5 * random.integer(3, 12)
  const room = period.endMinute - minute - 10
  const waited = Math.min(room, Math.max(6, Math.round(quotedMinutes * random.normal(1.05, 0.3, 0.4, 2))))
  const ending = random.weighted([
    [null, 58],
    ['cancelled', 26],
    ['expired', 16],
  ] as const)
  const leaves = createdAt + (ending === 'cancelled' ? waited * random.draw() : waited + 15) * minuteMs
  const ready = createdAt + waited * minuteMs
  const seatedMinute = minute + waited + random.integer(2, 7)
  const person = people.meet(true)
  return {
    date,
    partySize,
    requestedTime: random.chance(0.2) ? clockTimeAt(5 * Math.ceil(minute / 5)) : null,
    windowStart: clockTimeAt(5 * Math.floor(minute / 5)),
    windowEnd: clockTimeAt(5 * Math.floor(minute / 5) + 30 * random.integer(3, 5)),
    source: random.chance(0.55) ? 'public' : 'staff',
    notes: random.chance(0.2) ? random.pick(requests) : null,
    forLater: false,
    comingAt: null,
    quotedMinutes,
    createdAt,
    quotedAt: createdAt + random.integer(0, 90_000),
    pagedAt: ending === 'cancelled' ? null : Math.floor(ready),
    leftAt: ending === null ? null : Math.floor(leaves),
    ending,
    booking:
      ending === null
        ? seatedStory(random, { rules, date, period, tracked, partySize, minute: seatedMinute })
        : null,
    guestName: random.chance(0.6) ? person.first : person.name,
    phone: random.chance(0.88) ? person.phone : null,
  }
}

const requests = [
  'The bar is fine too.',
  'Outside is ok',
  'We are next door having a drink',
  'table or bar, whatever is first',
  'One stroller',
  'Would share a table',
]

/** The booking of a party from the list: made and seated in one moment. */
const seatedStory = (
  random: Random,
  {
    rules,
    date,
    period,
    tracked,
    partySize,
    minute,
  }: Service & { readonly partySize: number; readonly minute: number },
): BookingStory => {
  const arrival = arrivalAt(date, minute, period)
  const { startsAt } = arrival
  const createdAt = withinMinute(random, startsAt)
  const made = {
    source: 'waitlist' as const,
    partySize,
    startsAt,
    durationMinutes: turnMinutes(rules, partySize),
    createdAt,
  }
  return {
    ...made,
    ...arrival,
    notes: bookingNote(random, {
      source: 'waitlist',
      partySize,
      serviceMinute: minute,
      month: Number(date.slice(5, 7)),
    }),
    tracked,
    ...outcomeOf(random, made),
  }
}

/**
 * Parties that wait for a full Friday or Saturday still to come: they called, and hear when somebody cancels. They are
 * there at any hour the demo is made; one or two have just been offered a table.
 */
export const waitingForWeekend = (
  random: Random,
  people: People,
  now: number,
  rules: BookingRules,
): WaitlistStory[] => {
  const today = wallAt(now).date
  const weekend = datesBetween(addDays(today, 1), addDays(today, 21))
    .filter((date) => [5, 6].includes(weekdayOf(date)) && openPeriodsOn(rules, date).length > 0)
    .slice(0, 2)
  return weekend.flatMap((date) =>
    Array.from({ length: 4 }, (_, party) => {
      const calledAt = lastOpenHour(now, now - random.integer(3 * hourMs, 60 * hourMs))
      const offered = party === 0 ? lastOpenHour(now, now - random.integer(3 * minuteMs, 9 * minuteMs)) : null
      const from = 18 * 60 + 30 * random.integer(0, 3)
      const { name, phone } = people.meet(true)
      return {
        date,
        partySize: random.pick([2, 2, 2, 4, 4, 3]),
        requestedTime: clockTimeAt(from + 30),
        windowStart: clockTimeAt(from),
        windowEnd: clockTimeAt(from + 120),
        source: 'staff' as const,
        notes: random.chance(0.4) ? random.pick(['Flexible on time', 'Birthday', 'Call the mobile']) : null,
        forLater: true,
        comingAt: null,
        quotedMinutes: null,
        createdAt: Math.min(calledAt, (offered ?? now) - random.integer(hourMs, 5 * hourMs)),
        quotedAt: null,
        pagedAt: offered,
        leftAt: null,
        ending: null,
        booking: null,
        guestName: name,
        phone,
      }
    }),
  )
}

/** The line of a full Friday or Saturday: minutes since they joined, guests, and by whom they were written down. */
const lineNow = [
  [26, 4, 'public'],
  [19, 2, 'staff'],
  [15, 2, 'public'],
  [11, 3, 'staff'],
  [6, 2, 'public'],
  [2, 4, 'public'],
] as const
/** From when to when such an evening has a line. */
const [lineFrom, lineUntil] = [18 * 60 + 30, 21 * 60 + 30]

/** Parties at the door, where the demo is made in the middle of a full evening. Two who joined by the page are on their way. */
export const waitingNow = (
  random: Random,
  people: People,
  now: number,
  rules: BookingRules,
): WaitlistStory[] => {
  const { date, time } = wallAt(now)
  const minute = minuteOfDay(time)
  const isFull = [5, 6].includes(weekdayOf(date)) && lineFrom <= minute && minute <= lineUntil
  if (!isFull || openPeriodsOn(rules, date).length === 0) return []
  return lineNow.map(([minutesAgo, partySize, source], place) => {
    const createdAt = now - minutesAgo * minuteMs - random.integer(0, 50_000)
    const { first, name, phone } = people.meet(true)
    return {
      date,
      partySize,
      requestedTime: null,
      windowStart: null,
      windowEnd: null,
      source,
      notes: place % 3 === 0 ? random.pick(requests) : null,
      forLater: false,
      comingAt: source === 'public' && place < 3 ? createdAt + 90_000 : null,
      quotedMinutes: 25 + 5 * place,
      createdAt,
      quotedAt: createdAt,
      pagedAt: null,
      leftAt: null,
      ending: null,
      booking: null,
      guestName: source === 'staff' ? first : name,
      phone,
    }
  })
}

/** The moment itself when somebody answers the phone then, else the evening before. */
const lastOpenHour = (now: number, moment: number): number => {
  const { date, time } = wallAt(moment)
  const minute = minuteOfDay(time)
  if (minute >= 600 && minute < 22 * 60) return moment
  const evening = momentAt(date, 21 * 60 + 40) + (moment % (10 * minuteMs))
  return evening <= now && minute >= 22 * 60 ? evening : evening - dayMs
}
