import {
  type FloorDay,
  type Wanted,
  floorWithoutLate,
  meet,
  minutesLate,
  partyWanted,
} from '../../day/day-floor.ts'
import { type ShortStay, shortStays } from '../../day/short-stays.ts'
import { type OpenTable, laidAtTables, openTables } from './open-tables.ts'

/*
 * Tables that are empty and kept for a party that is late. Whether it still comes nobody knows, and until somebody marks it as
 * a no-show machines give its table to nobody. Staff decide: for a party that is here and fits, the table is offered last,
 * with the name of the party that would lose it, and a press at it asks once.
 */

/** Of who is late. */
export type Late = {
  readonly reservation: number
  readonly size: number
  readonly minutes: number
}

export type LateTable = Pick<OpenTable, 'tables' | 'until'> & {
  /** For a while only; undefined: for the whole stay. */
  readonly short: ShortStay | undefined
  /** Everybody for whom it is kept, who is least late first: of joined tables each may have a party of its own. */
  readonly late: readonly Late[]
}

/** What a party could have if those that are late did not come: the longest late first, whole stays before others. */
export const lateTables = (day: FloorDay, wanted: Wanted): readonly LateTable[] => {
  const party = partyWanted(day, wanted)
  const late = day.evening.parties.filter((one) => day.late.has(one.id) && meet(one, party))
  if (late.length === 0) return []
  const rest = floorWithoutLate(day)
  const whole = openTables(rest, wanted).map(({ tables, until }) => ({ tables, until, short: undefined }))
  const some = shortStays(rest, wanted, laidAtTables(rest)).map((short) => ({
    tables: short.tables,
    until: short.until,
    short,
  }))
  return [...whole, ...some]
    .flatMap((place) => {
      const holders = late.filter(({ tables }) => place.tables.some(({ id }) => tables.includes(id)))
      const kept = holders.toSorted((a, b) => b.from - a.from).map((one) => lateOf(day, one))
      return kept.length > 0 ? [{ ...place, late: kept }] : []
    })
    .toSorted((a, b) => leastLate(b) - leastLate(a))
}

const leastLate = ({ late }: LateTable): number => late[0]?.minutes ?? 0

const lateOf = (day: FloorDay, party: FloorDay['evening']['parties'][number]): Late => ({
  reservation: Number(party.id),
  size: party.size,
  minutes: minutesLate(day, party),
})
