import { createHash } from 'node:crypto'
import { readDate, readMoment } from '../../kernel/time/written-time.ts'

/*
 * Where a page of a list ends, for the caller to send back: `l1_`, a checksum and the position. The checksum also
 * covers the list and its query, so a cursor works for nothing else. It is not a secret: a position reveals nothing
 * that the page did not show.
 */

/** The sort key of a page's last row and its id. A date also has a time. */
export type ListPlace = readonly [at: string, id: number] | readonly [date: string, time: string, id: number]

const prefix = 'l1_'
const sumBytes = 8

/** `about`: everything the cursor is bound to. */
export const writeCursor = (about: unknown, place: ListPlace): string => {
  const text = JSON.stringify(place)
  return prefix + Buffer.concat([sumOf(about, text), Buffer.from(text)]).toString('base64url')
}

/** The position in a cursor written for exactly this list and query; undefined for any other text. */
export const readCursor = (about: unknown, cursor: string): ListPlace | undefined => {
  if (!cursor.startsWith(prefix)) return undefined
  const bytes = Buffer.from(cursor.slice(prefix.length), 'base64url')
  const text = bytes.subarray(sumBytes).toString()
  if (!sumOf(about, text).equals(bytes.subarray(0, sumBytes))) return undefined
  const place = jsonOf(text)
  return isPlace(place) ? place : undefined
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sumOf = (about: unknown, text: string): Buffer =>
  createHash('sha256').update(JSON.stringify(about)).update(text).digest().subarray(0, sumBytes)

/** A caller can forge a cursor with a valid checksum, so its content is parsed like any input. */
const isPlace = (place: unknown): place is ListPlace => {
  if (!Array.isArray(place) || !Number.isSafeInteger(place.at(-1))) return false
  const [first, second] = place as unknown[]
  if (typeof first !== 'string') return false
  if (place.length === 2) return readMoment(first) !== undefined
  return (
    place.length === 3 &&
    (first === 'infinity' || readDate(first) !== undefined) &&
    typeof second === 'string' &&
    /^(?:[01][0-9]|2[0-4]):[0-5][0-9]$/.test(second)
  )
}
