import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { momentOfWall } from '../../../platform/kernel/time/venue-clock.ts'
import {
  type LocalDate,
  clockTimeAt,
  inRange,
  minutesPerDay,
} from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules, ServicePeriod } from '../../rules/booking-rules.ts'
import type { When } from '../../day/when.ts'
import { closedRefusal } from './closed-day.ts'
import { dayAt } from '../../day/day.ts'
import { type Evaluation, evaluateAt, readClock } from './evaluate.ts'
import type { BookingRefusal, BookingRequest, Day, FloorOf, LoadOf } from '../../day/facts.ts'
import { type Place, closedDay, openPeriodsOn, resolveService } from '../../rules/resolve-service.ts'

/** A time to show in the picker, where it is in the book, and the answer a request for it would get now. */
export type Slot = When & { readonly place: Place; readonly day: Day; readonly evaluation: Evaluation }

export type OpenTimes = {
  /** Why the day has no slots at all; null on a day with services. */
  readonly closed: BookingRefusal | null
  /** In order of arrival; after midnight they carry the next calendar date. */
  readonly slots: readonly Slot[]
}

/**
 * The times of a service date: its seatings, or a slot every `slotStepMinutes` from each period's start.
 * Every slot is checked by `evaluate`, so the picker and the request that follows cannot differ. Times that cannot be
 * asked for are left out: those the clocks skip, and what lies beyond the last year.
 */
export const openTimes = (
  rules: BookingRules,
  clock: Temporal.Instant,
  asked: { serviceDate: LocalDate } & Pick<BookingRequest, 'partySize' | 'door'>,
  load: LoadOf,
  floorOf?: FloorOf,
): OpenTimes => {
  const { serviceDate, partySize, door } = asked
  const closed = closedDay(rules, serviceDate)
  const now = readClock(rules, clock)
  const slots = openPeriodsOn(rules, serviceDate)
    .toSorted((a, b) => a.startMinute - b.startMinute)
    .flatMap((period) => minutesShown(period, rules.slotStepMinutes))
    .flatMap((minute) => whenOfMinute(serviceDate, minute, rules.timezone, clock))
    .map((when) => {
      const place = resolveService(rules, when)
      const day = dayAt(rules, place, load, floorOf)
      return { ...when, place, day, evaluation: evaluateAt(now, day, { ...when, partySize, door }) }
    })
  return { closed: closed && closedRefusal(closed), slots }
}

const minutesShown = (period: ServicePeriod, step: number): readonly number[] => {
  if (period.seatingMinutes.length > 0) return period.seatingMinutes.toSorted((a, b) => a - b)
  const slots = Math.ceil((period.endMinute - period.startMinute) / step)
  return Array.from({ length: slots }, (_, slot) => period.startMinute + slot * step)
}

/** The moment of a minute of a service date; none where the clock skips it. */
export const whenOfMinute = (
  serviceDate: LocalDate,
  minute: number,
  zone: string,
  clock: Temporal.Instant,
): readonly When[] => {
  const wall = { date: addDays(serviceDate, Math.floor(minute / minutesPerDay)), time: clockTimeAt(minute) }
  const startsAt = momentOfWall(wall, zone, clock)
  return startsAt && inRange(startsAt) ? [{ ...wall, startsAt }] : []
}
