import type { Work } from '../../context.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { presentAt, sectionsIn, serverOf, shiftAt } from '../day/who-serves.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import type { Shift } from '../rules/floor/floor.ts'
import { inTurn } from './next-up.ts'
import { type LineUpRow, type ServedRow, lineUpOf, servedOn, serversOf } from './reads.ts'
import type { ServerRow } from './server.ts'

/** Who serves on a service date, as its pages show it. */
export type ServersSeen = {
  /** The one that runs; else the next of the date, after all of them the last. */
  readonly shift: Shift
  /** By id, those who are off, too. */
  readonly all: ReadonlyMap<number, ServerRow>
  readonly lineUp: readonly LineUpRow[]
  /** Who serves or served a party, by the id of its booking. */
  readonly of: (reservation: number) => ServerRow | undefined
  /** Whose tables these are by the line-up, for a party that comes then; without an instant in the shift that is shown. */
  readonly whose: (tables: readonly number[], then?: Temporal.Instant) => ServerRow | undefined
  /** The same if they are there then; without an instant now, or at all before the shift begins. */
  readonly at: (tables: readonly number[], then?: Temporal.Instant) => ServerRow | undefined
  /** Whether somebody of the line-up has gone home before the service ends. */
  readonly hasLeft: (one: Pick<LineUpRow, 'until_minute'>) => boolean
  /** Everybody who sat down on the date. */
  readonly served: readonly ServedRow[]
  /** In the order of their turn. */
  readonly turn: readonly ServerRow[]
}

/** Undefined, and without a statement, where nobody made a line-up for the date. */
export const serversSeen = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  rules: Pick<BookingRules, 'floor' | 'timezone' | 'periods' | 'specialDays'>,
  date: LocalDate,
): Promise<ServersSeen | undefined> => {
  const { floor, timezone } = rules
  if (!floor) return undefined
  const at = (minute: number): number => instantOfMinute(timezone, date, minute)
  const ofDate = floor.shifts.filter((one) => one.date === date)
  const running = shiftAt(floor, rules, date, now())
  const shift =
    running ?? ofDate.findLast(({ fromMinute }) => at(fromMinute) > now().epochMilliseconds) ?? ofDate[0]
  if (!shift) return undefined
  const [servers, lineUp, served] = await Promise.all([
    serversOf(db, venue.id),
    lineUpOf(db, venue.id, shift.id),
    servedOn(db, venue.id, date),
  ])
  const all = new Map(servers.map((server) => [server.id, server]))
  const ofReservation = new Map(served.map(({ reservation_id, server_id }) => [reservation_id, server_id]))
  const inShift = served.filter(
    ({ seated_at }) => shiftAt(floor, rules, date, toInstant(seated_at))?.id === shift.id,
  )
  const turn = inTurn(
    // Who has no section is offered no table, so it is never their turn.
    lineUp
      .filter(({ sections }) => sections !== null)
      .map((one) => ({
        server: one.server_id,
        place: one.place,
        from: at(one.from_minute),
        until: at(one.until_minute),
        isCut: one.cut_at !== null,
        skippedAt: one.skipped_at === null ? null : toInstant(one.skipped_at).epochMilliseconds,
      })),
    inShift.flatMap(({ server_id, party_size, seated_at }) =>
      server_id === null
        ? []
        : { server: server_id, covers: party_size ?? 1, at: toInstant(seated_at).epochMilliseconds },
    ),
    now().epochMilliseconds,
  )
  const hasPassed = (then: Temporal.Instant): boolean => Temporal.Instant.compare(then, now()) < 0
  const serving = (tables: readonly number[], then: Temporal.Instant | undefined, isThere: boolean) => {
    const theirs = then ? shiftAt(floor, rules, date, then) : shift
    // Who was to come before now, in the shift that runs, sits down now: who went home meanwhile does not serve them.
    const come = then && theirs?.id === running?.id && hasPassed(then) ? now() : then
    const when = come ?? (at(shift.fromMinute) <= now().epochMilliseconds ? now() : undefined)
    const present = isThere && theirs && when ? presentAt(theirs, timezone, when) : undefined
    return theirs && all.get(serverOf(sectionsIn(floor, theirs, present), tables) ?? 0)
  }
  return {
    shift,
    all,
    lineUp,
    served,
    of: (reservation) => all.get(ofReservation.get(reservation) ?? 0),
    whose: (tables, then) => serving(tables, then, false),
    at: (tables, then) => serving(tables, then, true),
    hasLeft: ({ until_minute: until }) => until < shift.toMinute && at(until) <= now().epochMilliseconds,
    turn: turn.flatMap((id) => all.get(id) ?? []),
  }
}

/** Of several offers of tables, the one whose server comes first in turn; undefined where nobody's is among them. */
export const nextAmong = (
  { at, turn }: Pick<ServersSeen, 'at' | 'turn'>,
  offers: readonly (readonly number[])[],
  then: Temporal.Instant,
): number | undefined => {
  const places = offers.map((tables) => turn.findIndex(({ id }) => id === at(tables, then)?.id))
  const first = Math.min(...places.filter((place) => place >= 0))
  return Number.isFinite(first) ? places.indexOf(first) : undefined
}
