import type { Assignment, Evening, Party } from '../evening.ts'

/** The tables of each party of an evening once an assignment is carried out. */
export const seatedBy = (
  { parties }: Pick<Evening, 'parties'>,
  { given }: Pick<Assignment, 'given'>,
): readonly Party[] => parties.map((party) => ({ ...party, tables: given.get(party.id) ?? party.tables }))

/** Everything in an evening that breaks the rules of the page, one sentence each; written without a line of the engine. */
export const faultsOf = ({ tables, combinations, parties }: Evening): readonly string[] => {
  const faults: string[] = []
  const byId = new Map(tables.map((table) => [table.id, table]))
  for (const [n, party] of parties.entries()) {
    if (party.tables.length === 0) continue
    const say = (what: string): void => void faults.push(`${party.id} at ${party.tables.join('+')}: ${what}`)
    const own = party.tables.flatMap((id) => byId.get(id) ?? [])
    const seats =
      own.length === 1
        ? own[0]
        : combinations.find(
            (one) =>
              one.tables.toSorted((a, b) => a - b).join() === party.tables.toSorted((a, b) => a - b).join(),
          )
    if (!seats || own.length !== party.tables.length) say('no such table or combination')
    else if (party.size < seats.least || party.size > seats.most) say(`not for ${party.size}`)
    for (const { online, unavailable } of own) {
      if (party.onlineOnly && !online) say('kept for staff')
      if (unavailable.some(({ from, until }) => from < party.until && party.from < until)) say('closed')
    }
    for (const other of parties.slice(n + 1)) {
      const shared = other.tables.filter((table) => party.tables.includes(table))
      const sameTime = other.from < party.until && party.from < other.until
      const oneBooking = party.group !== null && party.group === other.group
      if (shared.length > 0 && sameTime && !oneBooking) say(`${other.id} has ${shared.join('+')} too`)
    }
  }
  return faults
}
