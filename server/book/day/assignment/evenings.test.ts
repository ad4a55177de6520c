import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Random, randomFrom } from '../../../demo/random.ts'
import type { Evening, Judgement, Party } from './evening.ts'
import { judge, layOut } from './judge.ts'
import { faultsOf, seatedBy } from './test/faults.ts'
import { generatedEvening } from './test/generated-evening.ts'
import { tidy } from './tidy.ts'

/*
 * What holds on every evening. Parties come one after another, as on a real day; each is judged against all that were
 * taken before it, and its assignment is stored.
 */

const seeds = Array.from({ length: 12 }, (_, n) => n + 1)

type Moment = { readonly before: Evening; readonly party: Party; readonly answer: Judgement }

const evenings = seeds.map((seed) => {
  const random = randomFrom(seed)
  const asked = generatedEvening(random, { tables: random.integer(6, 24), load: 0.7 + 0.4 * random.draw() })
  const moments: Moment[] = []
  let book: Evening = { ...asked, parties: [] }
  for (const party of random.shuffled(asked.parties)) {
    const answer = judge(layOut(book), party)
    moments.push({ before: book, party, answer })
    if (!answer.seated) continue
    const parties = seatedBy({ parties: [...book.parties, party] }, answer)
    // Some sit where staff put them, or sit already: nobody moves them now.
    book = {
      ...book,
      parties: parties.map((one) =>
        one === parties.at(-1) && random.chance(0.2) ? { ...one, fixed: true } : one,
      ),
    }
  }
  return { random, asked, moments, book }
})

const shuffledBy = (random: Random, evening: Evening): Evening => ({
  tables: random
    .shuffled(evening.tables)
    .map((table) => ({ ...table, features: random.shuffled(table.features) })),
  combinations: random
    .shuffled(evening.combinations)
    .map((one) => ({ ...one, tables: random.shuffled(one.tables) })),
  parties: random.shuffled(evening.parties).map((one) => ({ ...one, tables: random.shuffled(one.tables) })),
})

describe('on generated evenings', () => {
  it('there are parties of every kind: seated at once, by moving others, and refused', () => {
    const all = evenings.flatMap(({ moments }) => moments.map(({ answer }) => answer))
    assert.ok(all.some(({ seated, moved }) => seated && moved.length === 0))
    assert.ok(all.some(({ seated, moved }) => seated && moved.length > 3))
    assert.ok(all.some(({ seated, ended }) => !seated && ended))
    assert.ok(all.some(({ seated, ended }) => !seated && !ended))
  })

  it('no table is held twice, seats are within bounds, and a combination has all of its members to itself', () => {
    for (const { moments } of evenings) {
      for (const { before, party, answer } of moments) {
        const after = { ...before, parties: seatedBy({ parties: [...before.parties, party] }, answer) }
        assert.deepEqual(faultsOf(after), [])
      }
    }
  })

  it('nobody who holds a table loses it, and a refusal changes nothing', () => {
    for (const { moments } of evenings) {
      for (const { before, party, answer } of moments) {
        const tables = [...answer.given.values()]
        assert.ok(tables.every((held) => held.length > 0))
        assert.deepEqual(answer.unseated, answer.seated ? [] : [party.id])
        if (!answer.seated) assert.deepEqual([...answer.given], [])
        assert.ok(answer.moved.every((id) => before.parties.some((one) => one.id === id)))
      }
    }
  })

  it('who is fixed stays through all bookings; others are moved, and nobody loses a table', () => {
    for (const { moments, book } of evenings) {
      for (const { before, answer } of moments) {
        const fixed = before.parties.filter((one) => one.fixed)
        assert.ok(fixed.every(({ id }) => !answer.given.has(id)))
      }
      assert.ok(book.parties.every(({ tables }) => tables.length > 0))
      const tidied = tidy(book)
      assert.ok(book.parties.every(({ id, fixed }) => !fixed || !tidied.given.has(id)))
    }
  })

  it('the same evening gets the same answer in any order', () => {
    for (const { random, moments, asked } of evenings) {
      for (const { before, party, answer } of moments.slice(-20)) {
        assert.deepEqual(judge(layOut(shuffledBy(random, before)), party), answer)
      }
      assert.deepEqual(tidy(shuffledBy(random, asked), 20_000), tidy(asked, 20_000))
    }
  })

  it('judging leaves an evening as it was', () => {
    for (const { moments, book } of evenings) {
      const laid = layOut(book)
      const judged = moments.slice(-10).map(({ party }) => judge(laid, { ...party, id: 'again' }))
      assert.deepEqual(
        moments.slice(-10).map(({ party }) => judge(layOut(book), { ...party, id: 'again' })),
        judged,
      )
    }
  })

  it('no judgement takes more steps than its bound', () => {
    for (const { moments } of evenings) {
      for (const { before, party } of moments.slice(-10)) {
        for (const bound of [0, 1, 100, 1_000]) {
          assert.ok(judge(layOut(before), party, bound).steps <= bound + before.tables.length)
        }
      }
    }
  })

  it('a table more never seats fewer where the search ended within its bound', () => {
    for (const { random, moments, asked } of evenings) {
      const more = { ...random.pick(asked.tables), id: 1000, unavailable: [] }
      for (const { before, party, answer } of moments) {
        const with1 = judge(layOut({ ...before, tables: [...before.tables, more] }), party)
        if (answer.ended && answer.seated && with1.ended) assert.ok(with1.seated)
      }
      const few = { ...asked, parties: asked.parties.slice(0, Math.floor(asked.parties.length / 2)) }
      const without = tidy(few)
      const with1 = tidy({ ...few, tables: [...few.tables, more] })
      if (without.ended && with1.ended) assert.ok(with1.given.size >= without.given.size)
    }
  })

  it('tidying gives tables by the rules, and takes none', () => {
    for (const { asked, book } of evenings) {
      for (const evening of [asked, book]) {
        const answer = tidy(evening)
        const after = { ...evening, parties: seatedBy(evening, answer) }
        assert.deepEqual(faultsOf(after), [])
        assert.deepEqual(
          answer.unseated,
          after.parties
            .filter(({ tables }) => tables.length === 0)
            .map(({ id }) => id)
            .toSorted(),
        )
      }
    }
  })

  it('what tidying leaves seated, a judgement finds seated too', () => {
    for (const { asked } of evenings) {
      const answer = tidy(asked)
      const parties = seatedBy(asked, answer).filter(({ tables }) => tables.length > 0)
      const laid = layOut({ ...asked, parties })
      assert.deepEqual([...laid.base.given], [])
      const [first] = parties
      if (!first) continue
      const again = judge(layOut({ ...asked, parties: parties.slice(1) }), { ...first, tables: [] })
      assert.deepEqual([again.seated, again.moved], [true, []])
    }
  })
})
