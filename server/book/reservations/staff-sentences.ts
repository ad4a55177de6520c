import type { ReservationSource } from '@venue-data/contract/records/reservation.ts'
import type { BookingReason } from '@venue-data/contract/reasons.ts'
import { listInWords, weekdayName, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import {
  dayNear,
  dayInWords,
  minuteInWords,
  timeInWords,
  timeOf,
} from '../../platform/kernel/time/in-words.ts'
import { endSentence, withoutStop } from '../../platform/kernel/sentence.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Facts } from '../day/facts.ts'
import { noTableSentence } from '../tables/offered/open-tables.ts'
import { type ClosedDay, openPeriodsOn } from '../rules/resolve-service.ts'
import { whyNotExperience } from './rules/experience.ts'
import { counted, slotTime } from './rules/words.ts'

/**
 * What each rule says to staff. Guests learn what to do instead ("please call"); the person who answers the phone needs
 * to know which house rule it is.
 */
export const staffSentences: Record<BookingReason, (facts: Facts) => string> = {
  'in-the-past': ({ rules, clock, request: { date, time } }) => {
    const now = wallTimeOf(clock, rules.timezone)
    return `${date === now.date ? timeInWords(time) : `${timeInWords(time)} on ${dayNear(date, now.date)}`} has passed: it is ${timeInWords(now.time)} now.`
  },
  closed: ({ rules, clock, place: { closed, serviceDate } }) =>
    closedInStaffWords(
      closed ?? { by: 'weekday', date: serviceDate },
      wallTimeOf(clock, rules.timezone).date,
    ),
  'outside-hours': ({ rules, place }) => {
    const spans = openPeriodsOn(rules, place.serviceDate)
      .toSorted((a, b) => a.startMinute - b.startMinute)
      .map(({ startMinute, endMinute }) => `${minuteInWords(startMinute)} to ${minuteInWords(endMinute)}`)
    return `Outside opening hours: ${dayInWords(place.serviceDate)} is open ${listInWords(spans)}.`
  },
  blocked: ({ rules, place: { serviceDate, serviceMinute } }) => {
    const found = rules.blocks.find(
      (block) =>
        block.scope === 'all' &&
        block.serviceDate === serviceDate &&
        block.fromMinute <= serviceMinute &&
        serviceMinute < block.toMinute,
    )
    if (!found) return 'This time is blocked.'
    const note = found.publicNote === null ? '' : `: ${found.publicNote}`
    return endSentence(
      `Blocked from ${minuteInWords(found.fromMinute)} to ${minuteInWords(found.toMinute)}${note}`,
    )
  },
  'same-day-cutoff': ({ limits }) =>
    `Same-day bookings closed at ${minuteInWords(limits.sameDayCutoffMinute ?? 0)}.`,
  'party-too-small': ({ limits }) => `This service takes parties of ${limits.minParty} or more.`,
  'party-too-large': ({ limits }) => `This service takes parties of up to ${limits.maxParty}.`,
  'too-short-notice': ({ rules }) =>
    `Less than the required notice of ${counted(rules.minNoticeMinutes, 'minute')}.`,
  'too-far-ahead': ({ rules }) => `Bookings open only ${counted(rules.maxDaysAhead ?? 0, 'day')} ahead.`,
  'after-last-arrival': ({ place }) =>
    `After the last arrival, ${minuteInWords(place.period?.lastArrivalMinute ?? 0)}.`,
  'not-a-seating-time': ({ place }) => {
    const times = (place.period?.seatingMinutes ?? []).toSorted((a, b) => a - b).map(minuteInWords)
    return `Not a seating time. ${times.length === 1 ? 'The seating is' : 'Seatings are'} ${listInWords(times)}.`
  },
  'pacing-covers-full': (facts) => {
    const takes = counted(facts.limits.pacing.maxCovers ?? 0, 'guest')
    return `${slotWords(facts.bucket)} takes ${takes}${heldWords(facts, 'covers')}.`
  },
  'pacing-parties-full': (facts) => {
    const most = facts.limits.pacing.maxParties ?? 0
    const takes = most === 1 ? '1 party' : `${most} parties`
    return `${slotWords(facts.bucket)} takes ${takes}${heldWords(facts, 'parties')}.`
  },
  'experience-full': (facts) => {
    const why = whyNotExperience(facts)
    const name = why?.one ? `“${why.one.name}”` : 'What was chosen'
    return why?.kind === 'full'
      ? `${name} is for ${why.most === 1 ? '1 party' : `${why.most} parties`} an evening.`
      : `${name} is not offered at that time to a party of this size.`
  },
  // A party that sits down early needs its table from then on, not from its booked time.
  'tables-full': ({ request, floor, rules }) =>
    noTableSentence(floor, { ...request, time: wallTimeOf(request.startsAt, rules.timezone).time }),
}

/** The same in a few words, for a list of them. */
export const staffLabels: Readonly<Record<BookingReason, string>> = {
  'in-the-past': 'In the past',
  closed: 'Closed',
  'outside-hours': 'Outside the hours',
  blocked: 'Blocked',
  'same-day-cutoff': 'Closed for today',
  'party-too-small': 'Party too small',
  'party-too-large': 'Party too large',
  'too-short-notice': 'Too short notice',
  'too-far-ahead': 'Too far ahead',
  'after-last-arrival': 'After the last arrival',
  'not-a-seating-time': 'No seating time',
  'pacing-covers-full': 'No room for the guests',
  'pacing-parties-full': 'No room for the party',
  'tables-full': 'No table free',
  'experience-full': 'Experience full',
}

/** Notice, the day's cut-off and how far ahead: what a venue asks of guests online. Staff are warned, not stopped. */
const bindGuestsOnly: readonly string[] = [
  'too-short-notice',
  'same-day-cutoff',
  'too-far-ahead',
] satisfies BookingReason[]
export const bindsGuestsOnly = (reason: string): boolean => bindGuestsOnly.includes(reason)

/** Why there is no service on a day, to staff: what a page shows in place of times, and what a refusal says. */
export const closedInStaffWords = (closed: ClosedDay, today: LocalDate): string => {
  if (closed.by === 'no-hours')
    return 'No weekly opening hours are set; a manager can enter them under Settings, Hours.'
  if (closed.by === 'weekday') return `There is no service on ${weekdayName(weekdayOf(closed.date))}s.`
  return `Closed on ${dayNear(closed.date, today)}${closed.name === null ? '' : ` (${withoutStop(closed.name)})`}.`
}

/** "; 2 held online until 18:42": what may be free again in a moment. */
const heldWords = ({ load: { held }, rules }: Facts, of: 'covers' | 'parties'): string =>
  held ? `; ${held[of]} held online until ${timeOf(held.until, rules.timezone)}` : ''

const slotWords = (bucket: Facts['bucket']): string => (bucket ? `The ${slotTime(bucket)} slot` : 'The slot')

/** How a booking came; an unknown source by its own name. */
export const sourceWords = (source: string): string =>
  source in sources ? sources[source as ReservationSource] : source

const sources: Record<ReservationSource, string> = {
  public: 'Booking page',
  staff: 'By staff',
  walkin: 'Walk-in',
  waitlist: 'Waitlist',
  automation: 'Integration',
}
