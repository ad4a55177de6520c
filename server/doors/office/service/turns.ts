import type { EntryRow } from '../../../book/day/entry-row.ts'
import { labelsPaged } from '../../../book/day/tables-of-booking-reads.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { atDoorNow } from '../../../book/tables/offered/at-door.ts'
import { eveningFloor } from '../../../book/tables/reads.ts'
import { lineOf } from '../../../book/waitlist/evening.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type Turn, lineOffers } from './line-offers.ts'
import { promisedAt } from './waiting.ts'

/** The line of an evening: who waits for another day has no turn at a table of tonight. */
export const lineTonight = (line: readonly EntryRow[], today: LocalDate): readonly EntryRow[] =>
  line.filter((row) => (row.service_date ?? row.date ?? '') <= today)

/** The same by whose turn it is: who was promised a table first. Who was paged for one takes no turn. */
export const lineInTurn = (
  line: readonly EntryRow[],
  paged: ReadonlyMap<number, unknown> | undefined,
): readonly EntryRow[] =>
  line
    .filter(({ id }) => !paged?.has(id))
    .toSorted((a, b) => promisedAt(a).epochMilliseconds - promisedAt(b).epochMilliseconds)

/** Whose turn it is at the tables that are open now, for who walks in behind them. */
export const turnsNow = async (
  work: OfficeWork,
  rules: BookingRules,
  today: LocalDate,
): Promise<ReadonlyMap<number, Turn>> => {
  const { db, venue } = work
  const [lines, paged] = await Promise.all([lineOf(db, venue.id, 0), labelsPaged(db, venue.id, work.now())])
  const inTurn = lineInTurn(lineTonight(lines, today), paged)
  if (inTurn.length === 0) return new Map()
  const [atDoor, evening] = await Promise.all([atDoorNow(work), eveningFloor(work, today, rules)])
  if (!atDoor) return new Map()
  return lineOffers({ atDoor, evening, now: work.now(), timezone: venue.timezone }, inTurn).turns
}
