import { meet } from './board.ts'
import type { Assignment, Party } from './evening.ts'

/** Somebody who is put at tables. */
export type Placed = { readonly party: Party; readonly tables: readonly number[] }

/**
 * Of those whom an assignment moves: who makes room for these, and for each other. All others may stay where they are, since
 * they were moved for somebody who gets nothing yet: a request, a hold, a change that is asked for.
 */
export const whoMoves = (
  placed: readonly Placed[],
  parties: readonly Party[],
  given: Assignment['given'],
): ReadonlyMap<string, readonly number[]> => {
  const moved = new Map<string, readonly number[]>()
  const waiting = parties.filter(({ id, tables }) => tables.length > 0 && given.has(id))
  const making = [...placed]
  for (const one of making) {
    for (const party of waiting) {
      if (moved.has(party.id) || !meet(one.party, party)) continue
      if (!one.tables.some((table) => party.tables.includes(table))) continue
      const tables = given.get(party.id) ?? []
      moved.set(party.id, tables)
      making.push({ party, tables })
    }
  }
  return moved
}
