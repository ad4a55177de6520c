import type { Work } from '../../../context.ts'
import { minuteOf, toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { EntryRow } from '../../day/entry-row.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { turnMinutes } from '../../rules/turn-minutes.ts'
import { heldForPaged } from '../reads.ts'

/** When the stay of a paged party ends that was offered its table for less than the usual time; undefined for all others. */
export const endOfPagedStay = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  { id, party_size: size }: Pick<EntryRow, 'id' | 'party_size'>,
): Promise<Temporal.Instant | undefined> => {
  const held = await heldForPaged(db, venue.id, id, now())
  if (!held) return undefined
  const [from, until] = [minuteOf(toInstant(held.from_moment)), minuteOf(toInstant(held.until_moment))]
  const rules = await bookingRulesAround(db, venue, wallTimeOf(from, venue.timezone).date)
  return from.until(until).total('minutes') < turnMinutes(rules, size ?? 1) ? until : undefined
}
