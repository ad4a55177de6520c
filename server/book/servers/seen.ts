import type { Work } from '../../context.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { sectionsIn, serverOf, shiftAt } from '../day/who-serves.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { type ServedRow, servedOn, serversOf } from './reads.ts'
import type { ServerRow } from './server.ts'

/** Who serves on a service date, as its pages show it. */
export type ServersSeen = {
  /** By id, those who are off, too. */
  readonly all: ReadonlyMap<number, ServerRow>
  /** Who serves or served a party, by the id of its booking. */
  readonly of: (reservation: number) => ServerRow | undefined
  /** Whose tables these are now. */
  readonly at: (tables: readonly number[]) => ServerRow | undefined
  readonly served: readonly ServedRow[]
}

/** Undefined, and without a statement, where nobody made a line-up for the date. */
export const serversSeen = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  { floor, timezone }: Pick<BookingRules, 'floor' | 'timezone'>,
  date: LocalDate,
): Promise<ServersSeen | undefined> => {
  const shift = floor ? shiftAt(floor, timezone, date, now()) : undefined
  if (!floor || !shift) return undefined
  const [servers, served] = await Promise.all([serversOf(db, venue.id), servedOn(db, venue.id, date)])
  const all = new Map(servers.map((server) => [server.id, server]))
  const ofReservation = new Map(served.map(({ reservation_id, server_id }) => [reservation_id, server_id]))
  const sections = sectionsIn(floor, shift)
  return {
    all,
    served,
    of: (reservation) => all.get(ofReservation.get(reservation) ?? 0),
    at: (tables) => all.get(serverOf(sections, tables) ?? 0),
  }
}
