import { type Moment, toMoment } from './time/moment.ts'
import { readDate, readMoment } from './time/written-time.ts'

/*
 * Lists for staff are read page by page from where the last one ended (keyset), so the ten-thousandth row costs what
 * the first does and a record that comes in meanwhile shifts nothing. A place is written `key~id` in the address of
 * the next page; one that cannot be read is the first page.
 */

export type ListPage<Row> = {
  readonly rows: readonly Row[]
  /** Where the next page begins; null when this is the last. */
  readonly next: string | null
}

/** What is asked of a list: up to a number of rows after a place, the previous page's `next`; null = the first page. */
export type PageAsked = { readonly limit: number; readonly after: string | null }

/** Cuts a page out of rows that were read with one more than its limit. */
export const pageOf = <Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => readonly [key: string, id: number | string],
): ListPage<Row> => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: last !== undefined && rows.length > limit ? placeOf(last).join('~') : null }
}

/** The place in a list that is newest first; before the first row it is after all moments. */
export const newestPlace = (
  after: string | null,
): { readonly at: Moment | 'infinity'; readonly id: number } => {
  const { key, rest } = partsOf(after)
  const moment = readMoment(key)
  const id = readId(rest)
  return moment === undefined || id === undefined
    ? { at: 'infinity', id: Number.MAX_SAFE_INTEGER }
    : { at: toMoment(moment), id }
}

/** The same, where rows of the same moment are ordered by a text, ascending. */
export const newestTextPlace = (
  after: string | null,
): { readonly at: Moment | 'infinity'; readonly text: string } => {
  const { key, rest } = partsOf(after)
  const moment = readMoment(key)
  return moment === undefined ? { at: 'infinity', text: '' } : { at: toMoment(moment), text: rest }
}

/** The place in a list by slug, ascending: the last slug of the page before. */
export const slugPlace = (after: string | null): string => (after ?? '').replaceAll('\0', '')

export const slugPageOf = <Row extends { readonly slug: string }>(
  rows: readonly Row[],
  limit: number,
): ListPage<Row> => {
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.slug ?? null) : null }
}

/** The place in a list by date, ascending; rows without a date come last, at `infinity`. */
export const datePlace = (after: string | null): { readonly date: string; readonly id: number } => {
  const { key, rest } = partsOf(after)
  const date = key === 'infinity' ? key : readDate(key)
  const id = readId(rest)
  return date === undefined || id === undefined ? { date: '-infinity', id: 0 } : { date, id }
}

/** The place in a list by a key and an id; undefined for the first page. */
export const keyPlace = (after: string | null): { readonly key: string; readonly id: number } | undefined => {
  const { key, rest } = partsOf(after)
  const id = readId(rest)
  return id === undefined || (readDate(key) === undefined && readId(key) === undefined)
    ? undefined
    : { key, id }
}

/** The place in a list by a text that may hold anything, and an id, which is written first. */
export const idTextPlace = (
  after: string | null,
): { readonly id: number; readonly text: string } | undefined => {
  const { key, rest } = partsOf(after)
  const id = readId(key)
  return id === undefined || !rest.isWellFormed() ? undefined : { id, text: rest }
}

const partsOf = (after: string | null): { key: string; rest: string } => {
  const [key = '', ...rest] = (after ?? '').split('~')
  return { key, rest: rest.join('~').replaceAll('\0', '') }
}

const readId = (text: string): number | undefined => (/^[0-9]{1,15}$/.test(text) ? Number(text) : undefined)
