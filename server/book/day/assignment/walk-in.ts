import { type Board, choicesOf, guestOf, inTheWay, placesFor } from './board.ts'
import type { Party } from './evening.ts'
import type { Laid } from './judge.ts'

/** Tables for a party at the door, and the instant until which they are free; null where nobody follows. */
export type Free = { readonly tables: readonly number[]; readonly until: number | null }

/**
 * The places that are free for a party's whole span, best first, and until when each stays so. With nobody moved: a party
 * at the door is seated at what is free now. `party.from` is the moment asked about. `rest`: how much later than a
 * table takes nobody the evening says so, as a party is counted with the rest after it.
 */
export const freeFor = ({ board }: Laid, party: Party, most: number, rest = 0): readonly Free[] => {
  const guest = guestOf(party)
  return choicesOf(board, guest)
    .filter((place) => inTheWay(board, guest, place).length === 0)
    .slice(0, most)
    .map(({ tables }) => ({
      tables: tables.map((table) => board.ids[table] as number),
      until: freeUntil(board, tables, { at: party.from, rest }),
    }))
}

/** When the first of these tables is next needed at or after an instant, or takes nobody. */
const freeUntil = (
  { held, unavailable }: Board,
  tables: readonly number[],
  { at, rest }: { readonly at: number; readonly rest: number },
): number | null => {
  const starts = tables
    .flatMap((table) => [
      ...(held[table] ?? []),
      ...(unavailable[table] ?? []).map(({ from, until }) => ({ from: from - rest, until })),
    ])
    .filter(({ until }) => until > at)
    .map(({ from }) => from)
  return starts.length === 0 ? null : Math.min(...starts)
}

/** Tables that are free for some of a party's stay, and when its stay would end. */
export type ForAWhile = { readonly tables: readonly number[]; readonly until: number }

/** A stay ends at a time that can be said. */
const endsEvery = 5 * 60_000

/**
 * The places of a party's size that are free from its start on for at least `least`, but not for its whole span; the longest
 * first, then fewest seats wasted. With nobody moved: neither from where the board has them nor from where they are stored.
 * `rest`: how long a table rests before who comes next. Each guest and each place is looked at once. All of them: who shows them
 * to one party shows few, but a line takes turns at them.
 */
export const freeForAWhile = (
  { board }: Laid,
  party: Party,
  { least, rest }: { readonly least: number; readonly rest: number },
): readonly ForAWhile[] => {
  const next = nextAt(board, party)
  return placesFor(board, party)
    .map(({ tables }) => ({ tables, needed: Math.min(...tables.map((table) => next[table] as number)) }))
    .map((one) => ({ ...one, until: endBefore(one.needed, rest) }))
    .filter(({ needed, until }) => needed < party.until && until - party.from >= least)
    .toSorted((a, b) => b.until - a.until)
    .map(({ tables, until }) => ({ tables: tables.map((table) => board.ids[table] as number), until }))
}

/**
 * When these tables, by their ids, are needed after a stay that begins with a party, and when it would have to end for that;
 * Infinity where nobody follows.
 */
export const endOfStayAt = (
  { board }: Laid,
  party: Party,
  tables: readonly number[],
  rest: number,
): { readonly needed: number; readonly until: number } => {
  const next = nextAt(board, party)
  const needed = Math.min(...tables.map((id) => next[board.ids.indexOf(id)] ?? Infinity))
  return { needed, until: endBefore(needed, rest) }
}

const endBefore = (needed: number, rest: number): number =>
  Math.floor((needed - rest) / endsEvery) * endsEvery

/** When each table is needed next by somebody else who is not gone by a party's start, or takes nobody. */
const nextAt = ({ ids, guests, unavailable }: Board, party: Party): readonly number[] => {
  const next = ids.map((_, table) =>
    Math.min(
      Infinity,
      ...(unavailable[table] ?? []).filter(({ until }) => until > party.from).map(({ from }) => from),
    ),
  )
  for (const { id, from, until, group, place, stored } of guests) {
    if (id === party.id || until <= party.from || (group !== null && group === party.group)) continue
    for (const table of [...(place?.tables ?? []), ...(stored?.tables ?? [])])
      next[table] = Math.min(next[table] as number, from)
  }
  return next
}
