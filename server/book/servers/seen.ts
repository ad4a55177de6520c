import type { Work } from '../../context.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { sectionsIn, serverOf, shiftAt } from '../day/who-serves.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import type { Shift } from '../rules/floor/floor.ts'
import { inTurn } from './next-up.ts'
import { type LineUpRow, type ServedRow, lineUpOf, servedOn, serversOf } from './reads.ts'
import type { ServerRow } from './server.ts'

/** Who serves on a service date, as its pages show it. */
export type ServersSeen = {
  readonly shift: Shift
  /** By id, those who are off, too. */
  readonly all: ReadonlyMap<number, ServerRow>
  readonly lineUp: readonly LineUpRow[]
  /** Who serves or served a party, by the id of its booking. */
  readonly of: (reservation: number) => ServerRow | undefined
  /** Whose tables these are now. */
  readonly at: (tables: readonly number[]) => ServerRow | undefined
  /** Everybody who sat down on the date and has a server; of this shift only `inShift`. */
  readonly served: readonly ServedRow[]
  readonly inShift: readonly ServedRow[]
  /** In the order of their turn. */
  readonly turn: readonly ServerRow[]
}

/** Undefined, and without a statement, where nobody made a line-up for the date. */
export const serversSeen = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  { floor, timezone }: Pick<BookingRules, 'floor' | 'timezone'>,
  date: LocalDate,
): Promise<ServersSeen | undefined> => {
  const shift = floor ? shiftAt(floor, timezone, date, now()) : undefined
  if (!floor || !shift) return undefined
  const [servers, lineUp, served] = await Promise.all([
    serversOf(db, venue.id),
    lineUpOf(db, venue.id, shift.id),
    servedOn(db, venue.id, date),
  ])
  const all = new Map(servers.map((server) => [server.id, server]))
  const ofReservation = new Map(served.map(({ reservation_id, server_id }) => [reservation_id, server_id]))
  const sections = sectionsIn(floor, shift)
  const inShift = served.filter(
    ({ seated_at }) => shiftAt(floor, timezone, date, toInstant(seated_at))?.id === shift.id,
  )
  const at = (minute: number): number => instantOfMinute(timezone, date, minute)
  const turn = inTurn(
    lineUp.map((one) => ({
      server: one.server_id,
      place: one.place,
      from: at(one.from_minute),
      until: at(one.until_minute),
      isCut: one.cut_at !== null,
      skippedAt: one.skipped_at === null ? null : toInstant(one.skipped_at).epochMilliseconds,
    })),
    inShift.map(({ server_id, party_size, seated_at }) => ({
      server: server_id,
      covers: party_size ?? 1,
      at: toInstant(seated_at).epochMilliseconds,
    })),
    now().epochMilliseconds,
  )
  return {
    shift,
    all,
    lineUp,
    served,
    inShift,
    of: (reservation) => all.get(ofReservation.get(reservation) ?? 0),
    at: (tables) => all.get(serverOf(sections, tables) ?? 0),
    turn: turn.flatMap((id) => all.get(id) ?? []),
  }
}

/** Of several offers of tables, the one whose server comes first in turn; undefined where nobody's is among them. */
export const nextAmong = (
  { at, turn }: Pick<ServersSeen, 'at' | 'turn'>,
  offers: readonly (readonly number[])[],
): number | undefined => {
  const places = offers.map((tables) => turn.findIndex(({ id }) => id === at(tables)?.id))
  const first = Math.min(...places.filter((place) => place >= 0))
  return Number.isFinite(first) ? places.indexOf(first) : undefined
}
