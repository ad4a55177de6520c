import { type BookRow, bookedReservation } from '../../../book/day/book-row.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { turnMinutes } from '../../../book/rules/turn-minutes.ts'
import type { LikelyTable } from '../../../book/tables/likely-table.ts'
import type { Quote } from '../../../book/waitlist/quote.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { guestsInWords, minutesSince } from '../parts/time-words.ts'

type Asked = {
  readonly partySize: number
  readonly rules: BookingRules
  readonly now: Temporal.Instant
}

/**
 * "table 2 at 9:40 PM (Desai, 120 min left)."; where the quote is that of a smaller size, which waits longer: "table 2 at
 * 9:40 PM. Quoted as for 2 guests: table 5 at 10:05 PM (Palumbo, 55 min over)." Who sits there is named where the quote rests on it.
 */
export const likelyNext = async (
  work: Pick<OfficeWork, 'db' | 'venue'>,
  { table, rests }: Quote,
  asked: Asked,
): Promise<string | undefined> => {
  if (!table) return undefined
  const { timezone } = work.venue
  const at = (one: LikelyTable): string =>
    `table ${joinedLabels(one.tables.map(({ label }) => label))} at ${timeOf(one.at, timezone)}`
  const who = rests.table && (await whoLeaves(work, rests.table, asked))
  const named = who === undefined ? '' : ` (${who})`
  if (rests.size === asked.partySize) return `${at(table)}${named}.`
  const theirs = rests.table ? `: ${at(rests.table)}${named}` : ''
  return `${at(table)}. Quoted as for ${guestsInWords(rests.size)}${theirs}.`
}

/** Who sits at a table until it is likely to be free; undefined where nobody does. */
const whoLeaves = async (
  { db, venue }: Pick<OfficeWork, 'db' | 'venue'>,
  { after, at }: LikelyTable,
  { rules, now }: Asked,
): Promise<string | undefined> => {
  const row = after === undefined ? undefined : await bookedReservation(db, venue.id, after)
  return row && overWords(row, rules, { now, leaves: at })
}

/** "Palumbo, 55 min over", "Palumbo, 20 min left": until when they are likely to leave, not until when they booked. */
const overWords = (
  { guest_name, seated_at, duration_minutes, party_size }: BookRow,
  rules: BookingRules,
  { now, leaves }: { readonly now: Temporal.Instant; readonly leaves: Temporal.Instant },
): string => {
  const minutes = duration_minutes ?? turnMinutes(rules, party_size ?? 1)
  const over = seated_at === null ? 0 : minutesSince(seated_at, now) - minutes
  const left = minutesBetween(now, leaves)
  return `${guest_name ?? 'a party'}, ${over > 0 ? `${over} min over` : left === 0 ? 'due now' : `${left} min left`}`
}

/** As both moments show on a clock. */
const minutesBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  Math.floor(to.epochMilliseconds / 60_000) - Math.floor(from.epochMilliseconds / 60_000)
