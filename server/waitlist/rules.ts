import type { BookingReason } from '@venue-data/contract/reasons.ts'
import { minuteInWords } from '../kernel/in-words.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import { clockTimeAt } from '../kernel/written-time.ts'
import { closedRefusal } from '../reservations/rules/closed-day.ts'
import { emptyDayAt } from '../reservations/rules/day.ts'
import { daysAhead } from '../reservations/rules/days-ahead.ts'
import { factsOf } from '../reservations/rules/evaluate.ts'
import { hours } from '../reservations/rules/hours.ts'
import { partySize } from '../reservations/rules/party-size.ts'
import {
  closedDay,
  openPeriodsOn,
  placeInBook,
  resolveService,
} from '../reservations/rules/resolve-service.ts'
import { momentOfServiceMinute, serviceDateAt } from '../reservations/rules/service-now.ts'
import type { BookingRules } from '../venue/booking-rules.ts'

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
  const periods = openPeriodsOn(rules, serviceDate)
  const place = time
    ? resolveService(rules, time)
    : placeInBook(rules, { serviceDate, serviceMinute: periods[0]?.startMinute ?? 0 })
  const facts = factsOf(emptyDayAt(rules, place), now, {
    date: time?.date ?? serviceDate,
    time: time?.time ?? clockTimeAt(place.serviceMinute),
    startsAt: now,
    partySize: guests,
    door: 'online',
  })
  const refusal = hours(facts) ?? partySize(facts)
  if (refusal) return refusal
  const tooFar = daysAhead(facts)
  if (tooFar) return waitlistClosed(tooFar.sentence)
  const today = serviceDateAt(rules, now)
  if (serviceDate < today) return waitlistClosed('That evening is over, so nobody can wait for it.')
  if (serviceDate > today) return undefined
  const last = Math.max(...periods.map(({ lastArrivalMinute, endMinute }) => lastArrivalMinute ?? endMinute))
  return Temporal.Instant.compare(now, momentOfServiceMinute(rules, serviceDate, last)) <= 0
    ? undefined
    : waitlistClosed(`The last arrival today was ${minuteInWords(last)}, so the waitlist is closed.`)
}

const waitlistClosed = (sentence: string): WaitRefusal => ({ reason: 'waitlist-closed', sentence })
