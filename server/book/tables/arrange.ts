import type { Party } from '../day/assignment/evening.ts'
import { layOut } from '../day/assignment/judge.ts'
import {
  type FloorDay,
  type Wanted,
  beside,
  meet as meets,
  movesOf,
  partyWanted,
  seat,
} from '../day/day-floor.ts'
import type { DiningTable } from '../rules/floor/floor.ts'

/** A party and the tables that staff want it at. */
export type Placing = { readonly party: Party; readonly tables: readonly number[] }

export type Arrangement =
  | {
      readonly ok: true
      /** Who else moves for it, by the ids of bookings. */
      readonly moves: ReadonlyMap<number, readonly number[]>
      /** Who loses its table, because staff said so: bookings that wait for one from now on. */
      readonly dropped: readonly number[]
      /** Who was expected at one of these tables and would have kept it but for the word of staff. */
      readonly gaveWay: readonly InTheWay[]
    }
  | (InTheWay & {
      readonly ok: false
      /** They are there already, and not only expected: no word of staff puts them out. */
      readonly sits: boolean
    })

/** Who is at one of these tables at that time and cannot be moved. */
export type InTheWay = { readonly inTheWay: Party; readonly table: number }

/**
 * Puts parties where staff want them. Parties a machine put there before are moved elsewhere; a party that is pinned, arrived,
 * seated or due soon is in the way, and so is a party for which there is no other table. `force` is staff who have seen
 * who is expected there: these are given another table or none, except for who sits already. Pure.
 */
export const arrange = (
  day: FloorDay,
  placings: readonly Placing[],
  { force = false }: { readonly force?: boolean } = {},
): Arrangement => {
  const placed = new Set(placings.map(({ party }) => party.id))
  const others = beside(day.evening, 'kept').parties.filter(({ id }) => !placed.has(id))
  const displaced = new Map<string, number>()
  const gaveWay: InTheWay[] = []
  for (const { party, tables } of placings) {
    for (const other of others) {
      const table = other.tables.find((one) => tables.includes(one))
      if (table === undefined || !meet(party, other)) continue
      const sits = day.seated.has(other.id)
      if (sits || (!force && !day.movable.has(other.id))) return { ok: false, inTheWay: other, table, sits }
      if (!day.movable.has(other.id)) gaveWay.push({ inTheWay: other, table })
      // A row that is not a booking of this date stays: staff put somebody there anyway.
      if (day.ofDay.has(other.id)) displaced.set(other.id, table)
    }
  }
  const { base } = layOut({
    ...day.evening,
    parties: [
      // Parties that had a table come before those that only hold a place.
      ...others.map((other) =>
        displaced.has(other.id) ? { ...other, tables: [], fixed: false, turn: 0 } : other,
      ),
      ...placings.map(({ party, tables }) => ({ ...party, tables, fixed: true })),
    ],
  })
  const stranded = others.filter(({ id }) => displaced.has(id) && base.unseated.includes(id))
  const [first] = stranded
  if (first && !force) {
    return { ok: false, inTheWay: first, table: displaced.get(first.id) as number, sits: false }
  }
  const elsewhere = others.flatMap((party) => {
    const tables = displaced.has(party.id) && base.given.get(party.id)
    return tables ? [{ party: { ...party, tables: [] }, tables }] : []
  })
  return {
    ok: true,
    moves: new Map([
      ...movesOf(day, [...placings, ...elsewhere], base.given),
      ...elsewhere.map(({ party, tables }): [number, readonly number[]] => [Number(party.id), tables]),
    ]),
    dropped: stranded.map(({ id }) => Number(id)),
    gaveWay: [
      ...gaveWay,
      ...stranded
        .filter((one) => !gaveWay.some(({ inTheWay }) => inTheWay === one))
        .map((one) => ({ inTheWay: one, table: displaced.get(one.id) as number })),
    ],
  }
}

const meet = (a: Party, b: Party): boolean => meets(a, b) && (a.group === null || a.group !== b.group)

/** Tables that are free for a party once others moved: what is said of them is what a press at them does. */
export type Moving = {
  readonly tables: readonly DiningTable[]
  /** Who moves, by the ids of bookings, and to which tables. */
  readonly moves: ReadonlyMap<number, readonly DiningTable[]>
}

/** Others who move for one party without much ado. Where it takes more, everything else is offered first. */
const mostMoved = 3

/** Whether so many others would move for one party that they are counted and not named. */
export const movesMany = (moving: { readonly moves: ReadonlyMap<number, unknown> } | undefined): boolean =>
  moving !== undefined && moving.moves.size > mostMoved

/** How few others may be found to move, where the search finds many. */
const othersTried = 3

/** Those the search would give it; undefined where there are none, or where a press at them would ask first. */
export const byMoving = (day: FloorDay, wanted: Wanted): Moving | undefined => {
  const seating = seat(day, wanted)
  return seating.seated ? movingFor(day, wanted, seating) : undefined
}

type Seating = { readonly tables: readonly number[]; readonly moves: ReadonlyMap<number, readonly number[]> }

/**
 * The same. Where nobody finds a place by a few moves the search takes the first way that seats everybody: then others for whom
 * fewer move are better.
 */
const movingFor = (day: FloorDay, wanted: Wanted, { tables, moves }: Seating): Moving | undefined => {
  if (moves.size === 0) return { tables: tablesOf(day, tables), moves: new Map() }
  const found = movingTo(day, wanted, tables)
  if (!movesMany(found) && moves.size <= mostMoved) return found
  const all = [...(found ? [found] : []), ...placesByMoving(day, wanted, othersTried)]
  return all.toSorted((a, b) => a.moves.size - b.moves.size)[0]
}

/**
 * Where a party of the line is put that is paged, and who moves for it: as `byMoving` says it before, which asks what a press at
 * these tables does; where that would ask first, as the search has it.
 */
export const asSaid = (day: FloorDay, wanted: Wanted): Seating | undefined => {
  const seating = seat(day, wanted)
  if (!seating.seated) return undefined
  const said = movingFor(day, wanted, seating)
  if (!said) return seating
  return {
    tables: said.tables.map(({ id }) => id),
    moves: new Map([...said.moves].map(([id, to]) => [id, to.map((table) => table.id)])),
  }
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
    const isOff = evening.tables.some(
      (one) => isHere(one) && one.unavailable.some((off) => meets(off, party)),
    )
    const there = evening.parties.filter(
      (other) => meet(other, party) && other.tables.some((table) => tables.includes(table)),
    )
    if (isOff || there.length === 0 || there.some(({ id }) => !movable.has(id))) continue
    const moving = movingTo(day, wanted, tables)
    if (moving) found.push(moving)
  }
  return found
}

const movingTo = (day: FloorDay, wanted: Wanted, tables: readonly number[]): Moving | undefined => {
  const arranged = arrange(day, [{ party: partyWanted(day, wanted), tables }])
  return arranged.ok ? movingIn(day, tables, arranged) : undefined
}

/** Who moves so that these tables are free. */
export const movingIn = (
  day: FloorDay,
  tables: readonly number[],
  { moves }: { readonly moves: ReadonlyMap<number, readonly number[]> },
): Moving => ({
  tables: tablesOf(day, tables),
  moves: new Map([...moves].map(([id, to]) => [id, tablesOf(day, to)])),
})

export const tablesOf = ({ floor }: FloorDay, ids: readonly number[]): readonly DiningTable[] =>
  floor.tables.filter(({ id }) => ids.includes(id))
