import loadHighs from 'highs'
import type { Evening, Party, Span, Table } from '../evening.ts'

/*
 * The assignment as an integer program, solved by HiGHS: what the engine is measured against. Written from the pages'
 * rules alone, and sharing no code with the engine.
 *
 * A variable for each party and each kind of place, 1 where the party gets one. Tables that are alike in everything that
 * admits a party, and are part of no combination, are one kind: parties whose spans never overlap more than n at a time
 * can always be dealt to n such tables. What each kind takes is bounded at every instant at which a party begins, since
 * between two beginnings nobody is added.
 */

export type Exact = {
  /** False where the solver was stopped before it had proved its answer the best. */
  readonly proved: boolean
  readonly covers: number
  readonly parties: number
}

export type Solver = {
  /** The most covers that can be seated, leaving out whom it must. */
  readonly mostCovers: (evening: Evening) => Exact
  /** More covers than that cannot be seated, in a fraction of the time: parties may be cut into parts. */
  readonly boundOfCovers: (evening: Evening) => number
  /** Whether everybody can be seated; undefined where the solver was stopped before it knew. */
  readonly seatsAll: (evening: Evening) => boolean | undefined
}

export const loadSolver = async (secondsForOne: number): Promise<Solver> => {
  // The package's types are read as those of a CommonJS module, whose default export is one level further down.
  const highs = await (loadHighs as unknown as typeof loadHighs.default)()
  const solve = (program: string) =>
    highs.solve(program, { output_flag: false, time_limit: secondsForOne, mip_rel_gap: 0 })
  return {
    mostCovers: (evening) => {
      const { objective, rows, seats, variables } = programOf(evening)
      if (variables.length === 0) return { proved: true, covers: 0, parties: 0 }
      const found = solve(
        writeProgram(objective, [...rows, ...seats.map(({ sum }) => `${sum} <= 1`)], variables),
      )
      const columns = found.Columns as Record<string, { Primal?: number }>
      const taken = variables.filter((name) => (columns[name]?.Primal ?? 0) > 0.5)
      return {
        proved: found.Status === 'Optimal',
        covers: Math.round(found.ObjectiveValue),
        parties: taken.length,
      }
    },
    boundOfCovers: (evening) => {
      const { objective, rows, seats, variables } = programOf(evening)
      if (variables.length === 0) return 0
      const all = [...rows, ...seats.map(({ sum }) => `${sum} <= 1`)]
      return solve(writeProgram(objective, all, [])).ObjectiveValue
    },
    seatsAll: (evening) => {
      const { rows, seats, variables } = programOf(evening)
      if (seats.length < evening.parties.filter((one) => !one.fixed).length) return false
      if (seats.length === 0) return true
      const found = solve(writeProgram('', [...rows, ...seats.map(({ sum }) => `${sum} = 1`)], variables))
      if (found.Status === 'Optimal') return true
      return found.Status === 'Infeasible' ? false : undefined
    },
  }
}

type Kind = { readonly tables: readonly Table[]; readonly least: number; readonly most: number }

const programOf = (evening: Evening) => {
  const tables = evening.tables.map((table) => ({ ...table, unavailable: takenFrom(table, evening.parties) }))
  const byId = new Map(tables.map((table) => [table.id, table]))
  const joined = new Set(evening.combinations.flatMap(({ tables }) => tables))
  const alike = Map.groupBy(tables, (table) =>
    joined.has(table.id)
      ? `${table.id}`
      : JSON.stringify([table.least, table.most, table.online, table.unavailable]),
  )
  const kinds: { readonly of: Kind; readonly count: number; readonly members: readonly string[] }[] = [
    ...[...alike].map(([name, all]) => ({
      of: { tables: all.slice(0, 1), least: all[0]?.least ?? 0, most: all[0]?.most ?? 0 },
      count: all.length,
      members: [name],
    })),
    ...evening.combinations.map((one) => ({
      of: { tables: one.tables.map((id) => byId.get(id) as Table), least: one.least, most: one.most },
      count: 1,
      members: one.tables.map(String),
    })),
  ]
  const counts = new Map([...alike].map(([name, all]) => [name, all.length]))
  const parties = evening.parties.filter(({ fixed }) => !fixed)

  const variables: string[] = []
  const objective: string[] = []
  const seats: { readonly sum: string }[] = []
  const takers = new Map<string, { readonly party: Party; readonly name: string }[]>()
  for (const [p, party] of parties.entries()) {
    const own: string[] = []
    for (const [k, { of, members }] of kinds.entries()) {
      if (!admits(of, party)) continue
      const name = `x${p}_${k}`
      own.push(name)
      objective.push(`${party.size} ${name}`)
      for (const member of members) takers.set(member, [...(takers.get(member) ?? []), { party, name }])
    }
    variables.push(...own)
    if (own.length > 0) seats.push({ sum: own.join(' + ') })
  }
  const rows: string[] = []
  for (const [member, all] of takers) {
    for (const instant of new Set(all.map(({ party }) => party.from))) {
      const there = all.filter(({ party }) => party.from <= instant && instant < party.until)
      const count = counts.get(member) as number
      if (there.length > count) rows.push(`${there.map(({ name }) => name).join(' + ')} <= ${count}`)
    }
  }
  return { objective: objective.join(' + '), rows, seats, variables }
}

/** A table's closed spans, with those in which somebody sits there who stays. */
const takenFrom = (table: Table, parties: readonly Party[]): readonly Span[] => [
  ...table.unavailable,
  ...parties
    .filter(({ fixed, tables }) => fixed && tables.includes(table.id))
    .map(({ from, until }) => ({ from, until })),
]

const admits = ({ tables, least, most }: Kind, party: Party): boolean =>
  least <= party.size &&
  party.size <= most &&
  tables.every(
    ({ online, unavailable }) =>
      (online || !party.onlineOnly) &&
      !unavailable.some(({ from, until }) => from < party.until && party.from < until),
  )

const writeProgram = (objective: string, rows: readonly string[], variables: readonly string[]): string =>
  `Maximize\n obj: ${objective || `0 ${variables[0]}`}\nSubject To\n${rows.map((row, n) => ` c${n}: ${row}`).join('\n')}\n${variables.length === 0 ? '' : `Binary\n ${variables.join('\n ')}\n`}End\n`
