import type { FloorDay, Load, Wanted } from '../../day/day-floor.ts'
import { type ShortStay, shortStays } from '../../day/short-stays.ts'
import type { DiningTable } from '../../rules/floor/floor.ts'
import { type Moving, byMoving, movesMany } from '../arrange.ts'
import { type Late, lateTables } from './late-tables.ts'
import { type Needing, isFreeFor, openForAWhile, openTables } from './open-tables.ts'

/*
 * Where a party could sit down now, in the one order in which the evening says it: what nobody else needs, for the whole stay
 * before by moving others before for a while; then what somebody without a table could have; then what is kept for a party that
 * is late; last, what many others would have to move for. Rows, the line and the choice of a table all begin with the first of these.
 * For who is here, what only parties could have that are late comes as early as what nobody needs, with their names.
 */

export type Place = {
  readonly tables: readonly DiningTable[]
  /** Until when it is free; null: nobody follows. Undefined: others move for it. */
  readonly until: Temporal.Instant | null | undefined
  /** For a while only; undefined: for the whole stay. */
  readonly short?: ShortStay | undefined
  readonly moving?: Moving
  /** Who has no table yet and would get it. */
  readonly neededBy?: Needing | undefined
  /** For whom it is kept. */
  readonly late?: readonly Late[]
}

/** Each is looked for when it is asked for: most rows read no further than the first. */
export function* placesNow(
  day: FloorDay,
  wanted: Wanted,
  { load, isHere = false }: { readonly load?: Load; readonly isHere?: boolean } = {},
): Generator<Place> {
  const open = openTables(day, wanted, load)
  const free = open.filter((one) => isFreeFor(one, isHere))
  yield* free
  const moving = free.length === 0 ? byMoving(day, wanted) : undefined
  const byOthers =
    moving && moving.moves.size > 0 ? { tables: moving.tables, moving, until: undefined } : undefined
  if (byOthers && !movesMany(moving)) yield byOthers
  // Who has no table yet finds another beside them.
  const shared =
    moving?.moves.size === 0 ? open.find(({ tables }) => keyOf(tables) === keyOf(moving.tables)) : undefined
  if (shared) yield { ...shared, neededBy: undefined }
  for (const short of shortStays(day, wanted)) yield { ...short, short }
  for (const one of open) if (!isFreeFor(one, isHere)) yield one
  for (const short of openForAWhile(day, wanted)) if (short.neededBy) yield { ...short, short }
  yield* lateTables(day, wanted)
  if (byOthers && movesMany(moving)) yield byOthers
}

const keyOf = (tables: Place['tables']): string => tables.map(({ id }) => id).join()

/** Whether nobody else needs it, few move for it, and it is for the whole stay. */
export const isWhole = ({ short, neededBy, late, moving }: Place): boolean =>
  !short && !neededBy && !late && !movesMany(moving)
