import type { Work } from '../context.ts'
import { turnMinutes } from '../venue/turn-minutes.ts'
import { type FloorDay, seat } from './day-floor.ts'
import { dropPaged, holdForPaged, writeMoves } from './holding-writes.ts'

/*
 * The table that is ready for a party at the door. From when it is paged until its offer ends nobody else is given it; the
 * end is read by the clock of whoever judges, so it is free at that moment whether or not a worker runs. A table hold is no
 * booking: no event tells of it and no record shows it.
 */

/** A party on the waitlist that is paged, and when its offer ends. */
export type Paged = {
  readonly entry: number
  readonly partySize: number
  readonly now: Temporal.Instant
  readonly expiresAt: Temporal.Instant
}

/**
 * Holds the table that a party would get if it sat down now: the one it was paged for before, if that is free. Where there
 * is none it holds none: staff page a party for a table that is about to be left, too. `day` is locked and was read for this
 * party, which holds nothing when this is called.
 */
export const holdTable = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  day: FloorDay,
  { entry, partySize, now, expiresAt }: Paged,
): Promise<void> => {
  const seating = seat(day, { startsAt: now, partySize, door: 'staff' })
  if (!seating.seated) return
  await writeMoves({ db, venue }, seating.moves)
  const until = now.add({ minutes: turnMinutes(day.rules, partySize) })
  await holdForPaged(db, venue.id, entry, { tables: seating.tables, from: now, until, expiresAt })
}

/** Gives up what a party on the waitlist was paged for. Returns whether it held a table. */
export const releaseTable = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  entry: number,
): Promise<boolean> => (await dropPaged(db, venue.id, entry)) > 0
