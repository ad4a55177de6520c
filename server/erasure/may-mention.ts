import { type Fragment, part } from '../db/sql.ts'
import { type Words, digitsOf, needlesOf } from './scrub.ts'

/**
 * The condition that a text may mention somebody; more texts do than really mention them. It is asked of every text of a
 * venue, so what it costs for each counts: patterns, which are compiled once, instead of a list that is gone through
 * again for every text, and no copy of the text without what stands between digits.
 */
export const mayMention = (text: Fragment, words: Words): Fragment =>
  part`(lower(${text}) like any (${needlesOf(words).map(anywhere)}::text[])
        or ${text} ~ any (${digitsOf(words).map(writtenAnyhow)}::text[]))`

const anywhere = (needle: string): string => `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** What people write between the digits of a number. */
const betweenDigits = String.raw`[\s\u00A0()./+-]*`

const writtenAnyhow = (digits: string): string => Array.from(digits).join(betweenDigits)
