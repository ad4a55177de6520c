import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../../demo/random.ts'
import type { Evening, Party } from './evening.ts'
import { firstTables } from './first-tables.ts'
import { judge, judgementSteps, layOut } from './judge.ts'
import { faultsOf } from './test/faults.ts'
import { generatedEvening } from './test/generated-evening.ts'
import { freeFor } from './walk-in.ts'

/* Evenings as they are by nine: some hold tables, some of them for good, some only hold a place, and the rest has none. */

const evenings = 25

type Half = { readonly evening: Evening; readonly waiting: readonly Party[] }

const halfGiven = (seed: number): Half => {
  const random = randomFrom(seed)
  const empty = generatedEvening(random, {
    tables: random.integer(12, 40),
    load: random.integer(60, 110) / 100,
  })
  const { given } = layOut(empty).base
  const parties = empty.parties.map((party): Party => {
    const tables = given.get(party.id) ?? []
    if (tables.length > 0 && random.chance(0.75)) return { ...party, tables, fixed: random.chance(0.5) }
    if (random.chance(0.15)) return { ...party, id: `hold ${party.id}` }
    return { ...party, turn: random.chance(0.3) ? party.from : Number.MAX_SAFE_INTEGER - 1 }
  })
  const isWaiting = ({ tables, turn }: Party): boolean => tables.length === 0 && turn !== undefined
  return {
    evening: { ...empty, parties: parties.filter((one) => !isWaiting(one)) },
    waiting: parties.filter(isWaiting),
  }
}

/** The evening as it is afterwards, and who still waits. */
const after = ({ evening, waiting }: Half, given: ReadonlyMap<string, readonly number[]>): Half => ({
  evening: {
    ...evening,
    parties: [...evening.parties, ...waiting.filter(({ id }) => given.has(id))].map((party) => ({
      ...party,
      tables: given.get(party.id) ?? party.tables,
    })),
  },
  waiting: waiting.filter(({ id }) => !given.has(id)),
})

const untilNothing = (half: Half): Half => {
  const given = firstTables(half.evening, half.waiting)
  return given.size === 0 ? half : untilNothing(after(half, given))
}

describe('first tables', () => {
  it('leave nobody without one who could be given a free one, and take none from anybody', () => {
    let given = 0
    for (let seed = 1; seed <= evenings; seed++) {
      const half = halfGiven(seed)
      const found = firstTables(half.evening, half.waiting)
      given += found.size
      assert.deepEqual(firstTables(half.evening, half.waiting), found, 'the same input gives the same')
      const first = after(half, found)
      assert.deepEqual(faultsOf(first.evening), [], `evening ${seed}`)
      for (const { id, tables, fixed } of half.evening.parties) {
        const now = first.evening.parties.find((one) => one.id === id)?.tables
        if (tables.length === 0 || fixed) assert.deepEqual(now, tables, `${id} stays, evening ${seed}`)
        else assert.ok(now && now.length > 0, `${id} still has a table, evening ${seed}`)
      }
      const last = untilNothing(first)
      assert.equal(firstTables(last.evening, last.waiting).size, 0)
      // As many steps as it takes for those who hold a place.
      const laid = layOut(last.evening, judgementSteps / 2)
      for (const party of last.waiting)
        assert.deepEqual(freeFor(laid, party, 1), [], `${party.id} could sit, evening ${seed}`)
    }
    assert.ok(given > 3 * evenings, `${given} were given one, or moved`)
  })

  it('come to everybody whom the picker could place by moving others, as the rest of the steps goes to another party in each round', () => {
    for (let seed = 1; seed <= 3; seed++) {
      const empty = generatedEvening(randomFrom(seed), { tables: 40, load: 0.7 })
      // As an import leaves them: nobody has a table.
      let half: Half = {
        evening: { ...empty, parties: [] },
        waiting: empty.parties.map((party) => ({ ...party, turn: Number.MAX_SAFE_INTEGER - 1 })),
      }
      const couldSit = ({ evening, waiting }: Half): string[] => {
        const laid = layOut(evening)
        return waiting.filter((party) => judge(laid, party).seated).map(({ id }) => id)
      }
      half = untilNothing(half)
      for (let round = 1, idle = 0; idle < half.waiting.length; round++) {
        const given = firstTables(half.evening, half.waiting, { round })
        assert.deepEqual(firstTables(half.evening, half.waiting, { round }), given, 'the same in one round')
        idle = given.size === 0 ? idle + 1 : 0
        half = after(half, given)
      }
      assert.deepEqual(couldSit(half), [], `evening ${seed}`)
      assert.deepEqual(faultsOf(half.evening), [], `evening ${seed}`)
      assert.ok(half.waiting.length > 0, 'it is a full evening')
    }
  })

  it('go to who is here first, then to who is late, then to the largest', () => {
    const at = (minutes: number): number => minutes * 60_000
    const party = (id: string, size: number, from: number, turn: number | undefined): Party => ({
      ...{ id, size, from: at(from), until: at(from + 90), tables: [], fixed: false, onlineOnly: false },
      ...{ features: [], group: null, turn },
    })
    const evening: Evening = {
      tables: [
        { id: 1, least: 1, most: 6, online: true, priority: 0, features: [], section: null, unavailable: [] },
      ],
      combinations: [],
      parties: [],
    }
    const booked = Number.MAX_SAFE_INTEGER - 1
    const all = [
      party('large', 6, 60, booked),
      party('small', 2, 60, booked),
      party('late', 2, 60, at(40)),
      party('here', 2, 60, at(30)),
    ]
    let waiting = all
    for (const next of ['here', 'late', 'large', 'small']) {
      assert.deepEqual([...firstTables(evening, waiting).keys()], [next])
      waiting = waiting.filter(({ id }) => id !== next)
    }
  })
})
