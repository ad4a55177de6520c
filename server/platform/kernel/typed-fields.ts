import { limits } from '@venue-data/contract/limits.ts'
import { emailRule, isEmailAddress } from './email.ts'
import { timeInWords } from './time/in-words.ts'
import { inBody } from './problem.ts'
import { badRequest } from './refusal.ts'
import { momentWallReaches } from './time/venue-clock.ts'
import { type ClockTime, type LocalDate, readDate, readTime } from './time/written-time.ts'

/*
 * What people type into forms, made ready to store: trimmed, blank counts as absent, nothing that a database or a line of
 * a list could not hold. Each refuses with a 400 sentence that names the field ("The name").
 */

/** One line of text with a maximum length; null when blank. */
export const typedLine = (what: string, text: string | null, most: number): string | null => {
  const kept = typedText(what, text, most)
  if (kept !== null && /\p{Cc}/u.test(kept)) throw badRequest(`${what} must not hold control characters.`)
  return kept
}

/** Text of several lines with a maximum length; null when blank. Line ends become line feeds. */
export const typedText = (what: string, text: string | null, most: number): string | null => {
  const kept = (text ?? '').replaceAll(/\r\n?/g, '\n').trim()
  if (kept === '') return null
  if (Array.from(kept).length > most) throw badRequest(`${what} must have at most ${most} characters.`)
  if (/[^\P{Cc}\n\t]/u.test(kept) || !kept.isWellFormed()) {
    throw badRequest(`${what} must not hold control characters.`)
  }
  return kept
}

/** A required value. */
export const needed = <T>(what: string, value: T | null): T => {
  if (value === null) throw badRequest(`${what} is missing.`)
  return value
}

export const typedEmail = (what: string, text: string | null): string | null => {
  const kept = (text ?? '').trim()
  if (kept === '') return null
  if (!isEmailAddress(kept)) throw badRequest(`${what} must be ${emailRule}.`)
  return kept
}

export const typedPhone = (what: string, text: string | null): string | null =>
  typedLine(what, text, limits.phoneCharacters)

/** A calendar date; null when blank. */
export const typedDate = (what: string, text: string | null): LocalDate | null => {
  const kept = (text ?? '').trim()
  if (kept === '') return null
  const date = readDate(kept)
  if (date === undefined) throw badRequest(`${what} must be a real date, YYYY-MM-DD.`)
  return date
}

/** A date with a time, as browsers write the two together, by a zone's clock; null when blank. */
export const typedMoment = (what: string, text: string | null, zone: string): Temporal.Instant | null => {
  const kept = (text ?? '').trim()
  if (kept === '') return null
  const [day = '', clock = ''] = kept.split(/[T ]/)
  const [date, time] = [readDate(day), readTime(clock)]
  if (date === undefined || time === undefined) throw badRequest(`${what} must be a date with a time of day.`)
  return momentWallReaches({ date, time }, zone)
}

/** A time of day in any of the forms people write; null when blank. */
export const typedTime = (what: string, text: string | null): ClockTime | null => {
  const kept = (text ?? '').trim()
  if (kept === '') return null
  const time = readTime(kept)
  if (time === undefined) throw badRequest(`${what} must be a time such as ${timeInWords('19:00')}.`)
  return time
}

/** A whole number between two bounds, inclusive; `path`: where it is in a body, if it came in one. */
export const wholeNumber = (
  what: string,
  number: unknown,
  least: number,
  most: number,
  path?: string,
): number => {
  if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > most) {
    const fault = Number.isInteger(number) ? 'out-of-range' : 'not-an-integer'
    throw badRequest(
      `${what} must be a whole number from ${least} to ${most}.`,
      path === undefined ? undefined : inBody(path, fault),
    )
  }
  return number
}

/** One word of a closed list. */
export const typedWord = <const Word extends string>(
  what: string,
  word: string,
  words: readonly Word[],
): Word => {
  const found = words.find((known) => known === word)
  if (found === undefined) throw badRequest(`${what} must be one of ${words.join(', ')}.`)
  return found
}
