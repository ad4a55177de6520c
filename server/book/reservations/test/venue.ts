import { momentOfWall } from '../../../platform/kernel/time/venue-clock.ts'
import {
  type BookingRules,
  type ServicePeriod,
  type WeeklyPeriod,
  defaultRules,
} from '../../rules/booking-rules.ts'
import { floorOfDay } from '../../day/day-floor.ts'
import type { Experience } from '../../rules/experiences/written-experience.ts'
import type { Floor } from '../../rules/floor/floor.ts'
import { dayAt } from '../../day/day.ts'
import { collectAll, evaluate } from '../rules/evaluate.ts'
import type { BookingRequest, FloorOf, Load, LoadOf } from '../../day/facts.ts'
import { resolveService } from '../../rules/resolve-service.ts'

/*
 * Makers for the tests of the rules: a valid venue, request and moment; a test changes what matters.
 * October 2026: the 5th is a Monday, the 9th a Friday, the 11th a Sunday.
 */
export const newYork = 'America/New_York'

export const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text)

/** An evening service 17:00–22:00 without settings of its own. */
export const aPeriod = (changes: Partial<ServicePeriod> = {}): ServicePeriod => ({
  name: 'Dinner',
  startMinute: 1020,
  endMinute: 1320,
  lastArrivalMinute: null,
  seatingMinutes: [],
  sameDayCutoffMinute: null,
  minParty: null,
  maxParty: null,
  pacing: { intervalMinutes: null, maxCovers: null, maxParties: null },
  ...changes,
})

export const onWeekday = (weekday: number, changes: Partial<ServicePeriod> = {}): WeeklyPeriod => ({
  weekday,
  ...aPeriod(changes),
})

/** Dinner Tuesday to Thursday, until 02:00 on Friday and Saturday, Brunch on Sunday, closed on Monday. */
export const aWeek: readonly WeeklyPeriod[] = [
  ...[2, 3, 4].map((weekday) => onWeekday(weekday)),
  ...[5, 6].map((weekday) => onWeekday(weekday, { endMinute: 1560 })),
  onWeekday(7, { name: 'Brunch', startMinute: 600, endMinute: 900 }),
]

export const someRules = (changes: Partial<BookingRules> = {}): BookingRules => ({
  ...defaultRules,
  timezone: newYork,
  phone: '+1 212 555 0100',
  floor: null,
  periods: aWeek,
  ...changes,
})

/** A wall time at the venue, as the moment a guest would mean by it. */
export const at = (date: string, time: string, zone = newYork): Temporal.Instant => {
  const moment = momentOfWall({ date, time }, zone, instant('1970-01-01T00:00:00Z'))
  if (!moment) throw new Error(`${date} ${time} does not exist in ${zone}`)
  return moment
}

/** Two guests, online. */
export const aRequest = (
  date: string,
  time: string,
  changes: Partial<BookingRequest> & { zone?: string } = {},
): BookingRequest => {
  const { zone, ...rest } = changes
  return { date, time, startsAt: at(date, time, zone), partySize: 2, door: 'online', ...rest }
}

/** The counter of the kitchen, for anybody at any time, which asks nothing. */
export const anExperience = (changes: Partial<Experience> = {}): Experience => ({
  ...{ key: 'chefs-counter', name: 'Chef’s counter', texts: [], services: [], weekdays: [] },
  ...{ from: null, to: null, partyFrom: 1, partyTo: null, mostPerEvening: null },
  ...{ asks: 'nothing', amountCents: null, per: 'guest', freeUntilHours: 24, feeCents: 0, taxRate: 0 },
  ...changes,
})

/** An empty room with these tables: so many seats each. */
export const aFloor = (...seats: readonly number[]): Floor => ({
  turnoverMinutes: 0,
  rooms: [{ id: 1, name: 'Dining room', isOn: true }],
  tables: seats.map((most, n) => ({
    id: n + 1,
    room: 1,
    label: String(n + 1),
    least: 1,
    most,
    shape: 'square',
    x: 0,
    y: 0,
    online: true,
    priority: 0,
    features: [],
  })),
  drawn: [],
  combinations: [],
  outages: [],
  plans: [],
  sectionPlans: [],
  shifts: [],
})

/** The tables of any day with nobody in the book, where the rules have tables. */
export const emptyFloors =
  (rules: BookingRules, clock: Temporal.Instant): FloorOf =>
  (serviceDate) =>
    rules.floor ? floorOfDay({ ...rules, floor: rules.floor }, serviceDate, [], clock) : undefined

export const nobody: LoadOf = () => ({ covers: 0, parties: 0 })

/** The same load for every bucket. */
export const loadOf =
  (load: Partial<Load>): LoadOf =>
  () => ({ covers: 0, parties: 0, ...load })

/** `evaluate` of a request where it lands. */
export const judge = (rules: BookingRules, clock: Temporal.Instant, request: BookingRequest, load: LoadOf) =>
  evaluate(dayAt(rules, resolveService(rules, request), load, emptyFloors(rules, clock)), clock, request)

/** `collectAll`, likewise. */
export const judgeAll = (
  rules: BookingRules,
  clock: Temporal.Instant,
  request: BookingRequest,
  load: LoadOf,
) => collectAll(dayAt(rules, resolveService(rules, request), load, emptyFloors(rules, clock)), clock, request)
