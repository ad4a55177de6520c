import { dateInWords } from '../../../platform/kernel/time/in-words.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/*
 * The lists of the settings (closed days, blocks, tables out of order) hold entries without an id: a form names one by its
 * content. Both the page and the form's action take the entry from the same source, so that its text is the same.
 */

/** What a form carries to name an entry. */
export const entryKey = (entry: object): string => JSON.stringify(entry)

/** Refuses what ended before today: it would be saved, and change nothing. */
export const refusePast = (last: LocalDate, today: LocalDate): void => {
  if (last < today) throw badRequest(`${dateInWords(last)} is over. Choose a later day.`)
}

/** The list without the one entry that a form names. Refuses with 409 if it is not there: nothing is removed then. */
export const withoutEntry = <Entry extends object>(
  entries: readonly Entry[],
  key: string,
  keyOf: (entry: Entry) => string = entryKey,
): Entry[] => {
  const place = entries.findIndex((entry) => keyOf(entry) === key)
  if (place === -1) throw new Refusal(409, 'That is no longer on the list. Nothing was removed.')
  return entries.toSpliced(place, 1)
}

/** The list with one more entry. Refuses one that says the same as an entry that is there. */
export const withEntry = <Entry extends object, Added extends object>(
  entries: readonly Entry[],
  added: Added,
  isSame: (entry: Entry) => boolean,
): (Entry | Added)[] => {
  if (entries.some(isSame)) throw badRequest('That is already on the list.')
  return [...entries, added]
}
