import { minuteOf } from '../../platform/kernel/time/moment.ts'
import type { Laid } from './assignment/judge.ts'
import { endOfStayAt, freeForAWhile } from './assignment/walk-in.ts'
import { type FloorDay, type Wanted, loadOf, partyWanted } from './day-floor.ts'
import type { DiningTable } from '../rules/floor/floor.ts'
import { shortestStay, turnMinutes } from '../rules/turn-minutes.ts'

/*
 * Short stays: a table that is free for a party, but not for as long as it would stay, so that it is theirs until somebody
 * else needs it. Staff are offered them, and seat or book there; no other door knows of them.
 */

export type ShortStay = {
  readonly tables: readonly DiningTable[]
  readonly until: Temporal.Instant
  /** From its start until then; of a party that sits, from now on. */
  readonly minutes: number
}

/** Whole minutes of a stay, from the minute in which it begins. */
export const minutesUntil = (from: Temporal.Instant, until: Temporal.Instant): number =>
  Math.floor(minuteOf(from).until(until).total('minutes'))

/** Short stays shown to one party at once, of those that are in nobody else's turn. */
export const mostOffered = 3

/** The short stays for a party, the longest first, then fewest seats wasted. `laid`: among these parties; absent: among all. */
export const shortStays = (
  day: FloorDay,
  wanted: Wanted,
  laid: Laid = day.laid(loadOf(day, partyWanted(day, wanted))),
): readonly ShortStay[] => {
  const party = partyWanted(day, wanted)
  const least = shortestStay(day.rules, wanted.partySize) * minuteMs
  if (least === 0) return []
  const rest = day.floor.turnoverMinutes * minuteMs
  const from = Temporal.Instant.fromEpochMilliseconds(party.from)
  return freeForAWhile(laid, party, { least, rest }).map(({ tables, until: untilMs }) => {
    const until = Temporal.Instant.fromEpochMilliseconds(untilMs)
    return {
      tables: day.floor.tables.filter(({ id }) => tables.includes(id)),
      ...{ until, minutes: minutesUntil(from, until) },
    }
  })
}

/** The short stay for a party at these tables; undefined where it may stay as long as it would, or not long enough. */
export const shortStayAt = (
  day: FloorDay,
  wanted: Wanted,
  tables: readonly number[],
  among?: Parameters<typeof endOfStay>[3],
): Omit<ShortStay, 'tables'> | undefined => {
  const until = endOfStay(day, wanted, tables, among)
  const least = shortestStay(day.rules, wanted.partySize)
  const { from } = partyWanted(day, wanted)
  const minutes = until ? minutesUntil(Temporal.Instant.fromEpochMilliseconds(from), until) : 0
  return until && least > 0 && minutes >= least ? { until, minutes } : undefined
}

/**
 * When a stay at these tables would have to end now; undefined where the party may stay as long as it would. `sitting`: the
 * booking that has them already, which is in nobody's way. `laid`: among these parties; absent: among all.
 */
export const endOfStay = (
  day: FloorDay,
  wanted: Wanted,
  tables: readonly number[],
  { sitting, laid }: { readonly sitting?: number; readonly laid?: Laid | undefined } = {},
): Temporal.Instant | undefined => {
  const asked = partyWanted(day, wanted)
  const party = sitting === undefined ? asked : { ...asked, id: String(sitting) }
  const rest = day.floor.turnoverMinutes * minuteMs
  const { needed, until } = endOfStayAt(laid ?? day.laid(loadOf(day, party)), party, tables, rest)
  return needed < party.until ? Temporal.Instant.fromEpochMilliseconds(until) : undefined
}

/** What a party at the door was paged for. */
export type PagedStay = Pick<ShortStay, 'until'> & {
  readonly tables: readonly number[]
  /** How many minutes of it are worth coming for. */
  readonly least: number
  /** Whether it was a whole stay. */
  readonly isWhole: boolean
}

/** The stay that a party at the door was paged for; undefined where it was paged for no table. */
export const stayPagedFor = (
  { floor: day }: { readonly floor?: FloorDay | undefined },
  { partySize }: Pick<Wanted, 'partySize'>,
): PagedStay | undefined => {
  const paged = day?.paged
  if (!day || !paged) return undefined
  const until = paged.until - day.floor.turnoverMinutes * minuteMs
  return {
    tables: paged.tables,
    until: Temporal.Instant.fromEpochMilliseconds(until),
    least: shortestStay(day.rules, partySize),
    isWhole: until - paged.from >= turnMinutes(day.rules, partySize) * minuteMs,
  }
}

const minuteMs = 60_000
