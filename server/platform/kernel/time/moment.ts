import type { Brand } from '../brand.ts'

/**
 * A moment as the contract prints it: ISO 8601 in UTC, whole milliseconds, `2026-10-05T19:00:00.000Z`.
 * One fixed width, so two moments compare as text. Rows carry moments in this form straight from the
 * database codec; `Temporal.Instant` is used where there is arithmetic.
 */
export type Moment = Brand<string, 'Moment'>

/** Prints an instant as a moment; anything below a millisecond is cut off. */
export const toMoment = (instant: Temporal.Instant): Moment =>
  instant.toString({ smallestUnit: 'millisecond' }) as Moment

export const toInstant = (moment: Moment): Temporal.Instant => Temporal.Instant.from(moment)

/** An instant so many milliseconds later, in whole ones: `add` does the same at three times the price. */
export const later = (instant: Temporal.Instant, milliseconds: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds + milliseconds)

/** The minute of a clock that an instant is in, from its start. */
export const minuteOf = (instant: Temporal.Instant): Temporal.Instant =>
  later(Temporal.Instant.fromEpochMilliseconds(0), Math.floor(instant.epochMilliseconds / 60_000) * 60_000)

/** PostgreSQL keeps moments as timestamptz(3) and rounds; the service cuts off first, so both agree. */
export const wholeMilliseconds = (instant: Temporal.Instant): Temporal.Instant => later(instant, 0)
