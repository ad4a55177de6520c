import type { Work } from '../context.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import { toInstant } from '../kernel/moment.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import { partiesAhead } from './reads.ts'
import { longestQuoteMinutes, quoteMinutesPerParty } from './states.ts'

/*
 * How long a party is told it will wait: what staff last said to one of its size; else how long such parties really
 * waited tonight; else by the parties ahead of it.
 */

/** A staff quote applies to similar parties for this long. */
const saidMinutes = 20
/** Waits that ended this recently say how the night goes, if there are at least `fewestWaits` of them. */
const recentMinutes = 90
const fewestWaits = 5

type Asked = {
  /** The evening; null for a party that waits for none in particular. */
  readonly serviceDate: LocalDate | null
  readonly partySize: number
  /** The party itself, if it is in line already. */
  readonly entry?: number
}

/** The quote for a party, in minutes, in steps of five. */
export const quoteFor = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  { serviceDate, partySize, entry }: Asked,
): Promise<number> => {
  const at = now()
  const { least, most } = likeParties(partySize)
  const said = await db.maybe(sql({ quoted_minutes: 'int4' })`
    select quoted_minutes from waitlist_entry
     where venue_id = ${venue.id} and service_date = ${serviceDate} and quoted_by_hand
       and quoted_at > ${at.subtract({ minutes: saidMinutes })} and party_size between ${least} and ${most}
       and id <> ${entry ?? 0}
     order by quoted_at desc limit 1`)
  if (said) return inSteps(said.quoted_minutes)
  const seated = await db.many(sql(waitRow)`
    select ${columnsOf(waitRow)} from waitlist_entry
     where venue_id = ${venue.id} and seated_at > ${at.subtract({ minutes: recentMinutes })}
       and booked_as = 'seated' and party_size between ${least} and ${most}`)
  if (seated.length >= fewestWaits) return inSteps(medianOf(seated.map(waitOf)))
  const ahead = serviceDate === null ? 0 : await partiesAhead(db, venue.id, serviceDate, entry ?? null)
  return inSteps((ahead + 1) * quoteMinutesPerParty)
}

const waitRow = {
  created_at: 'timestamptz',
  rejoined_at: 'timestamptz?',
  paged_at: 'timestamptz?',
  seated_at: 'timestamptz?',
} as const

/** From joining until the table was ready, in minutes. */
const waitOf = ({ created_at, rejoined_at, paged_at, seated_at }: RowOf<typeof waitRow>): number => {
  const since = toInstant(rejoined_at ?? created_at)
  const ready = paged_at !== null && seated_at !== null && paged_at < seated_at ? paged_at : seated_at
  return ready === null ? 0 : Math.max(0, since.until(toInstant(ready)).total('minutes'))
}

/** Parties that need a table of about the same size. */
const likeParties = (partySize: number): { readonly least: number; readonly most: number } => {
  const least = partySize >= 7 ? 7 : partySize - ((partySize - 1) % 2)
  return { least, most: partySize >= 7 ? 10_000 : least + 1 }
}

const inSteps = (minutes: number): number =>
  Math.min(longestQuoteMinutes, Math.max(5, Math.ceil(minutes / 5) * 5))

const medianOf = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[half], sorted[half]] : [sorted[half - 1], sorted[half]]
  return (low + high) / 2
}
