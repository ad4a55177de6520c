import { dateInWords } from '../kernel/calendar.ts'
import { badRequest } from '../kernel/refusal.ts'
import { floorToMinute, momentOfWall, wallTimeOf } from '../kernel/venue-clock.ts'
import {
  type ClockTime,
  type LocalDate,
  inRange,
  readDate,
  readMoment,
  readTime,
} from '../kernel/written-time.ts'

/** The three fields that may give a request's time; undefined or empty = not sent. */
export type WrittenWhen = {
  readonly date: string | undefined
  readonly time: string | undefined
  readonly startsAt: string | undefined
}

/** When a party arrives: the venue's calendar date and wall time, and the moment they mean. */
export type When = { readonly date: LocalDate; readonly time: ClockTime; readonly startsAt: Temporal.Instant }

/**
 * Reads when a request is for: a date and a time, or startsAt, or both if they agree. Throws 400 with one sentence
 * for anything missing, unreadable, contradictory, or not on the venue's clock. `now` only decides between the two
 * moments of a time that happens twice.
 */
export const readWhen = (written: WrittenWhen, zone: string, now: Temporal.Instant): When => {
  const date = written.date ? readAskedDate(written.date) : undefined
  const time = written.time ? readAskedTime(written.time) : undefined
  if (written.startsAt) return readStartsAt(written.startsAt, { date, time }, zone)
  if (!date && !time) throw badRequest('Send a date and a time, or startsAt.')
  if (!time) throw badRequest('The time is missing: send a time with the date, or send startsAt.')
  if (!date) throw badRequest('The date is missing: send a date with the time, or send startsAt.')
  const startsAt = momentOfWall({ date, time }, zone, now)
  if (!startsAt) {
    throw badRequest(`${time} does not exist on ${dateInWords(date)} at the venue: the clocks go forward.`)
  }
  if (!inRange(startsAt)) throw badRequest(unreadableDate)
  return { date, time, startsAt }
}

/** What a change says of the time: all of it, or only the date or the time, and the other stays. */
export type PartOfWhen = When | { readonly date: LocalDate } | { readonly time: ClockTime }

/** Reads what a change says of the time; undefined if nothing. Throws 400 as `readWhen`. */
export const readPartOfWhen = (
  written: WrittenWhen,
  zone: string,
  now: Temporal.Instant,
): PartOfWhen | undefined => {
  const { date, time, startsAt } = written
  if (startsAt || (date && time)) return readWhen(written, zone, now)
  if (date) return { date: readAskedDate(date) }
  return time ? { time: readAskedTime(time) } : undefined
}

/** The time that is meant of a booking that has one already. */
export const completeWhen = (
  part: PartOfWhen,
  { date, time }: { readonly date: LocalDate | null; readonly time: ClockTime | null },
  zone: string,
  now: Temporal.Instant,
): When =>
  'startsAt' in part
    ? part
    : readWhen({ date: date ?? undefined, time: time ?? undefined, startsAt: undefined, ...part }, zone, now)

const unreadableDate = 'The date must be a real day written YYYY-MM-DD, such as 2026-10-05.'
const unreadableStartsAt =
  'startsAt must be a date and time with a zone offset, such as 2026-10-05T19:00:00-04:00.'

const readAskedDate = (text: string): LocalDate => {
  const date = readDate(text)
  if (!date) throw badRequest(unreadableDate)
  return date
}

const readAskedTime = (text: string): ClockTime => {
  const time = readTime(text)
  if (!time) throw badRequest('The time cannot be read; write it like 19:00 or 7:00 PM.')
  return time
}

/** startsAt picks its own occurrence of a time that happens twice; a date or time sent with it must agree. */
const readStartsAt = (
  text: string,
  beside: { date: LocalDate | undefined; time: ClockTime | undefined },
  zone: string,
): When => {
  const moment = readMoment(text)
  const startsAt = moment && inRange(floorToMinute(moment))
  if (!startsAt) throw badRequest(unreadableStartsAt)
  const wall = wallTimeOf(startsAt, zone)
  if (!readDate(wall.date)) throw badRequest(unreadableStartsAt)
  if ((beside.date ?? wall.date) !== wall.date || (beside.time ?? wall.time) !== wall.time) {
    const shown = `${wall.time} on ${wall.date}`
    throw badRequest(`startsAt is ${shown} at the venue, but the date and time sent with it say otherwise.`)
  }
  return { ...wall, startsAt }
}
