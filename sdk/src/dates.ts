/*
 * Dates of the API stay text: `2026-11-27` and `19:30` follow the venue's calendar and clock, and moments are in UTC.
 * These turn them into objects to calculate with: Temporal, if the runtime has it, or Date.
 */

type Temporals = typeof globalThis extends { Temporal: infer T } ? T : never
type Of<Name extends string> = Temporals extends Record<Name, { from(text: string): infer T }> ? T : never

/** A moment, such as `createdAt`. */
export type Instant = Of<'Instant'>
/** A moment on a clock in a time zone. */
export type ZonedDateTime = Of<'ZonedDateTime'>

/** When a party arrives, by the venue's calendar and clock: in a reservation, a waitlist entry or an open time. */
export type Arrival = { readonly date: string | null; readonly time: string | null }

/** `undefined` if the date or time may be missing. */
type Where<A extends Arrival, T> = A extends { readonly date: string; readonly time: string }
  ? T
  : T | undefined

/**
 * A moment as a Temporal.Instant.
 *
 * @throws TypeError if the runtime has no Temporal
 * @example
 * toInstant('2026-11-20T12:28:12.500Z').epochMilliseconds // 1795177692500
 */
export const toInstant = (moment: string): Instant => temporal().Instant.from(moment) as Instant

/**
 * An arrival as a Temporal.ZonedDateTime; `undefined` without a date and a time. A time that comes twice when the
 * clocks go back means the earlier.
 *
 * @throws TypeError if the runtime has no Temporal
 * @example
 * toZonedDateTime({ date: '2026-11-27', time: '19:30' }, 'America/New_York').toString() // '2026-11-27T19:30:00-05:00[America/New_York]'
 */
export const toZonedDateTime = <A extends Arrival>(
  { date, time }: A,
  timezone: string,
): Where<A, ZonedDateTime> =>
  (date === null || time === null
    ? undefined
    : temporal().ZonedDateTime.from(`${date}T${time}[${timezone}]`)) as Where<A, ZonedDateTime>

/**
 * An arrival as a Date; `undefined` without a date and a time.
 *
 * @example
 * toDate({ date: '2026-11-27', time: '19:30' }, 'America/New_York').toISOString() // '2026-11-28T00:30:00.000Z'
 */
export const toDate = <A extends Arrival>({ date, time }: A, timezone: string): Where<A, Date> =>
  (date === null || time === null ? undefined : dateOf(Date.parse(`${date}T${time}Z`), timezone)) as Where<
    A,
    Date
  >

/**
 * The venue's calendar date and clock time of a moment.
 *
 * @example
 * toArrival(new Date('2026-11-28T00:30:00Z'), 'America/New_York') // { date: '2026-11-27', time: '19:30' }
 */
export const toArrival = (moment: Date, timezone: string): { date: string; time: string } => {
  const text = new Date(moment.getTime() + aheadMs(moment.getTime(), timezone)).toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 16) }
}

/** Converts a zone's clock time, given as if it were UTC, to the actual moment. */
const dateOf = (wall: number, timezone: string): Date => {
  // The clocks' offsets a day before and a day after: one of the two applies, the earlier moment first.
  const [before, after] = [wall - dayMs, wall + dayMs].map((moment) => aheadMs(moment, timezone)) as [
    number,
    number,
  ]
  const fits = [wall - before, wall - after].find((moment) => moment + aheadMs(moment, timezone) === wall)
  // A time that the clocks skip: later by as much as they go forward.
  return new Date(fits ?? wall - before)
}

const dayMs = 86_400_000

/** A zone's offset from UTC at a moment. */
const aheadMs = (moment: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
  }).formatToParts(moment)
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(moment / 1000) * 1000
}

type Parser = { from(text: string): unknown }

const temporal = (): { Instant: Parser; ZonedDateTime: Parser } => {
  const { Temporal: here } = globalThis as { Temporal?: { Instant: Parser; ZonedDateTime: Parser } }
  if (!here) throw new TypeError('This runtime has no Temporal yet: use toDate, or load a polyfill.')
  return here
}
