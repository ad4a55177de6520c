import { en } from './en.ts'
import type { Words } from './en.ts'

/*
 * What a guest chooses from a list: shown in their language, kept as staff read it. What a venue names itself, its rooms,
 * is the same in every language.
 */

type List = 'occasions' | 'seatings'

/** The choices of a form, as what is kept and what is shown. The first says nothing. */
export const choicesOf = (
  { book }: Pick<Words, 'book'>,
  list: List,
): readonly (readonly [kept: string, shown: string])[] =>
  book[list].map((one, at) => [at === 0 ? '' : (en.book[list][at] ?? one), one] as const)

/** What was chosen, to the guest again. */
export const choiceInWords = ({ book }: Pick<Words, 'book'>, list: List, kept: string): string =>
  book[list][en.book[list].indexOf(kept)] ?? kept
