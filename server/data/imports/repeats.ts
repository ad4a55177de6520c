import type { ImportedReservation, KeyedReservation } from '../../book/reservations/import-reservation.ts'
import type { ImportPlan } from './fields.ts'
import { type ReadRow, remarksInWords } from './rows.ts'

/*
 * Identical rows of a file, without a booking number. They may be two bookings of one guest, or one that was exported
 * twice: both are taken and it is said so, unless the owner leaves repeats out.
 */

/** By what a row says: its first line, and how many rows have said it. */
export type Likeness = Map<string, { readonly line: number; readonly rows: number }>

/** A row with its key: the second of two identical ones is a separate booking. */
export const keyed = (one: ImportedReservation, seen: Likeness, line = 0): KeyedReservation => {
  if (one.numbered) return { ...one, key: one.identity }
  const short = shortOf(one)
  const before = seen.get(short)
  const rows = (before?.rows ?? 0) + 1
  seen.set(short, { line: before?.line ?? line, rows })
  return { ...one, key: rows === 1 ? one.identity : `${one.identity}#${rows}` }
}

/** The first few characters of a fingerprint distinguish the rows of one file, and half a million fit in memory. */
const shortOf = ({ identity }: ImportedReservation): string => identity.slice(0, 12)

/** Rows in the order of the file, each repeat with the line it repeats or left out; and the keys of their bookings, by line. */
export const withRepeats = (
  read: readonly ReadRow[],
  plan: Pick<ImportPlan, 'leaveOutRepeats'>,
  seen: Likeness,
): { readonly rows: readonly ReadRow[]; readonly keys: ReadonlyMap<number, KeyedReservation> } => {
  const keys = new Map<number, KeyedReservation>()
  const rows = read.map((row): ReadRow => {
    if (row.kind !== 'reservations') return row
    const { line, value } = row
    const first = value.numbered ? undefined : seen.get(shortOf(value))?.line
    const key = keyed(value, seen, line)
    if (first !== undefined && plan.leaveOutRepeats)
      return { kind: 'refused', line, sentence: `It repeats line ${first}.` }
    keys.set(line, key)
    return first === undefined
      ? row
      : { ...row, remark: remarksInWords(row.remark, `It repeats line ${first}: both are taken.`) }
  })
  return { rows, keys }
}
