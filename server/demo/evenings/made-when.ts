import { addDays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { isSpecial } from './demand.ts'
import { daysAhead } from '../house-rules.ts'
import type { Random } from '../random.ts'
import { minuteMs, momentAt } from '../venue-time.ts'

/** Online at any hour, most over lunch and after work; by phone while somebody is in the house. */
const onlineHours = [
  [0, 0.12], [1, 0.05], [2, 0.02], [3, 0.01], [4, 0.01], [5, 0.04], [6, 0.15], [7, 0.4], [8, 0.7], [9, 0.9],
  [10, 1.1], [11, 1.3], [12, 1.5], [13, 1.3], [14, 1.1], [15, 1.1], [16, 1.2], [17, 1.3], [18, 1.2], [19, 1.1],
  [20, 1.2], [21, 1.1], [22, 0.8], [23, 0.4],
] as const // prettier-ignore
const phoneHours = [
  [10, 0.5], [11, 1.1], [12, 1.3], [13, 1], [14, 1.1], [15, 1.4], [16, 1.5], [17, 0.9], [18, 0.6], [19, 0.4],
  [20, 0.4], [21, 0.3],
] as const // prettier-ignore

/** Minutes before the arrival until which a table can still be had; online the house's notice and a little more. */
const latestOnline = 63
const latestByPhone = 20

export type Asked = {
  readonly serviceDate: LocalDate
  readonly serviceMinute: number
  readonly partySize: number
  readonly byPhone: boolean
  /** Minute of the service date at which online booking for it ends. */
  readonly cutoffMinute: number | null
}

/** When a table is booked: the same day or weeks ahead, earlier for large parties, weekends and special days. */
export const madeWhen = (random: Random, asked: Asked): number => {
  const { serviceDate, byPhone } = asked
  const days = leadDays(random, asked)
  const minute = days === 0 ? sameDayMinute(random, asked) : undefined
  const date = addDays(serviceDate, minute === undefined ? -Math.max(1, days) : 0)
  return withinMinute(random, momentAt(date, minute ?? minuteOfDay(random, byPhone)))
}

/** Some second of that minute: nothing real happens on the full minute. */
export const withinMinute = (random: Random, moment: number): number =>
  moment + random.integer(0, minuteMs - 1)

const leadDays = (random: Random, { serviceDate, partySize, byPhone }: Asked): number => {
  const reach =
    (weekdayOf(serviceDate) >= 5 ? 1.35 : 0.9) *
    (partySize >= 5 ? 1.7 : 1) *
    (isSpecial(serviceDate) ? 2.6 : 1) *
    (byPhone ? 0.75 : 1)
  if (random.chance(0.2 / reach)) return 0
  return Math.min(daysAhead, 1 + Math.floor(random.exponential(9.5 * reach)))
}

/** A minute before the arrival, and before the cut-off; undefined when the day leaves no time for it. */
const sameDayMinute = (
  random: Random,
  { serviceMinute, byPhone, cutoffMinute }: Asked,
): number | undefined => {
  const opens = byPhone ? 10 * 60 : 7 * 60
  const closes = Math.min(
    serviceMinute - (byPhone ? latestByPhone : latestOnline),
    byPhone ? Infinity : (cutoffMinute ?? Infinity) - 1,
    23 * 60 + 30,
  )
  if (closes - opens < 30) return undefined
  for (let tries = 0; tries < 12; tries++) {
    const minute = minuteOfDay(random, byPhone)
    if (opens <= minute && minute <= closes) return minute
  }
  return random.integer(opens, closes)
}

const minuteOfDay = (random: Random, byPhone: boolean): number =>
  random.weighted(byPhone ? phoneHours : onlineHours) * 60 + random.integer(0, 59)
