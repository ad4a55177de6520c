import type { Span } from '../day/assignment/evening.ts'
import type { Since } from './since-press.ts'
import { type Held, type TableChange, holdsNone, sameHeld } from '../../core/activity/table-change.ts'

/*
 * Puts back what a press did to tables: everybody it moved who is still where it left them, and its own party. What machines
 * did since makes room again, as far as it has to; what people did since stays, and a party they put at the party's own
 * table is in the way. Facts in, answer out.
 */

/** Somebody who holds tables, or could: a booking by its number, a party that was paged by what it is called. */
export type Holder = Span & {
  readonly id: number | string
  readonly held: Held
  /** Seated, here, or with an offer: no machine moves it. */
  readonly stays: boolean
}

export type ToPutBack = {
  readonly holders: readonly Holder[]
  /** What the press changed. */
  readonly changes: readonly TableChange[]
  readonly since: Since
  /** The tables there are. */
  readonly tables: ReadonlySet<number>
  /** The press's own party, from when until when it needs its table again, and where it was; absent: it gets none. */
  readonly own?: (Span & { readonly id: number; readonly held: Held }) | undefined
}

export type PutBackPlan =
  | {
      readonly kind: 'possible'
      /** Who holds what from now on, of those for whom that is something else. */
      readonly held: ReadonlyMap<number, Held>
      /**
       * Whom a machine put where somebody comes back to and who cannot go back where it was: it needs another place. For whom
       * it makes room, and at which table.
       */
      readonly displaced: ReadonlyMap<number, { readonly back: number; readonly table: number }>
    }
  | {
      readonly kind: 'in the way'
      readonly holder: Holder
      /** The table that both want. */
      readonly table: number
    }

/** `settled`: who is not put back, because for somebody in its place no other was found. */
export const planPutBack = (
  { holders, changes, since, tables, own }: ToPutBack,
  settled: ReadonlySet<number> = new Set(),
): PutBackPlan => {
  const byId = new Map(holders.map((holder) => [holder.id, holder]))
  const wanted = new Map<number, Held>()
  const exists = ({ tables: held }: Held): boolean => held.every((table) => tables.has(table))
  for (const { reservation, before } of changes) {
    const isLeft = byId.has(reservation) && !since.touched.has(reservation) && reservation !== own?.id
    if (isLeft && exists(before)) wanted.set(reservation, before)
  }
  if (own) wanted.set(own.id, own.held)
  const stuck = new Set(settled)
  const displaced = new Map<number, { readonly back: number; readonly table: number }>()
  const comesBack = (id: number | string): id is number =>
    typeof id === 'number' && wanted.has(id) && !stuck.has(id)
  const planned = ({ id, held }: Pick<Holder, 'id' | 'held'>): Held =>
    comesBack(id) ? (wanted.get(id) as Held) : typeof id === 'number' && displaced.has(id) ? holdsNone : held
  // Two that were at one table before the press are there again after its undo.
  const isNew = ({ id }: Holder): boolean =>
    typeof id !== 'number' || since.touched.has(id) || since.earlier.has(id) || wanted.has(id)
  /** Somebody who comes back, and who else is there then. */
  const clash = () => {
    for (const back of wanted.keys()) {
      const party = back === own?.id ? own : byId.get(back)
      if (!party || stuck.has(back)) continue
      for (const table of planned(party).tables) {
        const holder = holders.find(
          (other) =>
            other.id !== back &&
            !comesBack(other.id) &&
            planned(other).tables.includes(table) &&
            party.from < other.until &&
            other.from < party.until &&
            isNew(other),
        )
        if (holder) return { back, holder, table }
      }
    }
    return undefined
  }
  for (let found = clash(); found; found = clash()) {
    const { back, holder, table } = found
    const { id, held } = holder
    const isByMachine = typeof id === 'number' && !holder.stays && !held.pinned && !since.touched.has(id)
    const earlier = typeof id === 'number' ? since.earlier.get(id) : undefined
    if (isByMachine && earlier && !wanted.has(id) && exists(earlier)) wanted.set(id, earlier)
    else if (isByMachine) displaced.set(id, { back, table })
    else if (back === own?.id) return { kind: 'in the way', holder, table }
    else stuck.add(back)
  }
  const changed = [...wanted.keys()].flatMap((id): [number, Held][] => {
    const is = byId.get(id)?.held
    const to = stuck.has(id) || displaced.has(id) ? undefined : wanted.get(id)
    return to && (!is || !sameHeld(is, to)) ? [[id, to]] : []
  })
  return { kind: 'possible', held: new Map(changed), displaced }
}
