import { addDays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, clockTimeAt, minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import { type BookingRules, defaultTurnMinutes } from '../rules/booking-rules.ts'
import { plannedPeriodsOn } from '../rules/resolve-service.ts'
import type { Span } from './assignment/evening.ts'
import type { Floor, FloorPlan } from '../rules/floor/floor.ts'

/*
 * Where one service date ends for tables and the next begins: at the start of its first service, as an instant. A party
 * that is there across that instant concerns both dates, so a judgment of it locks and reads both. Two parties that meet
 * at a table meet at some instant, so a write of one waits for the other.
 */

type Hours = Pick<BookingRules, 'periods' | 'specialDays' | 'timezone'>

/** The instant of a minute of a service date; one that the clocks skip is reached as they jump. */
export const instantOfMinute = (zone: string, date: LocalDate, minute: number): number =>
  momentWallReaches(
    { date: addDays(date, Math.floor(minute / minutesPerDay)), time: clockTimeAt(minute) },
    zone,
  ).epochMilliseconds

/** From when on a service date's tables are its own. */
export const startOfDay = (rules: Hours, date: LocalDate): number => {
  const starts = plannedPeriodsOn(rules, date).map(({ startMinute }) => startMinute)
  return instantOfMinute(rules.timezone, date, starts.length === 0 ? 0 : Math.min(...starts))
}

/** The service dates that a party concerns, in ascending order: its own, and a neighbor that it reaches into. */
export const daysConcerned = (rules: Hours, date: LocalDate, { from, until }: Span): LocalDate[] => [
  ...(from < startOfDay(rules, date) ? [addDays(date, -1)] : []),
  date,
  ...(until > startOfDay(rules, addDays(date, 1)) ? [addDays(date, 1)] : []),
]

/** The instant until which a party of this service date may be there, if it came by the end of the last service. */
export const endOfDay = (
  rules: Hours & Pick<BookingRules, 'turnTimes'>,
  date: LocalDate,
  turnoverMinutes: number,
): number => {
  const ends = plannedPeriodsOn(rules, date).map(({ endMinute }) => endMinute)
  const last = instantOfMinute(rules.timezone, date, Math.max(minutesPerDay, ...ends))
  const longest = Math.max(defaultTurnMinutes, ...rules.turnTimes.map(({ minutes }) => minutes))
  return last + (longest + turnoverMinutes) * minuteMs
}

const minuteMs = 60_000

/** A time at which a table takes nobody, and why: out of order, off by plan, or in a closed room. */
export type OffSpan = Span & {
  readonly because: 'outage' | 'plan' | 'room'
  /** What a manager wrote about the outage; null for all else. */
  readonly why: string | null
}

/** A closed room is closed on a day that is looked at, and for so many days around it: nobody is there longer. */
const closedDays = 7

/**
 * When each table takes nobody around a service date, by its id: out of order, in a room that is off, or off by plan on
 * this date or one next to it. In any order, and they may overlap.
 */
export const offSpans = (
  rules: Hours,
  floor: Floor,
  date: LocalDate,
): ReadonlyMap<number, readonly OffSpan[]> => {
  const spans = new Map<number, OffSpan[]>(floor.tables.map(({ id }) => [id, []]))
  const add = (table: number, span: OffSpan): void => void spans.get(table)?.push(span)
  const zone = rules.timezone
  for (const { table, fromDate, fromMinute, untilDate, untilMinute, why } of floor.outages) {
    const from = instantOfMinute(zone, fromDate, fromMinute)
    add(table, { from, until: instantOfMinute(zone, untilDate, untilMinute), because: 'outage', why })
  }
  const roomsOff = new Set(floor.rooms.filter(({ isOn }) => !isOn).map(({ id }) => id))
  const tablesOf = (plan: FloorPlan): readonly number[] =>
    plan.table !== null
      ? [plan.table]
      : floor.tables.filter(({ room }) => room === plan.room).map(({ id }) => id)
  const closed = {
    from: instantOfMinute(zone, addDays(date, -closedDays), 0),
    until: instantOfMinute(zone, addDays(date, closedDays), 0),
    because: 'room',
    why: null,
  } as const
  for (const { id, room } of floor.tables) if (roomsOff.has(room)) add(id, closed)
  for (const day of [addDays(date, -1), date, addDays(date, 1)]) {
    for (const plan of floor.plans.filter((plan) => isMeant(plan, day))) {
      const off = spansOff(rules, day, plan)
      for (const table of tablesOf(plan))
        for (const span of off) add(table, { ...span, because: 'plan', why: null })
    }
  }
  return spans
}

/**
 * The span as the engine that assigns tables gets it. A party needs its table while it rests, too, but not one that is about
 * to take nobody: so each span begins later by the time a table rests.
 */
export const unavailableSpans = (
  rules: Hours,
  floor: Floor,
  date: LocalDate,
): ReadonlyMap<number, readonly Span[]> => {
  const rest = floor.turnoverMinutes * minuteMs
  return new Map(
    [...offSpans(rules, floor, date)].map(([table, spans]) => [
      table,
      spans.map(({ from, until }) => ({ from: Math.min(from + rest, until - 1), until })),
    ]),
  )
}

const isMeant = ({ weekdays, from, to }: FloorPlan, date: LocalDate): boolean =>
  (weekdays.length === 0 || weekdays.includes(weekdayOf(date))) &&
  (from === null || from <= date) &&
  (to === null || date <= to)

/** A service, or the day from the end of last night's service to the end of its own. */
const spansOff = (rules: Hours, date: LocalDate, { service }: FloorPlan): Span[] => {
  const periods = plannedPeriodsOn(rules, date)
  const at = (minute: number): number => instantOfMinute(rules.timezone, date, minute)
  if (service !== null) {
    return periods
      .filter(({ name }) => name?.toLowerCase() === service.toLowerCase())
      .map(({ startMinute, endMinute }) => ({ from: at(startMinute), until: at(endMinute) }))
  }
  const lastNight = plannedPeriodsOn(rules, addDays(date, -1)).map(
    ({ endMinute }) => endMinute - minutesPerDay,
  )
  return [
    {
      from: at(Math.max(0, ...lastNight)),
      until: at(Math.max(minutesPerDay, ...periods.map(({ endMinute }) => endMinute))),
    },
  ]
}
