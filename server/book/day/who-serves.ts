import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { plannedPeriodsOn } from '../rules/resolve-service.ts'
import type { Floor, Shift } from '../rules/floor/floor.ts'
import { instantOfMinute } from './day-span.ts'

/*
 * Who serves where: the line-up of a service says who has which section, and its plan says which tables those are.
 */

type Serving = Pick<Floor, 'shifts' | 'sectionPlans'>

/** Who sits down this long before the doors open or after they close is still of the shift. */
const aroundMinutes = 60

type Hours = Pick<BookingRules, 'timezone' | 'periods' | 'specialDays'>

/** The minute from which somebody who sits down is of a shift that is to begin. */
const since = ({ fromMinute }: Shift, planned: ReturnType<typeof plannedPeriodsOn>): number =>
  Math.max(
    0,
    fromMinute - aroundMinutes,
    ...planned.map(({ endMinute }) => endMinute).filter((end) => end <= fromMinute),
  )

/**
 * The shift of a service date that a party which sits down at an instant is of: the one that runs, or is about to begin, or
 * just ended; never one whose neighbor service, with a line-up or without, runs then. Undefined where there is none.
 */
export const shiftAt = (
  { shifts }: Pick<Serving, 'shifts'>,
  rules: Hours,
  date: LocalDate,
  at: Temporal.Instant,
): Shift | undefined => {
  const planned = plannedPeriodsOn(rules, date)
  const reached = (minute: number): boolean =>
    instantOfMinute(rules.timezone, date, minute) <= at.epochMilliseconds
  const until = ({ toMinute }: Shift): number =>
    Math.min(
      toMinute + aroundMinutes,
      ...planned.map(({ startMinute }) => startMinute).filter((start) => start >= toMinute),
    )
  // From the last to the first.
  const ofDate = shifts.filter((shift) => shift.date === date)
  return (
    ofDate.find((shift) => reached(shift.fromMinute) && !reached(until(shift))) ??
    ofDate.findLast((shift) => reached(since(shift, planned)) && !reached(shift.fromMinute))
  )
}

type Present = (hours: Pick<Shift['servers'][number], 'from' | 'until'>) => boolean

/**
 * Who of a shift is there at an instant. Who comes with the doors or stays until they close is of all of it, an hour around it
 * as well.
 */
export const presentAt =
  (
    { date, fromMinute, toMinute }: Pick<Shift, 'date' | 'fromMinute' | 'toMinute'>,
    timezone: string,
    at: Temporal.Instant,
  ): Present =>
  ({ from, until }) => {
    const reached = (minute: number): boolean =>
      instantOfMinute(timezone, date, minute) <= at.epochMilliseconds
    return (from <= fromMinute || reached(from)) && (until >= toMinute || !reached(until))
  }

/** The section of each table in a shift, and who has it; null: nobody. `isPresent`: nobody either where that one is not there. */
export const sectionsIn = (
  { sectionPlans }: Pick<Serving, 'sectionPlans'>,
  { plan, servers }: Pick<Shift, 'plan' | 'servers'>,
  isPresent: Present = () => true,
): ReadonlyMap<number, { readonly section: number; readonly server: number | null }> => {
  const served = new Map(servers.filter(isPresent).map(({ section, server }) => [section, server]))
  const tables = sectionPlans.find(({ id }) => id === plan)?.tables ?? []
  return new Map(
    tables.map(({ table, section }) => [table, { section, server: served.get(section) ?? null }]),
  )
}

/**
 * What each table counts to when covers are spread: to its server, or to its section while that has none; those in no section
 * count together. One for each line-up of a date, from the first, with the instant from which a party is of it. None where
 * nobody made a line-up.
 */
export const balancedBy = (
  floor: Serving,
  rules: Hours,
  date: LocalDate,
): readonly { readonly from: number; readonly of: (table: number) => string }[] =>
  floor.shifts
    .filter((shift) => shift.date === date)
    .toSorted((a, b) => a.fromMinute - b.fromMinute)
    .map((shift) => {
      const sections = sectionsIn(floor, shift)
      return {
        from: instantOfMinute(rules.timezone, date, since(shift, plannedPeriodsOn(rules, date))),
        of: (table) => {
          const { section, server } = sections.get(table) ?? { section: 'none', server: null }
          // Who works twice begins anew.
          return `${shift.id} ${server === null ? `section ${section}` : `server ${server}`}`
        },
      }
    })

/** Who serves a party at these tables: of several, the one who has the first that anybody has. */
export const serverOf = (
  sections: ReturnType<typeof sectionsIn>,
  tables: readonly number[],
): number | undefined => {
  for (const table of tables.toSorted((a, b) => a - b)) {
    const server = sections.get(table)?.server
    if (server !== undefined && server !== null) return server
  }
  return undefined
}
