import { type Count, atTables } from './open-tally.ts'
import { type Cell, type Sums, type Tally, addCell, eachValue, textOfKey } from './tally.ts'

/*
 * Parties at tables. A day keeps who sat at which table by its number alone: what a table is called and how many it seats
 * may change any day, and is asked when a period is shown, so that no change of the floor makes the past once more.
 */

/** What a table is now, or was when it was removed. */
export type TableFacts = { readonly label: string; readonly most: number }

type AtTables = { readonly party_size: number | null; readonly table_ids: readonly number[] }

/** Of the parties served on a day. */
export const countTables = (count: Count, date: string, served: readonly AtTables[]): void => {
  const seated = served.filter(({ table_ids }) => table_ids.length > 0)
  if (seated.length === 0) return
  const [used, guests] = [seated.flatMap(({ table_ids }) => table_ids), sizesOf(seated)]
  count('tables', { measure: 'parties' }, seated.length)
  count('tables_known', { date }, seated.length)
  count('tables', { measure: 'turns' }, used.length, new Set(used).size)
  // Who has no size fills no seats, and takes none that could be filled.
  if (seated.some(({ party_size }) => party_size !== null)) count('tables', { measure: 'seats' }, guests)
  for (const [table, parties] of byTable(seated)) {
    const sizeless = parties.filter(({ party_size }) => party_size === null).length
    count(atTables, { measure: 'parties' }, parties.length, 0, table, parties.length)
    count(atTables, { measure: 'covers' }, sizesOf(parties), 0, table, sizesOf(parties))
    if (sizeless > 0) count(atTables, { measure: 'sizeless' }, sizeless, 0, table, sizeless)
  }
}

const byTable = (parties: readonly AtTables[]): ReadonlyMap<number, readonly AtTables[]> => {
  const found = new Map<number, AtTables[]>()
  for (const party of parties) {
    for (const table of party.table_ids) {
      const others = found.get(table)
      if (others) others.push(party)
      else found.set(table, [party])
    }
  }
  return found
}

const sizesOf = (parties: readonly AtTables[]): number =>
  parties.reduce((sum, { party_size }) => sum + (party_size ?? 0), 0)

/** What was counted, with the seats and the names of the venue's tables; without a word of tables where they decide nothing. */
export const withTables = (tally: Tally, tables: ReadonlyMap<number, TableFacts> | undefined): Tally => {
  const { tables: counted = {}, tables_known: known = {}, [atTables]: at = {}, ...others } = tally
  if (tables === undefined) return others
  const byTable: Sums[string] = {}
  let seats = 0
  const each = (measure: string, take: (table: TableFacts, times: number) => void): void => {
    const [, , values = {}] = at[textOfKey({ measure })] ?? []
    eachValue(values, (id, times) => {
      const table = tables.get(id)
      if (table) take(table, times)
    })
  }
  const add = (measure: 'parties' | 'covers', table: TableFacts, n: number): void =>
    addCell(byTable, textOfKey({ table: table.label, measure }), [n, 0])
  each('parties', (table, parties) => {
    seats += parties * table.most
    add('parties', table, parties)
  })
  each('covers', (table, covers) => add('covers', table, covers))
  each('sizeless', (table, parties) => {
    seats -= parties * table.most
  })
  const ofSeats = textOfKey({ measure: 'seats' })
  const filled: Cell | undefined = counted[ofSeats]
  return {
    ...others,
    tables: filled ? { ...counted, [ofSeats]: [filled[0], seats] } : counted,
    tables_known: known,
    guests_by_table: byTable,
  }
}
