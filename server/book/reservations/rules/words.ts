import { addDays, weekdayName, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { dayInWords, minuteInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import type { Bucket, Facts } from '../../day/facts.ts'

/**
 * Explains both days of an arrival after midnight before a sentence about its service, which would otherwise name a
 * day or time the guest did not ask for.
 */
export const ofService = ({ request, place }: Pick<Facts, 'request' | 'place'>, sentence: string): string => {
  if (place.serviceMinute < minutesPerDay) return sentence
  const eveningEnds = minutesPerDay + 6 * 60
  const day = weekdayName(weekdayOf(place.serviceDate))
  const service = place.serviceMinute < eveningEnds ? `${day} evening's service` : `${day}'s service`
  return `${timeInWords(request.time)} on ${dayInWords(request.date)} belongs to ${service}. ${sentence}`
}

/** "between 17:00 and 22:00": a span of service minutes in local time. */
export const between = (fromMinute: number, toMinute: number): string =>
  `between ${minuteInWords(fromMinute)} and ${minuteInWords(toMinute)}`

/** "Thursday 8 October": the calendar day on which a minute of a service date falls. */
export const dayOfMinute = (serviceDate: string, minute: number): string =>
  dayInWords(addDays(serviceDate, Math.floor(minute / minutesPerDay)))

/** "19:00": the time at which a bucket of arrivals begins. */
export const slotTime = ({ fromMinute }: Bucket): string => minuteInWords(fromMinute)

/** "1 place", "2 places". */
export const counted = (count: number, singular: string): string =>
  `${count} ${count === 1 ? singular : `${singular}s`}`
