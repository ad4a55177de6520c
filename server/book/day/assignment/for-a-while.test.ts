import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Evening, Party, Table } from './evening.ts'
import { layOut } from './judge.ts'
import { endOfStayAt, freeFor, freeForAWhile } from './walk-in.ts'

const minute = 60_000
const table = (id: number, most = 4, more: Partial<Table> = {}): Table => ({
  ...{ id, least: 1, most, online: true, priority: 0, features: [], section: null, unavailable: [] },
  ...more,
})
const party = (id: string, from: number, until: number, more: Partial<Party> = {}): Party => ({
  ...{ id, from: from * minute, until: until * minute, size: 4, tables: [], fixed: false },
  ...{ onlineOnly: false, features: [], group: null },
  ...more,
})
const found = (evening: Evening, asked: Party, { least = 60, rest = 0 } = {}) =>
  freeForAWhile(layOut(evening), asked, { least: least * minute, rest: rest * minute }).map(
    ({ tables, until }) => [tables.join('+'), until / minute],
  )
const asked = party('asked', 0, 120)
const eveningOf = (tables: readonly Table[], parties: readonly Party[]): Evening => ({
  tables,
  combinations: [],
  parties,
})

describe('tables that are free for a while', () => {
  it('are those free from now on for at least the shortest stay, but not for the whole one; the longest first', () => {
    const evening = eveningOf(
      [table(1), table(2), table(3), table(4), table(5, 6), table(6)],
      [
        party('a', 65, 185, { tables: [1] }),
        party('b', 100, 220, { tables: [2] }),
        party('c', 59, 180, { tables: [3] }),
        party('d', -30, 30, { tables: [4], fixed: true }),
        party('e', 100, 200, { tables: [5] }),
      ],
    )
    assert.deepEqual(found(evening, asked), [
      ['2', 100],
      ['5', 100],
      ['1', 65],
    ])
    assert.deepEqual(found(evening, { ...asked, size: 6 }), [['5', 100]])
  })

  it('end when the next party comes, less the rest between two, down to five minutes; or when the table goes out of use', () => {
    const off = [{ from: (90 + 15) * minute, until: 500 * minute }]
    const evening = eveningOf(
      [table(1), table(2, 4, { unavailable: off })],
      [party('a', 103, 230, { tables: [1] })],
    )
    assert.deepEqual(found(evening, asked, { rest: 15 }), [
      ['2', 90],
      ['1', 85],
    ])
    assert.equal(endOfStayAt(layOut(evening), asked, [1], 15 * minute).until, 85 * minute)
  })

  it('count who has no table yet where they are laid, and nobody is moved for them', () => {
    const tables = [table(1), table(2)]
    const waits = party('a', 70, 190)
    const holds = party('b', 80, 200, { tables: [2] })
    assert.deepEqual(found(eveningOf(tables, [waits, holds]), asked), [
      ['2', 80],
      ['1', 70],
    ])
    // For the large one the other is laid at table 1: it stays at its own until somebody is really moved.
    const large = party('a', 70, 190, { size: 6 })
    assert.deepEqual(found(eveningOf([table(1), table(2, 6)], [large, holds]), asked, { least: 60 }), [
      ['1', 80],
      ['2', 70],
    ])
  })

  it('are free for nobody else until they end, whatever the evening', () => {
    const spans = fc.record({
      table: fc.integer({ min: 1, max: 5 }),
      from: fc.integer({ min: -100, max: 200 }),
      length: fc.integer({ min: 10, max: 150 }),
    })
    fc.assert(
      fc.property(fc.array(spans, { maxLength: 12 }), fc.constantFrom(0, 15), (parties, rest) => {
        const evening = eveningOf(
          [1, 2, 3, 4, 5].map((id) => table(id)),
          parties.map(({ table, from, length }, n) =>
            party(`${n}`, from, from + length + rest, { tables: [table], fixed: n % 2 === 0 }),
          ),
        )
        const laid = layOut(evening)
        const before = JSON.stringify(laid.board.guests.map(({ place }) => place?.tables))
        const short = freeForAWhile(laid, asked, { least: 45 * minute, rest: rest * minute })
        assert.equal(JSON.stringify(laid.board.guests.map(({ place }) => place?.tables)), before)
        for (const { tables, until } of short) {
          const stay = { ...asked, until: until + rest * minute }
          assert.ok(freeFor(laid, stay, 99).some((one) => one.tables.join() === tables.join()))
          assert.ok(!freeFor(laid, asked, 99).some((one) => one.tables.join() === tables.join()))
        }
      }),
      { numRuns: 100 },
    )
  })
})
