import type { Held, TableChange } from '../../core/activity/table-change.ts'

/*
 * What happened between a press and its undo, according to the activity log: whom somebody placed, moved or let in since, and
 * whom only machines moved. Facts in, answer out.
 */

export type SinceRow = {
  /** The service did it by itself. */
  readonly byMachine: boolean
  /** The booking it is about. */
  readonly reservation: number | undefined
  /** The columns that changed; null: the booking was made, or is gone. */
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly tables: readonly TableChange[]
}

export type Since = {
  /** Bookings that are not as they were: made since, or of another status, time, size, length, or here by now. */
  readonly touched: ReadonlySet<number>
  /** Of those, the ones that came to a time since: made, moved to it, larger than before, or in the book again. */
  readonly came: ReadonlySet<number>
  /** Where those were right after the press whose tables changed since. */
  readonly earlier: ReadonlyMap<number, Held>
}

/** What of a booking says where and when its party is. Which table a machine gave it is not among them. */
const placing = ['status', 'starts_at', 'party_size', 'duration_minutes', 'checked_in_at', 'seated_at']
const placingByStaff = [...placing, 'tables', 'pinned']

/** Reads the activity since a press, oldest first. What was done and undone again is as if it had not been. */
export const sinceOf = (rows: readonly SinceRow[]): Since => {
  const earlier = new Map<number, Held>()
  const made = new Set<number>()
  const columns = new Map<number, Map<string, { readonly was: unknown; is: unknown }>>()
  for (const { byMachine, reservation, before, after, tables } of rows) {
    for (const change of tables) {
      if (!earlier.has(change.reservation)) earlier.set(change.reservation, change.before)
    }
    if (reservation === undefined) continue
    if (!before || !after) {
      // The whole booking, or a word about it such as the mail it was sent.
      if ('status' in (before ?? after ?? {})) made.add(reservation)
      continue
    }
    const known = columns.get(reservation) ?? new Map<string, { readonly was: unknown; is: unknown }>()
    for (const name of byMachine ? placing : placingByStaff) {
      if (!(name in before)) continue
      const column = known.get(name) ?? { was: before[name], is: undefined }
      known.set(name, { ...column, is: after[name] })
    }
    columns.set(reservation, known)
  }
  const differ = [...columns].filter(([, known]) => [...known.values()].some(({ was, is }) => was !== is))
  const came = differ.filter(([, known]) => addsLoad(known))
  return {
    touched: new Set([...made, ...differ.map(([id]) => id)]),
    came: new Set([...made, ...came.map(([id]) => id)]),
    earlier,
  }
}

const addsLoad = (known: ReadonlyMap<string, { readonly was: unknown; readonly is: unknown }>): boolean =>
  ['starts_at', 'party_size'].some((name) => known.get(name)?.was !== known.get(name)?.is) ||
  ['Cancelled', 'No-show'].some(
    (status) => known.get('status')?.was === status && known.get('status')?.is !== status,
  )
