import type { Work } from '../../context.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import type { FloorDay } from '../day/day-floor.ts'
import { asSaid } from './arrange.ts'
import { dropPaged, holdForPaged, writeMoves } from './tables-of-booking-writes.ts'
import type { TableChange } from '../../core/activity/table-change.ts'

/*
 * The table that is ready for a party at the door. From when it is paged until its offer ends nobody else is given it; the
 * end is read by the clock of the judging process, so it is free at that moment whether or not a worker runs. A table hold is no
 * booking: no event or record shows it.
 */

/** A party on the waitlist that is paged, and when its offer ends. */
export type Paged = {
  readonly entry: number
  readonly partySize: number
  readonly now: Temporal.Instant
  readonly expiresAt: Temporal.Instant
  /** Tables that staff chose for a short stay, judged under the same lock, and its end. */
  readonly held?: { readonly tables: readonly number[]; readonly until: Temporal.Instant } | undefined
}

/**
 * Holds the table that a party would get if it sat down now: the one it was paged for before, if that is free. If there
 * is none it holds none: staff page a party for a table that is about to be left, too. `day` is locked and was read for this
 * party, which holds nothing when this is called. Returns who moved for it.
 */
export const holdTable = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  day: FloorDay,
  { entry, partySize, now, expiresAt, held }: Paged,
): Promise<readonly TableChange[]> => {
  const { db, venue } = work
  if (held) {
    await holdForPaged(db, venue.id, entry, { ...held, from: now, expiresAt })
    return []
  }
  const wanted = { startsAt: now, partySize, door: 'staff' } as const
  const seating = asSaid(day, wanted)
  if (!seating) return []
  const moved = await writeMoves(work, seating.moves)
  const until = now.add({ minutes: turnMinutes(day.rules, partySize) })
  await holdForPaged(db, venue.id, entry, { tables: seating.tables, from: now, until, expiresAt })
  return moved
}

/** What a paged party held, as the activity log keeps it for an undo. */
export type HeldForPaged = {
  readonly tables: readonly number[]
  readonly from: Moment
  readonly until: Moment
}

/** Gives up what a party on the waitlist was paged for, and returns it; undefined where it held no table. */
export const releaseTable = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  entry: number,
): Promise<HeldForPaged | undefined> => {
  const rows = await dropPaged(db, venue.id, entry)
  const [first] = rows
  if (!first) return undefined
  const tables = rows.map(({ table_id }) => table_id).toSorted((a, b) => a - b)
  return { tables, from: first.from_moment, until: first.until_moment }
}

/** Holds what an undone press gave up. */
export const holdAgain = (
  db: Queries,
  venue: VenueId,
  entry: number,
  { tables, from, until }: HeldForPaged,
  expiresAt: Temporal.Instant,
): Promise<void> =>
  holdForPaged(db, venue, entry, { tables, from: toInstant(from), until: toInstant(until), expiresAt })
