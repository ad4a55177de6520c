import { type FloorDay, type Wanted, meet, partyWanted, seat } from '../day/day-floor.ts'
import type { DiningTable } from '../rules/floor/floor.ts'
import { arrange } from './arrange.ts'

/*
 * Tables that are free for a party once others moved whom a machine put there. What is said of them is what a press at them
 * does: it goes by the same arrangement.
 */

export type Moving = {
  readonly tables: readonly DiningTable[]
  /** Who moves, by the ids of bookings, and to which tables. */
  readonly moves: ReadonlyMap<number, readonly DiningTable[]>
}

/** Those the search would give it; undefined where there are none, or where a press at them would ask first. */
export const byMoving = (day: FloorDay, wanted: Wanted): Moving | undefined => {
  const seating = seat(day, wanted)
  if (!seating.seated) return undefined
  return seating.moves.size === 0
    ? { tables: tablesOf(day, seating.tables), moves: new Map() }
    : movingTo(day, wanted, seating.tables)
}

/** Other tables that somebody has for some of its stay who can move: the smallest that fit first, at most so many. */
export const placesByMoving = (day: FloorDay, wanted: Wanted, most: number): readonly Moving[] => {
  const { floor, evening, movable } = day
  const party = partyWanted(day, wanted)
  const singles = floor.tables.map(({ id, least, most: seats }) => ({ tables: [id], least, most: seats }))
  const places = [...singles, ...floor.combinations]
    .filter((one) => one.least <= party.size && party.size <= one.most)
    .toSorted((a, b) => a.most - b.most || a.tables.length - b.tables.length)
  const found: Moving[] = []
  for (const { tables } of places) {
    if (found.length >= most) break
    const isHere = ({ id }: { readonly id: number }): boolean => tables.includes(id)
    const isOff = evening.tables.some((one) => isHere(one) && one.unavailable.some((off) => meet(off, party)))
    const there = evening.parties.filter(
      (other) =>
        meet(other, party) &&
        (other.group === null || other.group !== party.group) &&
        other.tables.some((table) => tables.includes(table)),
    )
    if (isOff || there.length === 0 || there.some(({ id }) => !movable.has(id))) continue
    const moving = movingTo(day, wanted, tables)
    if (moving) found.push(moving)
  }
  return found
}

const movingTo = (day: FloorDay, wanted: Wanted, tables: readonly number[]): Moving | undefined => {
  const arranged = arrange(day, [{ party: partyWanted(day, wanted), tables }])
  return arranged.ok
    ? {
        tables: tablesOf(day, tables),
        moves: new Map([...arranged.moves].map(([id, to]) => [id, tablesOf(day, to)])),
      }
    : undefined
}

const tablesOf = ({ floor }: FloorDay, ids: readonly number[]): readonly DiningTable[] =>
  floor.tables.filter(({ id }) => ids.includes(id))
