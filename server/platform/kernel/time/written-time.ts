/** A calendar date as the contract writes it, `YYYY-MM-DD`; two of them compare as text. */
export type LocalDate = string

/** A time of day as the contract writes it, `HH:MM` from 00:00 to 23:59. */
export type ClockTime = string

export const minutesPerDay = 1440

/**
 * Reads a date: exactly `YYYY-MM-DD`, a real day, year 1 or later (PostgreSQL has no year 0).
 * Temporal alone would also take `20260210` and a date followed by a time.
 */
export const readDate = (text: string): LocalDate | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return undefined
  return succeeds(() => Temporal.PlainDate.from(text)) ? text : undefined
}

/**
 * Reads a time of day in the forms people and their software write: `19:00`, `7.30`, `19h00`, `1900`,
 * `19:00:00`, `7pm`, `7:30 p.m.`, `730pm`, `noon`. Refuses what could mean two things (`7`, `midnight`, `24:00`)
 * and anything followed by a zone.
 */
export const readTime = (text: string): ClockTime | undefined => {
  if (text.length > longestTime) return undefined
  const plain = text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  if (['noon', 'midday', '12 noon'].includes(plain)) return '12:00'
  const day = /^(\d{1,2})[:.h](\d{2})(?::[0-5]\d)?$/.exec(plain) ?? /^(\d{2})(\d{2})$/.exec(plain)
  if (day) return clockTimeOf(Number(day[1]), Number(day[2]))
  const half = /^(0?[1-9]|1[0-2])(?:[:.]?(\d{2}))? ?(a|p)(?:m|\.m\.)?$/.exec(plain)
  if (!half) return undefined
  return clockTimeOf((Number(half[1]) % 12) + (half[3] === 'p' ? 12 : 0), Number(half[2] ?? 0))
}

/**
 * Reads a moment: a date, a time and an offset from UTC (`Z`, `+02:00`, `+0200` or `+02`). A zone in brackets
 * behind it is tolerated and the offset wins. Undefined without an offset, and outside the years 1 to
 * 9999 that PostgreSQL and the contract's form can hold.
 */
export const readMoment = (text: string): Temporal.Instant | undefined => {
  const written = momentForm.exec(text)?.[1]
  if (written === undefined) return undefined
  return succeeds(() => inRange(Temporal.Instant.from(written)))
}

/** Like `readMoment`, for a query string. */
export const readQueryMoment = (text: string): Temporal.Instant | undefined => readMoment(withPlus(text))

/** A moment as it was written before a query string took the raw `+` of its offset for a space. */
export const withPlus = (text: string): string =>
  // No moment is longer, and what is looked for here takes time that grows with the square.
  text.length > 200
    ? text
    : text.replace(/(:\d{2}(?:[.,]\d{1,9})?) (\d{2}(?::?\d{2})?(?:\[[^\]]*\])?)$/, '$1+$2')

/** The moment itself when its UTC form has a four-digit year from 0001, else undefined. */
export const inRange = (moment: Temporal.Instant): Temporal.Instant | undefined =>
  moment.epochMilliseconds >= firstMs && moment.epochMilliseconds <= lastMs ? moment : undefined

/** Minutes after 00:00 of a time of day: `19:30` is 1170. */
export const minuteOfDay = (time: ClockTime): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The time of day at a minute counted from 00:00, also on the following days: 1470 is `00:30`. */
export const clockTimeAt = (minute: number): ClockTime => {
  const ofDay = minute % minutesPerDay
  return `${twoDigits(Math.floor(ofDay / 60))}:${twoDigits(ofDay % 60)}`
}

const longestTime = 40

const momentForm =
  /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?))(?:\[[A-Za-z0-9_+:/-]{1,64}\])?$/

const firstMs = Temporal.Instant.from('0001-01-01T00:00:00Z').epochMilliseconds
const lastMs = Temporal.Instant.from('9999-12-31T23:59:59.999999999Z').epochMilliseconds

const twoDigits = (number: number): string => String(number).padStart(2, '0')

const clockTimeOf = (hour: number, minute: number): ClockTime | undefined =>
  hour < 24 && minute < 60 ? `${twoDigits(hour)}:${twoDigits(minute)}` : undefined

/** What `read` returns, or undefined where it throws a RangeError, Temporal's "no such date or time". */
const succeeds = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
