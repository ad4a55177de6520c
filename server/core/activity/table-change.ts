/*
 * What a press does to who holds which tables, its own party and others that move for it. It is kept with the press's row
 * of the activity log (ids and pins, no person), so that an undo can put back exactly that.
 */

/** What a booking holds: tables by their ids, ascending, and whether machines leave it there. */
export type Held = {
  readonly tables: readonly number[]
  readonly pinned: boolean
  /** Staff want it without a table; absent: it gets one when there is one. */
  readonly noTable?: boolean | undefined
}

export const holdsNone: Held = { tables: [], pinned: false }
export const keptWithout: Held = { ...holdsNone, noTable: true }

/** What a booking held before, and holds from now on. */
export type TableChange = { readonly reservation: number; readonly before: Held; readonly after: Held }

export const sameHeld = (one: Held, other: Held): boolean =>
  one.tables.join() === other.tables.join() &&
  (one.tables.length === 0
    ? (one.noTable ?? false) === (other.noTable ?? false)
    : one.pinned === other.pinned)

/** Changes in the order they were made as one for each booking; a booking that came back to where it was has no change. */
export const joinedChanges = (changes: readonly TableChange[]): readonly TableChange[] => {
  const joined = new Map<number, TableChange>()
  for (const { reservation, before, after } of changes) {
    joined.set(reservation, { reservation, before: joined.get(reservation)?.before ?? before, after })
  }
  return [...joined.values()].filter(({ before, after }) => !sameHeld(before, after))
}
