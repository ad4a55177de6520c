import { weekdayOf } from '../platform/kernel/time/calendar.ts'
import type { ClockTime, LocalDate } from '../platform/kernel/time/written-time.ts'

/** Ticketed evenings of the house: which, when, for how many, at what price. */
export type DemoEvent = {
  readonly name: string
  readonly capacity: number
  readonly priceCents: number
  readonly dates: readonly DemoOccurrence[]
}

export type DemoOccurrence = {
  readonly date: LocalDate
  readonly startTime: ClockTime
  readonly title: string | null
}

type Programme = Omit<DemoEvent, 'dates'> & {
  /** Whether it takes place on a date. */
  readonly on: (date: LocalDate) => boolean
  readonly starts: readonly (readonly [startTime: ClockTime, title: string | null])[]
}

/** Wine and cooking on Mondays, when the house is closed to others; jazz on Thursdays in the bar. */
const programme: readonly Programme[] = [
  {
    name: 'Burgundy Night',
    capacity: 24,
    priceCents: 18_500,
    on: (date) => isNth(date, 1, 2) && isMonth(date, 2, 5, 10, 12),
    starts: [
      ['18:00', 'Early seating'],
      ['20:30', 'Late seating'],
    ],
  },
  {
    name: 'Oysters & Muscadet',
    capacity: 26,
    priceCents: 6_500,
    on: (date) => isNth(date, 2, 1),
    starts: [['17:30', null]],
  },
  {
    name: 'Jazz at the Door',
    capacity: 34,
    priceCents: 2_500,
    on: (date) => isNth(date, 4, 1) || isNth(date, 4, 3),
    starts: [['21:00', null]],
  },
  {
    name: 'Pasta by Hand: a workshop',
    capacity: 14,
    priceCents: 9_500,
    on: (date) => isNth(date, 1, 3) && !isMonth(date, 7, 8, 12),
    starts: [['18:30', null]],
  },
  {
    name: 'The Winter Table',
    capacity: 20,
    priceCents: 14_500,
    on: (date) => isNth(date, 1, 4) && isMonth(date, 1, 11),
    starts: [['19:00', null]],
  },
  {
    name: 'The Summer Table',
    capacity: 20,
    priceCents: 13_500,
    on: (date) => isNth(date, 1, 4) && isMonth(date, 6, 8),
    starts: [['19:00', null]],
  },
  {
    name: 'Open House with the Growers',
    capacity: 40,
    priceCents: 0,
    on: (date) => isNth(date, 7, 2) && isMonth(date, 4, 9, 11, 1),
    starts: [['15:30', null]],
  },
]

/** The events with their occurrences on these dates; none that take place on no date. */
export const eventsOn = (dates: readonly LocalDate[]): DemoEvent[] =>
  programme
    .map(({ name, capacity, priceCents, on, starts }) => ({
      name,
      capacity,
      priceCents,
      dates: dates
        .filter((date) => on(date))
        .flatMap((date) => starts.map(([startTime, title]) => ({ date, startTime, title }))),
    }))
    .filter((event) => event.dates.length > 0)

const isNth = (date: LocalDate, weekday: number, nth: number): boolean =>
  weekdayOf(date) === weekday && Math.ceil(Number(date.slice(8)) / 7) === nth

const isMonth = (date: LocalDate, ...months: number[]): boolean => months.includes(Number(date.slice(5, 7)))
