import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Combination, Evening, Party, Table } from './evening.ts'
import { judge, layOut } from './judge.ts'
import { tidy } from './tidy.ts'
import { freeFor } from './walk-in.ts'

const minute = 60_000
const at = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return (hours * 60 + minutes) * minute
}
const span = (from: string, until: string) => ({ from: at(from), until: at(until) })

const table = (id: number, least: number, most: number, more: Partial<Table> = {}): Table => ({
  id,
  least,
  most,
  online: true,
  priority: 0,
  features: [],
  section: null,
  unavailable: [],
  ...more,
})
const party = (id: string, size: number, from: string, until: string, more: Partial<Party> = {}): Party => ({
  id,
  size,
  ...span(from, until),
  tables: [],
  fixed: false,
  onlineOnly: false,
  features: [],
  group: null,
  ...more,
})
const joined: Combination = { id: 1, tables: [1, 2], least: 5, most: 8 }
const evening = (
  tables: readonly Table[],
  parties: readonly Party[],
  combinations: readonly Combination[] = [],
  more: Partial<Evening> = {},
) => layOut({ tables, parties, combinations, ...more })
const given = ({ given }: { given: ReadonlyMap<string, readonly number[]> }) => Object.fromEntries(given)

describe('a judgement', () => {
  it('keeps everybody where they are when a table is free, and takes the one that wastes fewest seats', () => {
    const laid = evening(
      [table(1, 1, 6), table(2, 1, 2), table(3, 1, 4)],
      [party('a', 2, '19:00', '21:00', { tables: [1] })],
    )
    const answer = judge(laid, party('new', 2, '19:30', '21:30'))
    assert.equal(answer.seated, true)
    assert.deepEqual(given(answer), { new: [2] })
    assert.deepEqual(answer.moved, [])
  })

  it('moves a party when that makes room, and says who', () => {
    const laid = evening([table(1, 1, 4), table(2, 1, 2)], [party('a', 2, '19:00', '21:00', { tables: [1] })])
    const answer = judge(laid, party('new', 4, '19:00', '21:00'))
    assert.deepEqual(given(answer), { a: [2], new: [1] })
    assert.deepEqual(answer.moved, ['a'])
  })

  it('takes a table that is free in the book before one that is free only once somebody moves for a request', () => {
    const laid = evening(
      [table(1, 2, 4), table(2, 4, 6), table(3, 4, 8, { online: false })],
      [
        party('a', 4, '18:00', '20:15', { tables: [2] }),
        party('request', 6, '17:30', '19:30', { onlineOnly: true }),
      ],
    )
    assert.deepEqual(given(laid.base), { a: [1], request: [2] })
    assert.deepEqual(given(judge(laid, party('new', 4, '19:30', '21:30'))).new, [3])
  })

  it('moves nobody who is fixed', () => {
    const laid = evening(
      [table(1, 1, 4), table(2, 1, 2)],
      [party('a', 2, '19:00', '21:00', { tables: [1], fixed: true })],
    )
    const answer = judge(laid, party('new', 4, '19:00', '21:00'))
    assert.equal(answer.seated, false)
    assert.equal(answer.ended, true)
    assert.deepEqual(answer.unseated, ['new'])
  })

  it('a combination that is booked takes its members, and a member the combination', () => {
    const tables = [table(1, 1, 4), table(2, 1, 4)]
    const large = party('large', 7, '19:00', '21:00')
    const small = party('small', 2, '20:00', '22:00')
    const bookedWhole = evening(tables, [{ ...large, tables: [1, 2] }], [joined])
    assert.equal(judge(bookedWhole, small).seated, false)
    const bookedMember = evening(tables, [{ ...small, tables: [2] }], [joined])
    assert.equal(judge(bookedMember, large).seated, false)
    const apart = judge(bookedWhole, party('small', 2, '21:00', '22:00'))
    assert.equal(apart.seated, true)
  })

  it('refuses a table that is held to 21:00 at 20:59, and gives it at 21:00', () => {
    const laid = evening([table(14, 1, 4)], [party('a', 4, '19:00', '21:00', { tables: [14] })])
    assert.equal(judge(laid, party('new', 4, '20:59', '22:00')).seated, false)
    assert.equal(judge(laid, party('new', 4, '21:00', '22:00')).seated, true)
  })

  it('counts a request that holds no table yet', () => {
    const laid = evening([table(1, 1, 4)], [party('request', 4, '19:00', '21:00')])
    assert.deepEqual(given(laid.base), { request: [1] })
    assert.equal(judge(laid, party('new', 2, '20:00', '22:00')).seated, false)
  })

  it('refuses nobody because of a party for which there is no table anyway', () => {
    const laid = evening([table(1, 1, 4)], [party('ten', 10, '19:00', '21:00')])
    assert.deepEqual(laid.base.unseated, ['ten'])
    assert.equal(judge(laid, party('new', 2, '19:00', '21:00')).seated, true)
  })

  it('gives a booking for online guests no table of the staff, nor a combination with one', () => {
    const laid = evening([table(1, 1, 4, { online: false }), table(2, 1, 4)], [], [joined])
    assert.equal(judge(laid, party('six', 6, '19:00', '21:00', { onlineOnly: true })).seated, false)
    assert.equal(judge(laid, party('six', 6, '19:00', '21:00')).seated, true)
    assert.deepEqual(given(judge(laid, party('two', 2, '19:00', '21:00', { onlineOnly: true }))), {
      two: [2],
    })
  })

  it('gives no table that is out of order for a part of the time', () => {
    const laid = evening([table(1, 1, 4, { unavailable: [span('20:00', '20:30')] })], [])
    assert.equal(judge(laid, party('new', 2, '19:00', '21:00')).seated, false)
    assert.equal(judge(laid, party('new', 2, '18:00', '20:00')).seated, true)
    assert.equal(judge(laid, party('new', 2, '20:30', '21:00')).seated, true)
  })

  it('lets a booking and its pending change share a table, and nobody else', () => {
    const booking = party('booking', 4, '19:00', '21:00', { tables: [1], group: 'booking' })
    const change = party('change', 4, '20:00', '22:00', { group: 'booking' })
    const laid = evening([table(1, 1, 4)], [booking, change])
    assert.deepEqual(given(laid.base), { change: [1] })
    assert.equal(judge(laid, party('new', 2, '21:30', '23:00')).seated, false)
    assert.equal(judge(laid, party('new', 2, '22:00', '23:00')).seated, true)
  })

  it('leaves what staff arranged as it is, even against the rules', () => {
    const laid = evening(
      [table(1, 1, 2), table(2, 1, 2), table(3, 1, 2)],
      [
        party('five at joined tables', 5, '19:00', '21:00', { tables: [1, 2], fixed: true }),
        party('with them', 2, '19:00', '21:00', { tables: [1], fixed: true }),
      ],
    )
    assert.deepEqual(given(laid.base), {})
    assert.deepEqual(given(judge(laid, party('new', 2, '19:00', '21:00'))), { new: [3] })
  })

  describe('chooses by the goals of the page, in their order', () => {
    const two = party('new', 2, '19:00', '21:00', { features: ['window'] })
    const cases: [what: string, laid: ReturnType<typeof evening>, tables: readonly number[]][] = [
      [
        'nobody moved before the features somebody would like',
        evening(
          [table(1, 1, 2, { features: ['window'] }), table(2, 1, 2)],
          [party('a', 2, '19:00', '21:00', { tables: [1] })],
        ),
        [2],
      ],
      [
        'features before wasted seats',
        evening([table(1, 1, 2), table(2, 1, 8, { features: ['window'] })], []),
        [2],
      ],
      [
        'wasted seats before joined tables',
        evening([table(1, 1, 1), table(2, 1, 1), table(3, 1, 4)], [], [{ ...joined, least: 2, most: 2 }]),
        [1, 2],
      ],
      [
        'joined tables avoided before priority',
        evening(
          [table(1, 1, 1), table(2, 1, 1), table(3, 1, 2, { priority: 9 })],
          [],
          [{ ...joined, least: 2, most: 2 }],
        ),
        [3],
      ],
      [
        'priority before keeping tables for large parties free',
        evening(
          [table(1, 1, 4, { priority: 1 }), table(2, 1, 4, { priority: 2 }), table(3, 1, 4, { priority: 2 })],
          [],
          [joined],
        ),
        [1],
      ],
      [
        'tables for large parties kept free before balanced sections',
        evening(
          [
            table(1, 1, 2, { section: 'bar' }),
            table(2, 1, 2, { section: 'bar' }),
            table(3, 1, 2, { section: 'garden' }),
            table(4, 1, 8, { section: 'garden' }),
          ],
          [party('a', 8, '17:00', '19:00', { tables: [4] })],
          [{ ...joined, least: 3, most: 4 }],
        ),
        [3],
      ],
      [
        'balanced sections in the end',
        evening(
          [
            table(1, 1, 2, { section: 'bar' }),
            table(2, 1, 2, { section: 'garden' }),
            table(3, 1, 8, { section: 'bar' }),
          ],
          [party('a', 8, '17:00', '19:00', { tables: [3] })],
        ),
        [2],
      ],
      [
        'balanced sections of the shift it comes in',
        evening(
          [
            table(1, 1, 2, { section: 'lunch bar' }),
            table(2, 1, 2, { section: 'lunch garden' }),
            table(3, 1, 8, { section: 'lunch garden' }),
            table(4, 1, 8, { section: 'lunch bar' }),
          ],
          [
            party('a', 8, '12:00', '14:00', { tables: [3] }),
            party('b', 4, '17:00', '19:00', { tables: [4] }),
          ],
          [],
          {
            laterSections: [
              {
                from: at('17:00'),
                sections: new Map([1, 2, 3, 4].map((id) => [id, id % 3 === 1 ? 'bar' : 'garden'])),
              },
            ],
          },
        ),
        [2],
      ],
    ]
    for (const [what, laid, tables] of cases) {
      it(what, () => assert.deepEqual(given(judge(laid, two)), { new: tables }))
    }

    it('moves one party where two would do too', () => {
      const laid = evening(
        [table(1, 1, 4), table(2, 1, 4), table(3, 1, 2)],
        [
          party('a', 2, '19:00', '20:00', { tables: [1] }),
          party('b', 2, '20:00', '21:00', { tables: [1] }),
          party('c', 2, '19:00', '21:00', { tables: [2] }),
        ],
      )
      const answer = judge(laid, party('new', 4, '19:00', '21:00'))
      assert.deepEqual(given(answer), { c: [3], new: [2] })
    })
  })

  it('leaves the evening as it was, so that the next judgement answers the same', () => {
    const laid = evening([table(1, 1, 4), table(2, 1, 2)], [party('a', 2, '19:00', '21:00', { tables: [1] })])
    const asked = party('new', 4, '19:00', '21:00')
    assert.deepEqual(judge(laid, asked), judge(laid, asked))
  })
})

describe('tidying', () => {
  it('gives everybody a table who has none', () => {
    const answer = tidy({
      tables: [table(1, 1, 4), table(2, 1, 2)],
      combinations: [],
      parties: [party('two', 2, '19:00', '21:00', { tables: [1] }), party('four', 4, '20:00', '22:00')],
    })
    assert.deepEqual(given(answer), { four: [1], two: [2] })
    assert.deepEqual(answer.moved, ['two'])
  })
})

describe('a walk-in', () => {
  it('is shown the best table that is free and until when, and others', () => {
    const laid = evening(
      [table(14, 1, 4), table(15, 1, 2), table(16, 1, 6)],
      [party('a', 2, '19:00', '21:00', { tables: [15] }), party('b', 4, '20:45', '22:00', { tables: [14] })],
    )
    assert.deepEqual(freeFor(laid, party('at the door', 2, '19:10', '20:30'), 3), [
      { tables: [14], until: at('20:45') },
      { tables: [16], until: null },
    ])
  })
})
