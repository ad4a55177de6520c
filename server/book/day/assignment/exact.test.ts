import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { randomFrom } from '../../../demo/random.ts'
import type { Evening } from './evening.ts'
import { judge, layOut } from './judge.ts'
import { type Solver, loadSolver } from './test/exact.ts'
import { seatedBy } from './test/faults.ts'
import { generatedEvening } from './test/generated-evening.ts'
import { tidy } from './tidy.ts'

/** So long that no program here ever meets it: what is proved must not depend on the machine. */
const secondsForOne = 600

describe('against an exact solver', () => {
  let solver: Solver
  before(async () => {
    solver = await loadSolver(secondsForOne)
  })

  it('tidying seats at least 99 % of the covers that can be seated, on 30 evenings', () => {
    let seated = 0
    let possible = 0
    for (let seed = 1; seed <= 30; seed++) {
      const random = randomFrom(seed)
      const evening = generatedEvening(random, {
        tables: random.integer(20, 60),
        load: 0.7 + 0.4 * random.draw(),
      })
      const { given } = tidy(evening)
      for (const { id, size } of evening.parties) if (given.has(id)) seated += size
      possible += solver.boundOfCovers(evening)
    }
    assert.ok(seated <= possible)
    assert.ok(seated / possible >= 0.99, `${seated} of ${possible} covers`)
  })

  it('a judgement refuses nobody for good whom the solver seats, and few whom it could not place within its bound', () => {
    const counts = { refused: 0, falsely: 0, proved: 0 }
    for (let seed = 1; seed <= 4; seed++) {
      const random = randomFrom(seed)
      const asked = generatedEvening(random, { tables: 16, load: 0.9 })
      let book: Evening = { ...asked, parties: [] }
      for (const party of random.shuffled(asked.parties)) {
        const answer = judge(layOut(book), party)
        const all = { ...book, parties: [...book.parties, party] }
        if (answer.seated) {
          book = { ...book, parties: seatedBy(all, answer) }
          continue
        }
        counts.refused++
        const couldBeSeated = solver.seatsAll(all)
        assert.notEqual(couldBeSeated, undefined)
        if (answer.ended) {
          counts.proved++
          assert.equal(couldBeSeated, false, `${party.id} of ${seed}`)
        }
        if (couldBeSeated) counts.falsely++
      }
    }
    assert.ok(counts.proved > 10)
    assert.ok(counts.falsely <= counts.refused * 0.1, JSON.stringify(counts))
  })

  it('the solver itself agrees with what can be counted by hand', () => {
    const table = {
      least: 1,
      most: 4,
      online: true,
      priority: 0,
      features: [],
      section: null,
      unavailable: [],
    }
    const party = { tables: [], fixed: false, onlineOnly: false, features: [], group: null }
    const evening: Evening = {
      tables: [
        { ...table, id: 1 },
        { ...table, id: 2 },
      ],
      combinations: [{ id: 1, tables: [1, 2], least: 5, most: 8 }],
      parties: [
        { ...party, id: 'a', size: 8, from: 0, until: 2 },
        { ...party, id: 'b', size: 3, from: 1, until: 3 },
        { ...party, id: 'c', size: 4, from: 2, until: 4 },
      ],
    }
    assert.deepEqual(solver.mostCovers(evening), { proved: true, covers: 12, parties: 2 })
    assert.equal(solver.boundOfCovers(evening) >= 12, true)
    assert.equal(solver.seatsAll(evening), false)
    assert.equal(solver.seatsAll({ ...evening, parties: evening.parties.slice(1) }), true)
  })
})
