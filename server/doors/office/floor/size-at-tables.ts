import type { BookRow } from '../../../book/day/book-row.ts'
import type { StaffReason } from '../../../book/reservations/staff-reasons.ts'
import { wholeFloor } from '../../../book/rules/floor/floor-reads.ts'
import { byLabel } from '../../../book/rules/floor/written-floor.ts'
import { listInWords } from '../../../platform/kernel/time/calendar.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { seatsOf } from '../parts/table-words.ts'

/**
 * That a party is too many or too few for the table staff chose, or that the tables are in several rooms: they are asked
 * once. Any that stand in one room they may join.
 */
export const sizeAtTables = async (
  { db, venue }: OfficeWork,
  { party_size: size }: Pick<BookRow, 'party_size'>,
  tables: readonly number[],
  /** What they are called, where others are asked about as well. */
  name = 'this',
): Promise<StaffReason | undefined> => {
  if (tables.length === 0) return undefined
  const floor = await wholeFloor(db, venue.id)
  const chosen = floor?.tables.filter(({ id }) => tables.includes(id)) ?? []
  const [only, ...others] = chosen
  if (!floor || !only || size === null) return undefined
  const reason = (sentence: string): StaffReason => ({ reason: 'table-size', sentence, figure: null })
  if (others.length > 0) {
    if (others.every(({ room }) => room === only.room)) return undefined
    const labels = chosen.map(({ label }) => label).toSorted(byLabel)
    return reason(`Tables ${listInWords(labels)} are in different rooms.`)
  }
  if (only.least <= size && size <= only.most) return undefined
  return reason(`Table ${only.label} seats ${seatsOf(only)}; ${name} is a party of ${size}.`)
}
