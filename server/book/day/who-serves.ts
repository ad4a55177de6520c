import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Floor, Shift } from '../rules/floor/floor.ts'
import { instantOfMinute } from './day-span.ts'

/*
 * Who serves where: the line-up of a service says who has which section, and its plan says which tables those are.
 */

type Serving = Pick<Floor, 'shifts' | 'sectionPlans'>

/**
 * The shift of a service date at an instant: the last one that has begun, before the first that one. Undefined where nobody
 * made a line-up for the date.
 */
export const shiftAt = (
  { shifts }: Pick<Serving, 'shifts'>,
  zone: string,
  date: LocalDate,
  at: Temporal.Instant,
): Shift | undefined => {
  // From the last to the first.
  const ofDate = shifts.filter((shift) => shift.date === date)
  return (
    ofDate.find((shift) => instantOfMinute(zone, date, shift.fromMinute) <= at.epochMilliseconds) ??
    ofDate.at(-1)
  )
}

/** The section of each table in a shift, and who has it; null: nobody. */
export const sectionsIn = (
  { sectionPlans }: Pick<Serving, 'sectionPlans'>,
  { plan, servers }: Pick<Shift, 'plan' | 'servers'>,
): ReadonlyMap<number, { readonly section: number; readonly server: number | null }> => {
  const served = new Map(servers.map(({ section, server }) => [section, server]))
  const tables = sectionPlans.find(({ id }) => id === plan)?.tables ?? []
  return new Map(
    tables.map(({ table, section }) => [table, { section, server: served.get(section) ?? null }]),
  )
}

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
