import type { Work } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import { partiesAhead } from './reads.ts'
import { longestQuoteMinutes, quoteMinutesPerParty } from './states.ts'

/*
 * How long a party is told it will wait: what staff last said to one of its size; else how long such parties really
 * waited tonight; else by the parties ahead of it.
 */

/** What staff said holds for others so long. */
const saidMinutes = 20
/** Waits that ended so long ago still tell something of tonight, if there are as many as this. */
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
  const { said, waits } = await db.one(sql({ said: 'int4?', waits: 'text[]' })`
    select (select quoted_minutes from waitlist_entry
             where venue_id = ${venue.id} and service_date = ${serviceDate} and quoted_by_hand
               and quoted_at > ${at.subtract({ minutes: saidMinutes })} and party_size between ${least} and ${most}
               and id <> ${entry ?? 0}
             order by quoted_at desc limit 1) as said,
           array(select greatest(0, extract(epoch from least(paged_at, seated_at) - coalesce(rejoined_at, created_at)) / 60)::text
                   from waitlist_entry
                  where venue_id = ${venue.id} and seated_at > ${at.subtract({ minutes: recentMinutes })}
                    and booked_as = 'seated' and party_size between ${least} and ${most}) as waits`)
  if (said !== null) return inSteps(said)
  if (waits.length >= fewestWaits) return inSteps(medianOf(waits.map(Number)))
  const ahead = serviceDate === null ? 0 : await partiesAhead(db, venue.id, serviceDate, entry ?? null)
  return inSteps((ahead + 1) * quoteMinutesPerParty)
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
