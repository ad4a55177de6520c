import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { type OffSpan, endOfDay, instantOfMinute, offSpans, startOfDay } from '../../../book/day/day-span.ts'
import { type EveningFloor, eveningFloor } from '../../../book/tables/reads.ts'
import { type MustSee, mustSeeOfDay } from '../../../book/reservations/day-book.ts'
import { plannedPeriodsOn } from '../../../book/rules/resolve-service.ts'
import { type ServersSeen, serversSeen } from '../../../book/servers/seen.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { mostSteps, stepMinutes } from './steps.ts'

/** A time at which a table takes nobody, as far as it is drawn. */
export type OffShown = Pick<OffSpan, 'because' | 'why'> & {
  readonly from: Temporal.Instant
  readonly until: Temporal.Instant
}

export type GridSeen = {
  /** The service date shown, and the current one. */
  readonly date: LocalDate
  readonly today: LocalDate
  readonly now: Temporal.Instant
  /** A moment by the venue's clock; each is worked out once. */
  readonly timeOf: (moment: Temporal.Instant) => string
  /** The full hour it begins at, and how many steps are drawn from there. */
  readonly from: Temporal.Instant
  readonly steps: number
  /** The step that is now; undefined where now is not drawn. */
  readonly nowStep: number | undefined
  readonly evening: EveningFloor
  readonly rooms: readonly { readonly name: string; readonly tables: EveningFloor['tables'] }[]
  /** When tables take nobody, by their ids. */
  readonly off: ReadonlyMap<number, readonly OffShown[]>
  readonly mark: string
  /** Who serves whom and where, where the date has a line-up. */
  readonly servers: ServersSeen | undefined
  /** What must be seen of parties, by the ids of bookings. */
  readonly mustSee: ReadonlyMap<number, MustSee>
}

/** An evening's tables by time; undefined where tables decide nothing. */
export const readGrid = async (
  work: OfficeWork,
  asked: LocalDate | undefined,
): Promise<GridSeen | undefined> => {
  const { db, venue } = work
  const now = work.now()
  const wall = wallTimeOf(now, venue.timezone)
  // Read before the rest: a change in between shows at the next look, instead of never.
  const [mark, rulesNow] = await Promise.all([minuteMark(work), bookingRulesAround(db, venue, wall.date)])
  const today = serviceDateAt(rulesNow, now)
  const date = asked ?? today
  const rules = date === wall.date ? rulesNow : await bookingRulesAround(db, venue, date)
  const { floor } = rules
  if (!floor) return undefined
  const [evening, servers, mustSee] = await Promise.all([
    eveningFloor(work, date, rules),
    serversSeen(work, rules, date),
    mustSeeOfDay(db, venue.id, date),
  ])
  const parties = [...evening.tables.flatMap((table) => table.parties), ...evening.withoutTable]
  const first = Math.min(startOfDay(rules, date), ...parties.map((party) => party.from.epochMilliseconds))
  const ends = plannedPeriodsOn(rules, date).map(({ endMinute }) =>
    instantOfMinute(venue.timezone, date, endMinute),
  )
  const last = Math.max(
    ...ends,
    ...parties.map(({ until }) => until.epochMilliseconds),
    ends.length + parties.length === 0 ? endOfDay(rules, date, 0) : 0,
  )
  // The full hour of the venue's clocks; in zones that differ by half an hour it is not a full hour elsewhere.
  const firstMinute = Math.floor(first / minuteMs) * minuteMs
  const { time } = wallTimeOf(Temporal.Instant.fromEpochMilliseconds(firstMinute), venue.timezone)
  const start = firstMinute - Number(time.slice(3)) * minuteMs
  const steps = Math.min(mostSteps, Math.max(perHour, Math.ceil((last - start) / hourMs) * perHour))
  const nowStep = Math.floor((now.epochMilliseconds - start) / (stepMinutes * minuteMs))
  const end = start + steps * stepMinutes * minuteMs
  const off = new Map(
    [...offSpans(rules, floor, date)].map(([table, spans]) => [
      table,
      spans
        .filter(({ from, until }) => until > start && from < end)
        .map(({ from, until, because, why }) => ({
          from: Temporal.Instant.fromEpochMilliseconds(Math.max(from, start)),
          until: Temporal.Instant.fromEpochMilliseconds(Math.min(until, end)),
          because,
          why,
        })),
    ]),
  )
  return {
    date,
    today,
    now,
    timeOf: clockOf(venue.timezone),
    from: Temporal.Instant.fromEpochMilliseconds(start),
    steps,
    nowStep: nowStep >= 0 && nowStep < steps ? nowStep : undefined,
    evening,
    rooms: evening.rooms
      .map(({ id, name }) => ({ name, tables: evening.tables.filter(({ room }) => room === id) }))
      .filter(({ tables }) => tables.length > 0),
    off,
    mark,
    servers,
    mustSee,
  }
}

/** Hundreds of blocks share a few dozen times. */
const clockOf = (zone: string): GridSeen['timeOf'] => {
  const known = new Map<number, string>()
  return (moment) => {
    const at = moment.epochMilliseconds
    const time = known.get(at) ?? timeOf(moment, zone)
    known.set(at, time)
    return time
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const perHour = 60 / stepMinutes
