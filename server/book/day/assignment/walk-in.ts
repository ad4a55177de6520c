import { type Board, choicesOf, guestOf, inTheWay } from './board.ts'
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
