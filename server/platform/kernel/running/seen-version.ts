import { Refusal, notFound } from '../refusal.ts'

/*
 * The one mechanism against silent overwriting. Every record edited by a form counts its changes in `version`; the form
 * carries the number it showed; the action locks the row, compares, and writes the next number. Of two people editing
 * one record the first wins and the other is asked to look again. A request of the API names what it has seen by the
 * record's public revision instead (http/records/record-write.ts), which staff notes do not count in.
 */

/**
 * What the author of a change has seen of the record: the version a form showed, or a check that refuses the row as it
 * is now.
 */
export type SeenVersion = number | ((row: never) => void)

/**
 * The row to be changed, which the caller has locked. Refuses with 404 if it is missing, 409 if a page showed an older
 * one, and as the check does.
 */
export const asSeen = <Row extends { readonly version: number }>(
  what: string,
  row: Row | undefined,
  seen: SeenVersion,
): Row => {
  if (!row) throw notFound(what)
  if (typeof seen === 'function') seen(row as never)
  else if (row.version !== seen) throw changedMeanwhile(what)
  return row
}

/** 409: what the page showed is out of date. */
export const changedMeanwhile = (what: string): Refusal =>
  new Refusal(409, `This ${what} was just changed by someone else; reload and try again.`)
