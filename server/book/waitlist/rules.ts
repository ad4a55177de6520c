import type { BookingReason } from '@venue-data/contract/reasons.ts'
import { minuteInWords } from '../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import { closedRefusal } from '../reservations/rules/closed-day.ts'
import { emptyDayAt } from '../day/day.ts'
import { daysAhead } from '../reservations/rules/days-ahead.ts'
import { factsOf } from '../reservations/rules/evaluate.ts'
import { hours } from '../reservations/rules/hours.ts'
import { partySize } from '../reservations/rules/party-size.ts'
import {
  type Place,
  closedDay,
  openPeriodsOn,
  placeInBook,
  resolveService,
} from '../rules/resolve-service.ts'
import { momentOfServiceMinute, serviceDateAt } from '../rules/service-now.ts'
import type { BookingRules } from '../rules/booking-rules.ts'

export type WaitAsked = {
  readonly serviceDate: LocalDate
  /** The time they can come from; null: whenever there is a table. */
  readonly time: { readonly date: LocalDate; readonly time: string } | null
  readonly partySize: number
}

export type WaitRefusal = { readonly reason: BookingReason | 'waitlist-closed'; readonly sentence: string }

/**
 * Why a party that nobody at the venue speaks for cannot wait: the day, the time and the size are judged as those of a
 * booking, and the evening must not be over. Full slots are what a waitlist is for.
 */
export const whyNotWait = (
  rules: BookingRules,
  now: Temporal.Instant,
  { serviceDate, time, partySize: guests }: WaitAsked,
): WaitRefusal | undefined => {
  const day = closedDay(rules, serviceDate)
  if (day) return closedRefusal(day)
  const periods = openPeriodsOn(rules, serviceDate).map((period) => ({
    ...period,
    last: period.lastArrivalMinute ?? period.endMinute,
  }))
  const isOver = ({ last }: { readonly last: number }): boolean =>
    Temporal.Instant.compare(now, momentOfServiceMinute(rules, serviceDate, last)) > 0
  const factsAt = (place: Place) =>
    factsOf(emptyDayAt(rules, place), now, {
      date: time?.date ?? serviceDate,
      time: time?.time ?? clockTimeAt(place.serviceMinute),
      startsAt: now,
      partySize: guests,
      door: 'online',
    })
  // Whoever comes at any time may wait if one of the services that are left takes them: each has its own sizes.
  const left = periods.filter((period) => !isOver(period))
  const services = (left.length > 0 ? left : periods).map(({ startMinute }) => startMinute)
  const places = time
    ? [resolveService(rules, time)]
    : services.map((serviceMinute) => placeInBook(rules, { serviceDate, serviceMinute }))
  const asked = places.map(factsAt)
  const refusals = asked.map((facts) => hours(facts) ?? partySize(facts))
  const [refusal] = refusals
  if (refusal && !refusals.includes(undefined)) return refusal
  const tooFar = asked[0] && daysAhead(asked[0])
  if (tooFar) return waitlistClosed(tooFar.sentence)
  const today = serviceDateAt(rules, now)
  if (serviceDate < today) return waitlistClosed('That evening is over, so nobody can wait for it.')
  if (serviceDate > today) return undefined
  if (left.length > 0) return undefined
  const last = Math.max(...periods.map((period) => period.last))
  return waitlistClosed(`The last arrival today was ${minuteInWords(last)}, so the waitlist is closed.`)
}

const waitlistClosed = (sentence: string): WaitRefusal => ({ reason: 'waitlist-closed', sentence })
