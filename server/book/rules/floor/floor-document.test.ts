import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { bookByStaff } from '../../reservations/bookings.ts'
import { type TestBook, dinner, openBook, staff } from '../../reservations/test/book.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { printRulesDocument, readRulesDocument } from '../rules-document.ts'
import { wholeRules } from '../whole-document.ts'
import {
  combinationsAsCsv,
  drawnAsCsv,
  tablesAsCsv,
  withCombinations,
  withDrawn,
  withTables,
} from '../../tables/floor-csv.ts'
import { wholeFloor } from './floor-reads.ts'
import { emptyFloor, writtenFloor } from './written-floor.ts'
import { heldTables, turnTablesOn } from '../../tables/test/floor.ts'

const floor = {
  turnoverMinutes: 10,
  rooms: [
    { name: 'Dining room', on: true },
    { name: 'Terrace, covered', on: false },
  ],
  tables: [
    {
      label: '2',
      room: 'Dining room',
      least: 1,
      most: 4,
      shape: 'round',
      x: 3,
      y: 4,
      online: true,
      priority: -1,
      features: ['window', 'booth'],
    },
    {
      label: '10',
      room: 'Dining room',
      least: 2,
      most: 6,
      shape: 'square',
      x: 0,
      y: 0,
      online: true,
      priority: 0,
      features: [],
    },
    {
      label: 'T1',
      room: 'Terrace, covered',
      least: 1,
      most: 2,
      shape: 'bar',
      x: 0,
      y: 0,
      online: false,
      priority: 5,
      features: ['outdoor'],
    },
  ],
  drawn: [
    { room: 'Dining room', what: 'wall', x: 0, y: 8, wide: 12, high: 1 },
    { room: 'Terrace, covered', what: 'door', x: 4, y: 0, wide: 1, high: 3 },
  ],
  combinations: [{ tables: ['2', '10'], least: 5, most: 10 }],
  outOfOrder: [
    {
      table: '2',
      fromDate: '2026-10-08',
      fromTime: '18:00',
      untilDate: '2026-10-09',
      untilTime: '12:00',
      why: 'Being repaired',
    },
  ],
  plans: [
    {
      room: 'Terrace, covered',
      table: null,
      weekdays: [1, 2],
      from: '2026-10-01',
      to: null,
      service: 'Dinner',
    },
  ],
}

describe('a floor', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    book = await openBook(service, dinner({ tables: floor }))
  })
  const written = async () => {
    const whole = await wholeFloor(service.db.within(book.venue.id), book.venue.id)
    return whole ? writtenFloor(whole) : emptyFloor
  }
  const document = async () =>
    printRulesDocument(await wholeRules(service.db.within(book.venue.id), book.venue.id))

  it('comes out of the rules document as it went in, and a document without tables leaves it alone', async () => {
    assert.deepEqual((await document()).tables, floor)
    await book.rules(dinner())
    assert.deepEqual((await document()).tables, floor)
    await book.rules(await document())
    assert.deepEqual((await document()).tables, floor)
  })

  it('goes out as CSV and comes in the same', async () => {
    const before = await written()
    const tables = tablesAsCsv(before)
    assert.equal(
      tables,
      [
        'label,room,least,most,shape,online,priority,features,x,y',
        '2,Dining room,1,4,round,true,-1,"window; booth",3,4',
        '10,Dining room,2,6,square,true,0,,0,0',
        'T1,"Terrace, covered",1,2,bar,false,5,outdoor,0,0',
        '',
      ].join('\r\n'),
    )
    const combinations = combinationsAsCsv(before)
    assert.equal(combinations, 'tables,least,most\r\n2+10,5,10\r\n')
    for (const text of [tables, tables.replaceAll('\r\n', '\n'), `\uFEFF${tables}`]) {
      assert.deepEqual(withTables(before, text), { ok: true, floor: before })
    }
    const elsewhere = withTables(emptyFloor, tables)
    assert.ok(elsewhere.ok)
    assert.deepEqual(elsewhere.floor.tables, before.tables)
    const both = withCombinations(elsewhere.floor, combinations)
    assert.ok(both.ok)
    assert.deepEqual(both.floor.combinations, before.combinations)
    const drawn = drawnAsCsv(before)
    assert.equal(
      drawn,
      'room,what,x,y,wide,high\r\nDining room,wall,0,8,12,1\r\n"Terrace, covered",door,4,0,1,3\r\n',
    )
    assert.deepEqual(withDrawn(before, drawn), { ok: true, floor: before })
    assert.deepEqual(withDrawn(before, ''), { ok: true, floor: { ...before, drawn: [] } })
    assert.deepEqual(withDrawn(before, 'room,what,wide\nCellar,well,0\n'), {
      ok: false,
      mistakes: [
        'Line 2: what must be one of wall, door, bar.',
        'Line 2: wide must be a whole number from 1 to 60.',
      ],
    })
    assert.deepEqual(withDrawn(before, 'room,what\nCellar,bar\n'), {
      ok: false,
      mistakes: ['There is no room Cellar.'],
    })
  })

  it('a file or a document with mistakes says all of them and changes nothing', () => {
    const mistakes = (text: string) => {
      const read = withTables(emptyFloor, text)
      return read.ok ? [] : read.mistakes
    }
    assert.deepEqual(mistakes('label,room\n1,Bar\n'), ['The column most is missing.'])
    assert.deepEqual(mistakes('label,room,most,seats\n1,Bar,2,2\n'), [
      'seats is not a column; known here are label, room, least, most, shape, online, priority, features, x, y.',
    ])
    assert.deepEqual(mistakes('label,room,least,most,online\nseventh,Bar,0,2,maybe\n,Bar,1,x,\n'), [
      'Line 2: label must be at most 6 characters.',
      'Line 2: least must be a whole number from 1 to 1000.',
      'Line 2: online must be true or false.',
      'Line 3: label is missing.',
      'Line 3: most must be a whole number from 1 to 1000.',
    ])
    assert.deepEqual(mistakes('label,room,least,most\na1,Bar,3,2\nA1,Bar,1,2\n'), [
      'Table A1 is listed twice.',
      'Table a1: least must not be above most.',
    ])
    const read = readRulesDocument(
      dinner({
        tables: {
          ...floor,
          combinations: [
            { tables: ['2'], most: 8 },
            { tables: ['2', '99'], most: 8 },
          ],
          plans: [{ weekdays: [1] }],
        },
      }),
    )
    assert.ok(!read.ok)
    assert.deepEqual(read.mistakes, [
      'A combination joins two tables or more, not 2.',
      'There is no table 99.',
      'A plan is for a room or for a table.',
    ])
  })

  it('a document that drops a table with coming bookings is refused with their list; afterward it goes', async () => {
    await turnTablesOn(service, book.venue)
    const party = { guestName: 'Okafor', email: null, phone: null, notes: null, partySize: 5 }
    const outcome = await book.act((work) =>
      bookByStaff(work, staff('host'), { ...party, ...book.when('2026-10-06', '19:00') }),
    )
    assert.ok(outcome.kind === 'done')
    const { id } = outcome.record
    assert.deepEqual(await heldTables(service, book.venue), { [id]: '10' })
    const without10 = dinner({
      tables: { ...floor, tables: floor.tables.filter(({ label }) => label !== '10'), combinations: [] },
    })
    await assert.rejects(book.rules(without10), {
      reason: 'not-in-state',
      message: `These bookings hold a table that would be gone; give them another first.\nTable 10: 2026-10-06 19:00, Okafor, 5 (booking ${id})`,
    })
    assert.deepEqual((await document()).tables, floor)
    service.setClock('2026-10-08T19:00:00Z')
    await book.rules(without10)
    assert.deepEqual(
      (await document()).tables?.tables.map(({ label }) => label),
      ['2', 'T1'],
    )
    assert.deepEqual(await heldTables(service, book.venue), { [id]: '10' }, 'history names it')
  })

  it('a table that keeps its label is the same table, even if everything else changes', async () => {
    const before = (await wholeFloor(service.db.within(book.venue.id), book.venue.id))?.tables
    await book.rules(
      dinner({ tables: { ...floor, tables: floor.tables.map((table) => ({ ...table, most: 9 })) } }),
    )
    const after = (await wholeFloor(service.db.within(book.venue.id), book.venue.id))?.tables
    assert.deepEqual(
      after?.map(({ id, label, most }) => [id, label, most]),
      before?.map(({ id, label }) => [id, label, 9]),
    )
  })
})
