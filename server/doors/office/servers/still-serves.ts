import type { BookRow } from '../../../book/day/book-row.ts'
import { tablesHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { serversSeen } from '../../../book/servers/seen.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/**
 * "Luis Ortega still serves them, at a table of Ann Lee": of a party that sits and was moved to somebody else's table. Who
 * serves stays with a party; the panel of the table changes it. Empty where there is nothing to say.
 */
export const stillServes = async (
  work: OfficeWork,
  { id, status, service_date }: Pick<BookRow, 'id' | 'status' | 'service_date'>,
): Promise<readonly string[]> => {
  const { db, venue } = work
  if (status !== 'Seated' || service_date === null) return []
  const rules = await bookingRulesAround(db, venue, service_date)
  const servers = await serversSeen(work, rules, service_date)
  const who = servers?.of(id)
  if (!servers || !who) return []
  const { tables } = await tablesHeld(db, venue.id, id)
  const there = servers.at(tables)
  return there && there.id !== who.id ? [`${who.name} still serves them, at a table of ${there.name}`] : []
}
