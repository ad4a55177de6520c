import type { Work } from '../../context.ts'
import { type Naming, inBody } from '../../platform/kernel/problem.ts'
import { dateInWords, timeInWords } from '../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { floorToMinute, momentOfWall, wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type ClockTime, type LocalDate, inRange, readDate } from '../../platform/kernel/time/written-time.ts'
import { type WrittenForm, writtenWhen } from '../../platform/kernel/time/written-when.ts'

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
 * moments of a time that happens twice, and `inPlace` says where the fields were sent.
 */
export const readWhen = (
  written: WrittenWhen,
  zone: string,
  now: Temporal.Instant,
  inPlace: Naming = inBody,
): When => {
  const date = readForm('date', written.date, inPlace)
  const time = readForm('time', written.time, inPlace)
  const moment = readForm('startsAt', written.startsAt, inPlace)
  if (moment) return meantBy(moment, { date, time }, zone, inPlace)
  if (!date && !time) throw badRequest('Send a date and a time, or startsAt.', inPlace('date', 'missing'))
  if (!time) {
    throw badRequest(
      'The time is missing: send a time with the date, or send startsAt.',
      inPlace('time', 'missing'),
    )
  }
  if (!date) {
    throw badRequest(
      'The date is missing: send a date with the time, or send startsAt.',
      inPlace('date', 'missing'),
    )
  }
  const startsAt = momentOfWall({ date, time }, zone, now)
  if (!startsAt) {
    throw badRequest(
      `${timeInWords(time)} does not exist on ${dateInWords(date)} at the venue: the clocks go forward.`,
      inPlace('time', 'out-of-range', 'clock-gap'),
    )
  }
  if (!inRange(startsAt)) throw unreadable('date', inPlace)
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
  if (written.startsAt || (written.date && written.time)) return readWhen(written, zone, now)
  const date = readForm('date', written.date, inBody)
  if (date) return { date }
  const time = readForm('time', written.time, inBody)
  return time ? { time } : undefined
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

type Read<F extends WrittenForm> = NonNullable<ReturnType<(typeof writtenWhen)[F]['read']>>

const readForm = <F extends WrittenForm>(
  form: F,
  text: string | undefined,
  inPlace: Naming,
): Read<F> | undefined => {
  if (!text) return undefined
  const read = writtenWhen[form].read(text)
  if (!read) throw unreadable(form, inPlace)
  return read as Read<F>
}

const unreadable = (form: WrittenForm, inPlace: Naming) =>
  badRequest(writtenWhen[form].sentence, inPlace(form, writtenWhen[form].fault))

/** startsAt picks its own occurrence of a time that happens twice; a date or time sent with it must agree. */
const meantBy = (
  startsAt: Temporal.Instant,
  beside: { date: LocalDate | undefined; time: ClockTime | undefined },
  zone: string,
  inPlace: Naming,
): When => {
  const wall = wallTimeOf(startsAt, zone)
  if (!readDate(wall.date)) throw unreadable('startsAt', inPlace)
  if ((beside.date ?? wall.date) !== wall.date || (beside.time ?? wall.time) !== wall.time) {
    const shown = `${wall.time} on ${wall.date}`
    throw badRequest(
      `startsAt is ${shown} at the venue, but the date and time sent with it say otherwise.`,
      inPlace('startsAt', 'out-of-range', 'field-conflict'),
    )
  }
  return { ...wall, startsAt }
}

/** This minute in the venue's local time, as an arrival. */
export const whenNow = ({ now, venue }: Pick<Work, 'now' | 'venue'>): When => {
  const startsAt = floorToMinute(now())
  return { ...wallTimeOf(startsAt, venue.timezone), startsAt }
}
