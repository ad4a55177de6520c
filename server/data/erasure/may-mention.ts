import { type Fragment, part } from '../../platform/db/sql.ts'
import { type Words, digitsOf, needlesOf } from './scrub.ts'

/**
 * The condition that a text may mention somebody; it overmatches. It runs on every text of a venue, so its cost per
 * text matters: it uses patterns, which are compiled once, instead of a list that is scanned for every text, and makes
 * no copy of the text without the separators between digits.
 */
export const mayMention = (text: Fragment, words: Words): Fragment =>
  part`(lower(${text}) like any (${needlesOf(words).map(anywhere)}::text[])
        or ${text} ~ any (${digitsOf(words).map(writtenAnyhow)}::text[]))`

const anywhere = (needle: string): string => `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Separators that people write between the digits of a number. */
const betweenDigits = String.raw`[\s\u00A0()./+-]*`

const writtenAnyhow = (digits: string): string => Array.from(digits).join(betweenDigits)
