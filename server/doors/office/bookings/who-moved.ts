import type { Queries } from '../../../platform/db/pool.ts'
import { labelsHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { changesOfPress, pressThatMade, pressThatPaged } from '../../../book/tables/press-reads.ts'
import { bookingsSeen } from '../../../book/tables/reads.ts'
import type { TableChange } from '../../../core/activity/table-change.ts'
import type { Venue } from '../../../core/venue/venue.ts'

/*
 * Who else moved by a press: said with what was done, since their rows change too.
 */

type Work = { readonly db: Queries; readonly venue: Pick<Venue, 'id'> }

/** "Stern is now at table 12": a sentence for each party that a press on a booking moved. */
export const movedSentences = async (
  work: Work,
  booking: number,
  press: readonly number[],
): Promise<readonly string[]> => {
  const record = { kind: 'reservation', id: booking } as const
  const changes = (await changesOfPress(work.db, work.venue.id, record, press)) ?? []
  return sentencesOf(
    work,
    changes.filter(({ reservation }) => reservation !== booking),
  )
}

/** Who moved so that a table is held for a party in line that was just paged. */
export const movedByPaging = async (work: Work, entry: number): Promise<readonly string[]> =>
  sentencesOf(work, (await pressThatPaged(work.db, work.venue.id, entry))?.changes ?? [])

const sentencesOf = async (
  { db, venue }: Work,
  changes: readonly TableChange[],
): Promise<readonly string[]> => {
  const moved = [...new Set(changes.map(({ reservation }) => reservation))]
  const others = moved.length === 0 ? [] : await bookingsSeen(db, venue.id, moved)
  return Promise.all(
    others.map(async (other) => {
      const label = await labelsHeld(db, venue.id, other.id)
      return `${other.guest_name ?? 'No name'} ${label === '' ? 'now waits for a table' : `is now at table ${label}`}`
    }),
  )
}

/** Who moved for a booking as it was made. */
export const movedByMaking = async (work: Work, booking: number): Promise<readonly string[]> => {
  const made = await pressThatMade(work.db, work.venue.id, booking)
  return made === undefined ? [] : movedSentences(work, booking, [made])
}

/** "seated at B2. Stern is now at table 12": of a party whose booking its seating made. */
export const seatedWords = async (work: Work, booking: number): Promise<string> => {
  const { db, venue } = work
  const table = await labelsHeld(db, venue.id, booking)
  return [`seated${table && ` at ${table}`}`, ...(await movedByMaking(work, booking))].join('. ')
}
