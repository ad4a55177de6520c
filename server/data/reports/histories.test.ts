import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner, openBook, staff } from '../../book/reservations/test/book.ts'
import { findBooker, makeBooking } from '../../book/reservations/bookings.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { type ReservationMoveName, reservationMoves } from '../../book/reservations/states.ts'
import { undoTableChoice } from '../../book/reservations/undo-choice.ts'
import { followZone } from '../../book/reservations/zone-change.ts'
import { holdDays, openDay } from '../../book/day/open-day.ts'
import { serviceDateAt } from '../../book/rules/service-now.ts'
import { bookingRulesAround } from '../../book/rules/rules-store.ts'
import { chooseTables } from '../../book/tables/choose-tables.ts'
import { tablesOf, turnTablesOn } from '../../book/tables/test/floor.ts'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { importingOwner } from '../../doors/office/imports/test/importing-owner.ts'
import { openGate } from '../../platform/db/gate.ts'
import { sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type TestService, startService } from '../../test/service.ts'
import { erasePerson } from '../erasure/erase.ts'
import { runImports } from '../imports/run.ts'
import { checkDays } from './check-days.ts'
import { countFigures } from './count-figures.ts'
import { countedFigures } from './figure-names.ts'
import { rollingUp } from './roll-up.ts'
import { figuresBySql, sorted } from './test/by-sql.ts'

/* The clock of the tests says Tuesday, October 6, 2026: sums are kept up to October 3, of days with bookings. */
const gate = openGate({ places: 4, waitMs: 60_000 })
const [first, last] = ['2025-10-20', '2026-10-06']
/**
 * Days around both changes of the clock, in three time zones; those on which guests first came who have had 90 days, and
 * those up to which they may have come back; and the last ones, of some of which no sums are kept yet.
 */
const seasons = ['2025-10-24', '2026-03-06', '2026-03-26', '2026-06-22', '2026-09-18', '2026-09-28'].map(
  (from) => Array.from({ length: 9 }, (_, at) => addDays(from, at)),
)
/** After midnight too, and in the hours that a night of the clock change has twice or not at all. */
const times = ['17:30', '19:00', '20:15', '23:45', '00:30', '01:30']
const people = ['ana', 'ben', 'cleo', 'dan', 'eva', 'fay'].map((name) => `${name}@example.com`)
const floor = [2, 2, 4, 4, 6, 8].map((most, at) => ({ label: `T${at + 1}`, most }))
const zones = ['America/New_York', 'Europe/Berlin', 'Pacific/Auckland']

describe('sums of past days, after three hundred random histories', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
    book = await openBook(service, dinner(tablesOf(floor)))
    await turnTablesOn(service, book.venue)
  })
  after(() => service.stop())

  const figures = () =>
    book.act((work) =>
      countFigures(work, gate, { from: first, to: last, names: countedFigures, compare: undefined }),
    )
  /** The same without sums, in a transaction that takes them away and is thrown away. */
  const direct = async () => {
    let found: Awaited<ReturnType<typeof figures>> | undefined
    await book
      .act(async (work) => {
        await work.db.run(sql()`delete from report_day where venue_id = ${book.venue.id}`)
        found = await countFigures(work, gate, {
          from: first,
          to: last,
          names: countedFigures,
          compare: undefined,
        })
        throw new Error('only looked')
      })
      .catch((error: Error) => assert.equal(error.message, 'only looked'))
    return found
  }
  /** The figures by a program of its own. */
  const bySql = async () => {
    const { id, timezone } = book.venue
    const now = service.context.clock()
    const rules = await bookingRulesAround(service.context.db.within(id), book.venue, last)
    const asked = { venue: id, zone: timezone, from: first, to: last, today: serviceDateAt(rules, now) }
    return figuresBySql(service, asked)
  }
  /** Days whose sums are not what their bookings say. */
  const differing = async (): Promise<readonly string[]> =>
    (
      await checkDays(
        service.context.db.within(book.venue.id),
        { ...book.venue, phone: null },
        { from: first, to: last },
        service.context.clock(),
      )
    ).differing

  it('are the figures counted from the bookings, each of them, whatever happened', async () => {
    const random = numbers(20_261_006)
    const pick = <Of>(of: readonly Of[]): Of => of[random(of.length)] as Of
    const { owner, bring } = await importingOwner(service, book.venue)
    const merges: number[] = []
    const imports: string[] = []
    const counts = new Map<string, number>()
    const ids = async (): Promise<number[]> =>
      (
        await book.query('select id from reservation where venue_id = $1 order by id desc limit 30', [
          book.venue.id,
        ])
      ).map(({ id }) => Number(id))

    const make = (dates: readonly string[]): Promise<unknown> => {
      const asked = {
        ...{ guestName: 'Maya', email: pick([null, ...people]), phone: null, notes: null },
        ...{ ...book.when(pick(dates), pick(times)), partySize: 1 + random(14) },
      }
      return book.act(async (work) => {
        const day = await openDay(work, asked, await holdDays(work, asked))
        const source = pick(['staff', 'walkin'] as const)
        return makeBooking(work, staff('host'), {
          ...asked,
          source,
          seated: random(3) === 0,
          day,
          candidates: await findBooker(work, asked),
          reasons: [],
        })
      })
    }
    const move = async (): Promise<unknown> => {
      const name = pick(Object.keys(reservationMoves) as ReservationMoveName[])
      const id = pick(await ids())
      return book.act((work) =>
        moveReservation(work, staff('manager'), {
          ...{ id, move: name, confirmed: ['another-day'] },
          ...(name === 'cancel' && { decidedBy: pick(['guest', 'staff'] as const) }),
        }),
      )
    }
    const edit = async (dates: readonly string[]): Promise<unknown> => {
      const id = pick(await ids())
      const row = await book.row(id)
      return book.act((work) =>
        editReservation(work, staff('manager'), {
          ...{ id, seenVersion: row.version, confirmed: ['in-the-past', 'another-day'] as never },
          changes: pick([
            { when: book.when(pick(dates), pick(times)) },
            { partySize: 1 + random(14) },
            { email: pick(people) },
          ]),
        }),
      )
    }
    const presses: { readonly id: number; readonly press: readonly number[] }[] = []
    /** At other tables, joined or none: also long after the evening. */
    const sitElsewhere = async (): Promise<unknown> => {
      const [id, asked] = [pick(await ids()), random(3)]
      const known = await book.query(
        'select id from dining_table where venue_id = $1 order by id offset $2 limit $3',
        [book.venue.id, random(floor.length - 1), asked],
      )
      const outcome = await book.act((work) =>
        chooseTables(work, staff('manager'), { id, tables: known.map((row) => Number(row['id'])) }),
      )
      if (outcome.kind !== 'done') throw new Error(outcome.kind)
      return presses.push({ id, press: outcome.press ?? [] })
    }
    const sitAgain = async (): Promise<unknown> => {
      const press = presses.pop()
      if (press === undefined) throw new Error('no press')
      const outcome = await book.act((work) => undoTableChoice(work, staff('manager'), press))
      if (outcome.kind !== 'done') throw new Error(outcome.kind)
      return outcome
    }
    /** Another name, and more or fewer seats. */
    const otherTable = (): Promise<unknown> =>
      book.query(
        `update dining_table set label = 'N' || $2::text, most = least + $3::int
          where venue_id = $1 and id = (select max(id) from dining_table where venue_id = $1)`,
        [book.venue.id, random(90), random(9)],
      )
    const merge = async (): Promise<unknown> => {
      const guests = await book.query(
        'select id, version from guest where venue_id = $1 and erased_at is null order by id',
        [book.venue.id],
      )
      const [one, other] = [pick(guests), pick(guests)].map((row) => ({
        id: Number(row['id']),
        seenVersion: Number(row['version']),
      }))
      if (!one || !other) throw new Error('nobody to merge')
      return merges.push((await book.act((work) => mergeGuests(work, staff('manager'), one, other))).merge)
    }
    const unmerge = async (): Promise<unknown> => {
      const last = merges.pop()
      if (last === undefined) throw new Error('no merge')
      return book.act((work) => undoMerge(work, staff('manager'), last))
    }
    const bringFile = async (dates: readonly string[]): Promise<unknown> => {
      const rows = Array.from({ length: 1 + random(3) }, () =>
        [
          pick(dates),
          pick(times),
          1 + random(8),
          'Nia Berg',
          pick(people),
          pick(['Done', 'No Show', 'Cancelled by guest']),
          pick(['T1', 'T2', 'T3+T4', '']),
        ].join(),
      )
      const { to } = await bring(
        'reservations',
        ['Reservation date,Reservation time,Party,Guest name,Email,Status,Table', ...rows].join('\n'),
      )
      return imports.push(to)
    }
    const takeBack = async (): Promise<unknown> => {
      const to = imports.pop()
      if (to === undefined) throw new Error('no import')
      const answer = await owner.post(`${to}/undo`)
      assert.equal(answer.status, 303, answer.words)
      return runImports(service.context)
    }
    const zone = async (): Promise<unknown> => {
      const timezone = pick(zones)
      await book.query('update venue set timezone = $2 where id = $1', [book.venue.id, timezone])
      Object.assign(book.venue, { timezone })
      return followZone(service.context, book.venue.id, async () => undefined)
    }
    const steps: readonly (readonly [
      name: string,
      times: number,
      step: (dates: readonly string[]) => Promise<unknown>,
    ])[] = [
      ['make', 20, make],
      ['move', 30, move],
      ['edit', 12, edit],
      ['choose a table', 16, sitElsewhere],
      ['undo a choice of a table', 4, sitAgain],
      ['change a table', 1, otherTable],
      [
        'delete',
        4,
        async () => book.act(async (work) => deleteReservation(work, staff('owner'), pick(await ids()))),
      ],
      ['merge', 4, merge],
      ['undo a merge', 3, unmerge],
      ['import', 2, bringFile],
      ['undo an import', 1, takeBack],
      [
        'erase',
        1,
        () =>
          book.act((work) =>
            erasePerson(work, staff('owner'), {
              email: pick(people),
              phone: null,
              guestId: null,
              name: null,
            }),
          ),
      ],
      ['zone', 1, zone],
    ]
    const bag = steps.flatMap((step) => Array.from({ length: step[1] }, () => step))
    for (let history = 0; history < 300; history++) {
      const dates = pick(seasons)
      for (let at = 0; at < 4; at++) {
        const [name, , step] = at === 0 ? (steps[0] ?? pick(bag)) : pick(bag)
        try {
          await step(dates)
          counts.set(name, (counts.get(name) ?? 0) + 1)
        } catch {
          // What the book does not allow, it does not do.
        }
      }
      // Before the job has looked at the marks, and after.
      const counted = await direct()
      assert.deepEqual(await figures(), counted, `after ${history + 1} histories, marked`)
      if (history % 10 === 9) {
        const program = await bySql()
        for (const { name, rows } of counted?.figures ?? [])
          assert.deepEqual(
            sorted(rows),
            sorted(program[name] ?? []),
            `${name} after ${history + 1} histories`,
          )
      }
      await rollingUp(service.context)(new AbortController().signal)
      assert.deepEqual(await figures(), counted, `after ${history + 1} histories, made`)
      if (history % 10 === 9) assert.deepEqual(await differing(), [], `after ${history + 1} histories`)
    }
    const [months] = await book.query('select count(*)::int as kept from report_month where venue_id = $1', [
      book.venue.id,
    ])
    assert.ok(Number(months?.['kept']) >= 6, 'months were added up')
    for (const [name] of steps) assert.ok((counts.get(name) ?? 0) > 0, `${name} was done`)
    const done = JSON.stringify([...counts])
    assert.ok((counts.get('move') ?? 0) > 100 && (counts.get('choose a table') ?? 0) > 20, done)
    for (const name of ['tables', 'tables_known', 'guests_by_table'])
      assert.ok(
        (await figures()).figures.some((one) => one.name === name && one.rows.length > 0),
        name,
      )
  })
})

/** Whole numbers below a bound, the same at every run. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
