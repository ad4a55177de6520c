import { type Fragment, fragment, part } from '../../platform/db/sql.ts'

/*
 * Names as they are searched: lower case, without accents, so that "muller" finds Müller and "łuczak" Luczak. The
 * database folds both what is stored and what is typed, so that the two always agree. The indexes of guests are on
 * exactly these expressions (migration 0048).
 */

/** Combining marks, which normalization parts from their letters, and letters it does not part. */
const marks = ['0300', '0301', '0302', '0303', '0304', '0306', '0307', '0308', '0309', '030a', '030b', '030c']
  .concat(['031b', '0323', '0326', '0327', '0328'])
  .map((code) => `\\u${code}`)
  .join('')

const [before, after] = [
  'translate(normalize(replace(lower(',
  `), 'ß', 'ss'), NFD), E'øłđ${marks}', 'old')`,
] as const

/** A column, or an expression of columns, folded. */
export const folded = (expression: string): Fragment => fragment(before + expression + after)

/** What somebody typed, folded. */
export const foldedText = (typed: string): Fragment =>
  part`${fragment(before)}${typed}::text${fragment(after)}`

/** The name from its first, second, third and fourth word on, each with an index of its own. */
export const nameFromWord = [
  folded('name'),
  folded(`substring(name, '^[^ ]+ (.*)$')`),
  folded(`substring(name, '^[^ ]+ [^ ]+ (.*)$')`),
  folded(`substring(name, '^[^ ]+ [^ ]+ [^ ]+ (.*)$')`),
] as const

export const lastWord = folded(`substring(name, '[^ ]+$')`)
