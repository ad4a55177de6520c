import type { Random } from '../../../../demo/random.ts'
import type { Combination, Evening, Party, Table } from '../evening.ts'

/*
 * Evenings as restaurants have them: mostly tables for two and four, some of them joined for larger parties, and guests
 * who like to come at seven or at nine, in a service of six hours. Nobody holds a table yet.
 */

const minute = 60_000
const opens = 17 * 60
const closes = 23 * 60

/**
 * @param load the time that parties ask for, as a share of all tables' time in the service. As many like to come at seven
 *   and at nine, and parties of three sit at tables for four, an evening of 0.7 is nearly full then.
 */
export const generatedEvening = (
  random: Random,
  { tables: count, load }: { readonly tables: number; readonly load: number },
): Evening => {
  const tables = Array.from({ length: count }, (_, n) => tableOf(random, n + 1))
  const combinations = neighborsOf(random, tables)
  const parties: Party[] = []
  for (let asked = 0; asked < load * count * (closes - opens);) {
    const party = partyOf(random, parties.length + 1)
    asked += (party.until - party.from) / minute
    parties.push(party)
  }
  return { tables, combinations, parties }
}

const tableOf = (random: Random, id: number): Table => {
  const [least, most] = random.weighted([
    [[1, 2], 35],
    [[1, 4], 20],
    [[2, 4], 25],
    [[3, 6], 14],
    [[5, 8], 6],
  ] as const)
  const from = random.integer(opens, closes)
  return {
    id,
    least,
    most,
    online: random.chance(0.95),
    priority: random.integer(1, 3),
    features: ['window', 'booth', 'accessible'].filter(() => random.chance(0.2)),
    section: random.pick(['bar', 'front', 'garden']),
    unavailable: random.chance(0.05)
      ? [{ from: from * minute, until: (from + random.integer(30, 180)) * minute }]
      : [],
  }
}

/** One combination for about every five tables, of two or three that are next to each other. */
const neighborsOf = (random: Random, tables: readonly Table[]): Combination[] =>
  Array.from({ length: Math.floor(tables.length / 5) }, (_, n) => {
    const first = random.integer(0, tables.length - 3)
    const members = tables.slice(first, first + (random.chance(0.75) ? 2 : 3))
    const most = members.reduce((sum, one) => sum + one.most, 0)
    return {
      id: n + 1,
      tables: members.map(({ id }) => id),
      least: Math.max(...members.map((one) => one.most)) + 1,
      most,
    }
  })

const partyOf = (random: Random, n: number): Party => {
  const size = random.weighted([
    [1, 4],
    [2, 44],
    [3, 13],
    [4, 22],
    [5, 6],
    [6, 6],
    [7, 2],
    [8, 1],
  ])
  const stay = size <= 2 ? 90 : size <= 4 ? 105 : size <= 6 ? 120 : 150
  const likes = random.weighted([
    [random.normal(19 * 60, 40, opens, closes - 90), 35],
    [random.normal(21 * 60, 40, opens, closes - 90), 25],
    [random.integer(opens, closes - 90), 40],
  ])
  const from = Math.round(likes / 15) * 15
  return {
    id: `p${String(n).padStart(3, '0')}`,
    size,
    from: from * minute,
    until: (from + stay) * minute,
    tables: [],
    fixed: false,
    onlineOnly: random.chance(0.6),
    features: random.chance(0.15) ? [random.pick(['window', 'booth', 'accessible'])] : [],
    group: null,
  }
}
