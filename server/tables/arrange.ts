import type { Party } from './assignment/evening.ts'
import { layOut } from './assignment/judge.ts'
import { type FloorDay, movesOf } from './day-floor.ts'

/** A party and the tables that staff want it at. */
export type Placing = { readonly party: Party; readonly tables: readonly number[] }

export type Arrangement =
  /** Who else moves for it, by the ids of bookings. */
  | { readonly ok: true; readonly moves: ReadonlyMap<number, readonly number[]> }
  /** Who is at one of these tables at that time and cannot be moved. */
  | { readonly ok: false; readonly inTheWay: Party; readonly table: number }

/**
 * Puts parties where staff want them. Whoever a machine put there before is moved elsewhere; who is pinned, arrived,
 * seated or due soon is in the way, and so is a party for which there is no other table. Pure.
 */
export const arrange = (day: FloorDay, placings: readonly Placing[]): Arrangement => {
  const placed = new Set(placings.map(({ party }) => party.id))
  const others = day.evening.parties.filter(({ id }) => !placed.has(id))
  const displaced = new Map<string, number>()
  for (const { party, tables } of placings) {
    for (const other of others) {
      const table = other.tables.find((one) => tables.includes(one))
      if (table === undefined || !meet(party, other)) continue
      if (!day.movable.has(other.id)) return { ok: false, inTheWay: other, table }
      displaced.set(other.id, table)
    }
  }
  const { base } = layOut({
    ...day.evening,
    parties: [
      ...others.map((other) => (displaced.has(other.id) ? { ...other, tables: [] } : other)),
      ...placings.map(({ party, tables }) => ({ ...party, tables, fixed: true })),
    ],
  })
  const stranded = others.find(({ id }) => displaced.has(id) && base.unseated.includes(id))
  if (stranded) return { ok: false, inTheWay: stranded, table: displaced.get(stranded.id) as number }
  return { ok: true, moves: movesOf(day, base.given) }
}

const meet = (a: Party, b: Party): boolean =>
  a.from < b.until && b.from < a.until && (a.group === null || a.group !== b.group)
