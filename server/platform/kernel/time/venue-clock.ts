import { dayNumber } from './calendar.ts'
import { remember } from '../running/remember.ts'
import { type ClockTime, type LocalDate, clockTimeAt, minuteOfDay, minutesPerDay } from './written-time.ts'

/** What the clock on the venue's wall shows: a calendar date and a time, to the minute. */
export type WallTime = { readonly date: LocalDate; readonly time: ClockTime }

/**
 * The moments a wall time can mean. They differ only on the night the clocks go back, when the same
 * wall time happens twice; `undefined` (see `momentsOfWall`) is the night it does not happen at all.
 */
export type WallMoments = { readonly earlier: Temporal.Instant; readonly later: Temporal.Instant }

/** Cuts off seconds: the venue's clock, and every moment compared with it, counts in whole minutes. */
export const floorToMinute = (instant: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant.epochMilliseconds / minuteMs) * minuteMs)

const minuteMs = 60_000

/** The venue's wall at an instant. */
export const wallTimeOf = (instant: Temporal.Instant, zone: string): WallTime => {
  const wall = instant.toZonedDateTimeISO(zone).toPlainDateTime()
  return {
    date: wall.toPlainDate().toString(),
    time: wall.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
}

/** "-05:00": how far the wall that shows this at that moment is from UTC. */
export const offsetFromUtc = ({ date, time }: WallTime, moment: Temporal.Instant): string => {
  const wallMinutes = dayNumber(date) * minutesPerDay + minuteOfDay(time)
  const minutes = Math.round(wallMinutes - moment.epochMilliseconds / minuteMs)
  return `${minutes < 0 ? '-' : '+'}${clockTimeAt(Math.abs(minutes))}`
}

/**
 * Both moments of a wall time, or undefined when the clocks jump over it.
 * Temporal's own choices would move such a time silently, so its answer is compared with the question.
 */
export const momentsOfWall = ({ date, time }: WallTime, zone: string): WallMoments | undefined => {
  const start = startOfEvenDay(date, zone)
  if (start !== null) {
    const moment = Temporal.Instant.fromEpochMilliseconds(start + minuteOfDay(time) * minuteMs)
    return { earlier: moment, later: moment }
  }
  const asked = Temporal.PlainDateTime.from(`${date}T${time}`)
  const earlier = asked.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (!earlier.toPlainDateTime().equals(asked)) return undefined
  const later = asked.toZonedDateTime(zone, { disambiguation: 'later' })
  return { earlier: earlier.toInstant(), later: later.toInstant() }
}

/** The moment a date begins at which no clock is changed all day, where counting minutes is enough; else null. */
const startOfEvenDay = (date: LocalDate, zone: string): number | null =>
  evenDays.getOr(`${date} ${zone}`, () => {
    const asked = Temporal.PlainDate.from(date)
    const start = asked.toZonedDateTime(zone)
    // A zone that crosses the date line skips a whole day: what Temporal gives is the start of the next one.
    if (!start.toPlainDate().equals(asked)) return null
    const end = start.epochMilliseconds + minutesPerDay * minuteMs
    const change = start.getTimeZoneTransition('next')
    const isEven = start.hour === 0 && start.minute === 0 && (!change || change.epochMilliseconds > end)
    return isEven ? start.epochMilliseconds : null
  })

/** Days asked for again and again: those ahead of us, in a zone or two. Asking Temporal costs as much as a hundred of them. */
const evenDays = remember<string, number | null>(2_000)

/**
 * The moment a guest means by a wall time: the earlier one, unless that has passed and the later one
 * has not. Undefined when the wall time does not exist.
 */
export const momentOfWall = (
  wall: WallTime,
  zone: string,
  clock: Temporal.Instant,
): Temporal.Instant | undefined => {
  const moments = momentsOfWall(wall, zone)
  if (!moments || moments.earlier === moments.later) return moments?.earlier
  const hasPassed = (moment: Temporal.Instant) => Temporal.Instant.compare(moment, floorToMinute(clock)) < 0
  return hasPassed(moments.earlier) && !hasPassed(moments.later) ? moments.later : moments.earlier
}

/**
 * The moment the wall first reaches a time, for deadlines such as the same-day cut-off: a time the
 * clocks jump over is reached as they jump.
 */
export const momentWallReaches = ({ date, time }: WallTime, zone: string): Temporal.Instant => {
  const moments = momentsOfWall({ date, time }, zone)
  if (moments) return moments.earlier
  const beforeJump = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, {
    disambiguation: 'earlier',
  })
  const jump = beforeJump.getTimeZoneTransition('next')
  return (jump ?? beforeJump).toInstant()
}

/**
 * Whether a text is the IANA name of a zone with its own clock changes. Offsets (`+02:00`) and fixed
 * abbreviations (`EST`) are refused: they know no summer time. `supportedValuesOf` lists only one name
 * per zone, so a newer name of a listed zone (Asia/Kolkata, Europe/Kyiv) is looked up by that zone.
 */
export const isZoneName = (text: string): boolean => {
  const listed = Intl.supportedValuesOf('timeZone')
  if (text === 'UTC' || listed.includes(text)) return true
  if (!/^[A-Z][A-Za-z_]+\/[A-Za-z0-9_+/-]+$/.test(text) || text.startsWith('Etc/')) return false
  try {
    const named = new Temporal.ZonedDateTime(0n, text).timeZoneId
    return (
      named === text &&
      listed.includes(new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone)
    )
  } catch {
    return false
  }
}
