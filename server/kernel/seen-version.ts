import { Refusal, notFound } from './refusal.ts'

/*
 * The one mechanism against silent overwriting. Every record that is edited by a form counts its changes in
 * `version`; the form carries the number it showed; the action holds the row, compares, and writes the next number.
 * Of two people editing one record the first wins and the other is told to look again.
 */

/** The row to be changed, which the caller holds. Refuses 404 where there is none, 409 where a page showed an older one. */
export const asSeen = <Row extends { readonly version: number }>(
  what: string,
  row: Row | undefined,
  seenVersion: number,
): Row => {
  if (!row) throw notFound(what)
  if (row.version !== seenVersion) throw changedMeanwhile(what)
  return row
}

/** 409: what the page showed is no longer so. */
export const changedMeanwhile = (what: string): Refusal =>
  new Refusal(409, `This ${what} was changed meanwhile by somebody else; look again.`)
