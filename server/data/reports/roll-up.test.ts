import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, dinner, openBook, staff } from '../../book/reservations/test/book.ts'
import { undoTableChoice } from '../../book/reservations/undo-choice.ts'
import { followZone } from '../../book/reservations/zone-change.ts'
import { findBooker, makeBooking } from '../../book/reservations/bookings.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import type { ReservationMoveName } from '../../book/reservations/states.ts'
import { chooseTables } from '../../book/tables/choose-tables.ts'
import { tablesOf, turnTablesOn } from '../../book/tables/test/floor.ts'
import { holdDays, openDay } from '../../book/day/open-day.ts'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { erasePerson } from '../erasure/erase.ts'
import { openGate } from '../../platform/db/gate.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { sql } from '../../platform/db/sql.ts'
import { openPatiently } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { type TestService, startService } from '../../test/service.ts'
import { checkDays } from './check-days.ts'
import { countFigures } from './count-figures.ts'
import { countedFigures } from './figure-names.ts'
import { randomFrom } from '../../demo/random.ts'
import { figuresOfDay } from './figures-of-day.ts'
import { keepDays } from './kept-days.ts'
import { rollingUp } from './roll-up.ts'
import { textOfTally } from './tally.ts'

/* The clock of the tests says Tuesday, October 6, 2026: sums are kept up to October 3, of days with bookings. */
const gate = openGate({ places: 4, waitMs: 60_000 })
const [first, last] = ['2026-09-20', '2026-10-06']

describe('sums of past days', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const job = () => rollingUp(service.context)(new AbortController().signal)
  const figures = (book: TestBook, from = first, to = last) =>
    book.act((work) => countFigures(work, gate, { from, to, names: countedFigures, compare: undefined }))
  /** The same without sums, in a transaction that takes them away and is thrown away. */
  const direct = async (book: TestBook, from = first, to = last) => {
    let found: Awaited<ReturnType<typeof figures>> | undefined
    await book
      .act(async (work) => {
        await work.db.run(takeAway(book.venue.id))
        found = await countFigures(work, gate, { from, to, names: countedFigures, compare: undefined })
        throw new Error('only looked')
      })
      .catch((error: Error) => assert.equal(error.message, 'only looked'))
    return found
  }
  const check = (book: TestBook) =>
    checkDays(
      service.context.db.within(book.venue.id),
      { ...book.venue, phone: null },
      { from: first, to: last },
      service.context.clock(),
    )
  const marks = async (book: TestBook): Promise<string[]> =>
    (
      await book.query('select service_date::text as date from report_mark where venue_id = $1 order by 1', [
        book.venue.id,
      ])
    ).map(({ date }) => String(date))
  const kept = async (book: TestBook): Promise<string[]> =>
    (
      await book.query('select service_date::text as date from report_day where venue_id = $1 order by 1', [
        book.venue.id,
      ])
    ).map(({ date }) => String(date))
  const move = (book: TestBook, id: number, name: ReservationMoveName) =>
    book.act((work) =>
      moveReservation(work, staff('manager'), {
        id,
        move: name,
        confirmed: ['another-day'],
        ...(name === 'cancel' && { decidedBy: 'staff' }),
      }),
    )

  it('are kept of days that are over everywhere; today and the days before it are counted', async () => {
    const book = await openBook(service)
    await book.booking('Completed', { date: '2026-10-02' })
    await book.booking('Completed', { date: '2026-10-04' })
    await book.booking('Completed', { date: '2026-10-06' })
    await job()
    assert.deepEqual(await kept(book), ['2026-10-02'])
    assert.deepEqual(await figures(book), await direct(book))
    assert.deepEqual(await check(book), { days: 14, differing: [] })
  })

  it('stay untouched by three hundred writes of a Saturday, also after midnight', async () => {
    const book = await openBook(service)
    const today = service.context.clock()
    const press = async (id: number, name: ReservationMoveName): Promise<void> => {
      const outcome = await move(book, id, name)
      assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
    }
    const make = async (at: number): Promise<number> => {
      const asked = {
        ...{ guestName: 'Maya', email: `guest${at % 40}@example.com`, phone: null, notes: null },
        ...(at < 38
          ? book.when('2026-10-10', ['17:00', '17:45', '18:15'][at % 3] ?? '')
          : book.when('2026-10-11', ['00:00', '00:15', '00:30'][at % 3] ?? '')),
        partySize: 1 + (at % 6),
      }
      const made = await book.act(async (work) => {
        const day = await openDay(work, asked, await holdDays(work, asked))
        const source = at % 3 === 0 ? ('walkin' as const) : ('staff' as const)
        const candidates = await findBooker(work, asked)
        const booking = { ...asked, source, seated: false, day, candidates, reasons: [] }
        return makeBooking(work, staff('host'), booking)
      })
      return made.id
    }
    try {
      // Half past six on Saturday, in New York.
      service.setClock('2026-10-10T22:30:00Z')
      let writes = 0
      for (let at = 0; at < 75; at++) {
        if (at === 38) service.setClock('2026-10-11T04:40:00Z')
        const id = await make(at)
        const [first, last] = (
          [
            ['seat', 'complete'],
            ['seat', 'undoSeat'],
            ['markNoShow', 'undoNoShow'],
            ['cancel', 'undoCancel'],
          ] as const
        )[at % 4] ?? ['seat', 'complete']
        await press(id, first)
        const row = await book.row(id)
        const edited = await book.act((work) =>
          editReservation(work, staff('manager'), {
            ...{ id, seenVersion: row.version, changes: { notes: 'By the window.' }, confirmed: [] },
          }),
        )
        assert.equal(edited.kind, 'done', JSON.stringify(edited))
        await press(id, last)
        writes += 4
      }
      assert.equal(writes, 300)
      assert.deepEqual(await marks(book), [])
      // What is written of a day that has sums is marked: so the look above sees marks where there are any.
      const old = await book.booking('Confirmed', { date: '2026-10-02' })
      await move(book, old, 'markNoShow')
      assert.deepEqual([...new Set(await marks(book))], ['2026-10-02'])
    } finally {
      service.setClock(today.toString())
    }
  })

  it('follow a booking that moves from one past day to another, on both', async () => {
    const book = await openBook(service)
    const id = await book.booking('Confirmed', { date: '2026-09-28' })
    await move(book, id, 'seat')
    await move(book, id, 'complete')
    await job()
    const row = await book.row(id)
    const outcome = await book.act((work) =>
      editReservation(work, staff('manager'), {
        id,
        seenVersion: row.version,
        changes: { when: book.when('2026-09-30', '20:00') },
        confirmed: ['another-day', 'in-the-past'] as never,
      }),
    )
    assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
    assert.deepEqual([...new Set(await marks(book))], ['2026-09-28', '2026-09-30'])
    assert.deepEqual(await figures(book), await direct(book), 'before the job: counted')
    await job()
    assert.deepEqual(await marks(book), [])
    assert.deepEqual(await figures(book), await direct(book))
    assert.equal((await check(book)).differing.length, 0)
  })

  it('follow a party that is put at another table after its evening, its undo, and another floor', async () => {
    const floor = [4, 6, 8].map((most, at) => ({ label: `T${at + 1}`, most }))
    const book = await openBook(service, dinner(tablesOf(floor)))
    await turnTablesOn(service, book.venue)
    const [, two = 0, three = 0] = (
      await book.query('select id from dining_table where venue_id = $1 order by most', [book.venue.id])
    ).map(({ id }) => Number(id))
    const id = await book.booking('Confirmed', { date: '2026-09-28', partySize: 4 })
    await move(book, id, 'seat')
    await job()
    await book.query('delete from report_mark where venue_id = $1', [book.venue.id])
    const byTable = async (): Promise<string[]> => {
      const { figures: found } = await figures(book)
      const rows = found.find(({ name }) => name === 'guests_by_table')?.rows ?? []
      return rows
        .filter(({ key }) => key['measure'] === 'covers')
        .map(({ key, n }) => `${key['table']}: ${n}`)
    }
    const become = async (rows: readonly string[], marked: readonly string[]): Promise<void> => {
      assert.deepEqual([...new Set(await marks(book))], marked)
      assert.deepEqual(await byTable(), rows, 'marked')
      await job()
      assert.deepEqual(await byTable(), rows, 'made')
      assert.deepEqual(await figures(book), await direct(book))
      assert.deepEqual((await check(book)).differing, [])
    }
    const choose = async (tables: readonly number[]): Promise<readonly number[]> => {
      const outcome = await book.act((work) => chooseTables(work, staff('manager'), { id, tables }))
      assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
      return outcome.kind === 'done' ? (outcome.press ?? []) : []
    }
    const day = ['2026-09-28']
    await become(['T1: 4'], [])
    const press = await choose([two, three])
    await become(['T2: 4', 'T3: 4'], day)
    const undone = await book.act((work) => undoTableChoice(work, staff('manager'), { id, press }))
    assert.equal(undone.kind, 'done', JSON.stringify(undone))
    await become(['T1: 4'], day)
    await choose([])
    await become([], day)
    await choose([two])
    await become(['T2: 4'], day)
    // What a table is called and how many it seats is asked when figures are: no day is made once more for it.
    await book.query(`update dining_table set label = 'Bay', most = 5 where venue_id = $1 and id = $2`, [
      book.venue.id,
      two,
    ])
    await become(['Bay: 4'], [])
    const [seats] =
      (await figures(book)).figures
        .find(({ name }) => name === 'tables')
        ?.rows.filter(({ key }) => key['measure'] === 'seats') ?? []
    assert.deepEqual([seats?.n, seats?.d], [4, 5])
    await book.query(`update booking_settings set table_mode = 'off' where venue_id = $1`, [book.venue.id])
    await become([], [])
    await turnTablesOn(service, book.venue)
    await book.act((work) => deleteReservation(work, staff('owner'), id))
    await become([], day)
  })

  it('know by what source each guest came first, also once that visit is deleted, merged or erased', async () => {
    const book = await openBook(service)
    const [ana, ben] = ['ana@example.com', 'ben@example.com']
    const came = (email: string, date: string, source: 'staff' | 'walkin') =>
      book.booking('Completed', { guestName: 'Maya', email, date, source })
    const first = await came(ana, '2026-09-22', 'staff')
    for (const date of ['2026-09-24', '2026-09-26']) await came(ana, date, 'walkin')
    await came(ben, '2026-09-21', 'walkin')
    const sources = async (): Promise<string[]> => {
      const { figures: found } = await figures(book)
      const rows = found.find(({ name }) => name === 'guests_by_first_source')?.rows ?? []
      return rows.map(({ key, n }) => `${key['source']} ${key['kind']}: ${n}`)
    }
    const become = async (rows: readonly string[]): Promise<void> => {
      assert.deepEqual(await sources(), rows, 'marked')
      await job()
      assert.deepEqual(await sources(), rows, 'made')
    }
    await become(['staff new: 1', 'staff returning: 2', 'walkin new: 1'])
    const guests = await book.query('select id, version from guest where venue_id = $1 order by id', [
      book.venue.id,
    ])
    const [one, other] = guests.map((row) => ({ id: Number(row['id']), seenVersion: Number(row['version']) }))
    assert.ok(one && other && guests.length === 2)
    const { merge } = await book.act((work) => mergeGuests(work, staff('manager'), one, other))
    await become(['walkin new: 1', 'walkin returning: 3'])
    await book.act((work) => undoMerge(work, staff('manager'), merge))
    await become(['staff new: 1', 'staff returning: 2', 'walkin new: 1'])
    await book.act((work) => deleteReservation(work, staff('owner'), first))
    await become(['walkin new: 2', 'walkin returning: 1'])
    await book.act((work) =>
      erasePerson(work, staff('owner'), { email: ana, phone: null, guestId: null, name: null }),
    )
    await become(['walkin new: 1'])
  })

  it('follow a no-show that is taken back a day later, and who came first then', async () => {
    const book = await openBook(service)
    const ana = { guestName: 'Ana', email: 'ana@example.com', time: '19:00', partySize: 3 }
    const missed = await book.booking('No-show', { ...ana, date: '2026-09-22' })
    await book.booking('Completed', { ...ana, date: '2026-09-24' })
    await job()
    const shownAs = async (): Promise<string[]> => {
      const { figures: found } = await figures(book)
      return (['no_shows', 'guests', 'open_ends', 'parties'] as const).flatMap((name) =>
        (found.find((one) => one.name === name)?.rows ?? [])
          .filter(({ key }) => !('source' in key || 'size' in key || 'weekday' in key || 'days' in key))
          .filter(({ key }) => key['measure'] !== 'covers')
          .map(({ key, n, d }) => `${name} ${Object.values(key).join(' ')}: ${d === null ? n : `${n}/${d}`}`),
      )
    }
    const become = async (rows: readonly string[]): Promise<void> => {
      assert.deepEqual(await shownAs(), rows, 'marked')
      await job()
      assert.deepEqual(await marks(book), [])
      assert.deepEqual(await shownAs(), rows, 'made')
      assert.deepEqual(await figures(book), await direct(book))
      assert.deepEqual((await check(book)).differing, [])
    }
    const second = 'parties 2026-09-24 Dinner: 1'
    await become(['no_shows parties: 1/2', 'guests new: 1', second])
    const today = service.context.clock()
    try {
      service.setClock(today.add({ hours: 24 }).toString())
      const undone = await move(book, missed, 'undoNoShow')
      assert.equal(undone.kind, 'done', JSON.stringify(undone))
      assert.deepEqual([...new Set(await marks(book))], ['2026-09-22', '2026-09-24'])
      await become(['no_shows parties: 0/1', 'guests new: 1', 'open_ends 2026-09-22 Confirmed: 1', second])
      for (const name of ['seat', 'complete'] as const)
        assert.equal((await move(book, missed, name)).kind, 'done', name)
      const first = 'parties 2026-09-22 Dinner: 1'
      await become(['no_shows parties: 0/2', 'guests new: 1', 'guests returning: 1', first, second])
      await book.act((work) => deleteReservation(work, staff('owner'), missed))
      await become(['no_shows parties: 0/1', 'guests new: 1', second])
    } finally {
      service.setClock(today.toString())
    }
  })

  it('are made once more when they are of another version, and counted until then', async () => {
    const book = await openBook(service)
    await book.booking('Completed', { date: '2026-09-28' })
    await job()
    await book.query(`update report_day set rules = '0', body = '{}' where venue_id = $1`, [book.venue.id])
    assert.deepEqual(await figures(book), await direct(book))
    await job()
    const [row] = await book.query(
      `select count(*)::int as days, count(*) filter (where rules <> '0')::int as made from report_day where venue_id = $1`,
      [book.venue.id],
    )
    assert.deepEqual(row, { days: 1, made: 1 })
  })

  it('that differ are found by a check, and made once more', async () => {
    const book = await openBook(service)
    const id = await book.booking('Completed', { date: '2026-09-28' })
    await job()
    await book.query('update reservation set party_size = 7 where id = $1', [id])
    assert.deepEqual(await check(book), { days: 14, differing: ['2026-09-28'] })
    await job()
    assert.deepEqual(await check(book), { days: 14, differing: [] })
  })

  it('are kept of no day to come, and one made too early counts for nothing', async () => {
    const book = await openBook(service)
    await book.booking('Confirmed', { date: '2026-10-20' })
    await book.booking('Confirmed', { date: '2026-10-02' })
    for (const date of ['2026-10-20', '2026-10-05']) await book.query(mark, [book.venue.id, date])
    await job()
    assert.deepEqual(await marks(book), [])
    assert.deepEqual(await kept(book), ['2026-10-02'])
    await book.query(`update report_day set made_at = '2026-10-02', body = '{}' where venue_id = $1`, [
      book.venue.id,
    ])
    const counted = await direct(book)
    assert.deepEqual(await figures(book), counted)
    await job()
    assert.deepEqual(await figures(book), counted)
    assert.deepEqual((await check(book)).differing, [])
  })

  it('follow a change of the time zone on past days, and mark none to come', async () => {
    const book = await openBook(service)
    await book.booking('Confirmed', { date: '2026-09-28' })
    await book.booking('Confirmed', { date: '2026-10-20' })
    await book.query(`update venue set timezone = 'Europe/Berlin' where id = $1`, [book.venue.id])
    await job()
    await followZone(service.context, book.venue.id, async () => undefined)
    assert.deepEqual(new Set(await marks(book)), new Set(['2026-09-28']))
  })

  it('are filled from one day with bookings to the next, however far back a mistyped one lies', async () => {
    const book = await openBook(service)
    await book.booking('Completed', { date: '2026-09-28' })
    const id = await book.booking('Completed', { date: '2026-09-29' })
    await book.query(`update reservation set service_date = '0025-09-29' where id = $1`, [id])
    await job()
    assert.deepEqual(await kept(book), ['0025-09-29', '2026-09-28', '2026-09-29'])
    assert.deepEqual(await figures(book), await direct(book))
  })

  it('that cannot be made keep no other day waiting, marked or not', async () => {
    const book = await openBook(service)
    for (const date of ['2026-09-02', '2026-09-14', '2026-09-28']) await book.booking('Completed', { date })
    await book.query(
      `alter table report_day add constraint broken check (service_date <> '2026-09-14') not valid`,
    )
    try {
      for (const date of ['2026-09-14', '2026-09-28']) await book.query(mark, [book.venue.id, date])
      await job()
      assert.deepEqual(new Set(await marks(book)), new Set(['2026-09-14']))
      assert.deepEqual(await kept(book), ['2026-09-02', '2026-09-28'])
    } finally {
      await book.query('alter table report_day drop constraint broken')
    }
    await job()
    assert.deepEqual(await kept(book), ['2026-09-02', '2026-09-14', '2026-09-28'])
  })

  it('are made by other rules within minutes, and not when the hour is over', async () => {
    const book = await openBook(service)
    await book.booking('Completed', { date: '2026-09-28' })
    let now = service.context.clock()
    const run = rollingUp({ ...service.context, clock: () => now })
    await run(new AbortController().signal)
    await book.query(`update venue set timezone = 'Europe/Berlin' where id = $1`, [book.venue.id])
    now = now.add({ minutes: 2 })
    await run(new AbortController().signal)
    const [row] = await book.query('select rules from report_day where venue_id = $1', [book.venue.id])
    assert.match(String(row?.['rules']), /Europe\/Berlin/)
  })

  it('of a day of 1,400 parties of all kinds, at 120 tables, are a row of at most 8 KB', async () => {
    const book = await openBook(service)
    const random = randomFrom(20_261_002)
    const pick = <Of>(of: readonly Of[]): Of => of[random.integer(0, of.length - 1)] as Of
    const [date, start] = ['2026-10-02', 1_000_000_000_000]
    const bookings = Array.from({ length: 1_400 }, () => {
      const minute = 660 + 15 * random.integer(0, 43)
      const seatedMs = start + minute * 60_000 + random.integer(0, 600_000)
      return {
        ...{ service_date: date, service_minute: minute, party_size: random.integer(1, 14) },
        status: pick(['Completed', 'Completed', 'Completed', 'Completed', 'No-show', 'Cancelled']),
        source: pick(['public', 'staff', 'walkin', 'automation', 'waitlist', 'voice']),
        ...{ service: pick(['Lunch', 'Dinner']), is_imported: false, was_seated_at_once: false },
        ...{ cancelled_from: 'Confirmed', cancelled_by: pick(['guest', 'staff']), cancelled_ahead_ms: 1 },
        ...{ days_ahead: random.integer(0, 60), seated_minute: minute, seated_ms: seatedMs },
        completed_ms: seatedMs + random.integer(40, 180) * 60_000 + random.integer(0, 59_999),
        ...{ duration_minutes: 120, answered_minutes: pick([null, null, random.integer(0, 900)]) },
        ...{ visit: pick(['new', 'returning']), first_source: pick(['public', 'staff', 'walkin']) },
        ...{ returned_after: pick([null, null, random.integer(1, 90)]) },
        table_ids: [9_000_000 + random.integer(0, 119)],
      }
    })
    const tally = figuresOfDay({
      ...{ date, bookings, isOver: true, longestTurn: 180, services: new Set(['Lunch', 'Dinner']), line: [] },
    })
    await keepDays(service.context.db.within(book.venue.id), book.venue.id, [{ date, tally }], {
      ...{ at: service.context.clock(), rules: 'any', times: new Map() },
    })
    const [row] = await book.query(
      'select pg_column_size(d.*) as bytes from report_day d where venue_id = $1',
      [book.venue.id],
    )
    assert.ok(Number(row?.['bytes']) <= 8_192, `${String(row?.['bytes'])} bytes`)
    assert.ok(Object.keys(tally).length > 15 && textOfTally(tally).length > 8_192, 'as much as a day may be')
  })

  it('are made once for all marks of a day', async () => {
    const book = await openBook(service)
    await book.booking('Completed', { date: '2026-09-28' })
    await job()
    await book.query(
      `insert into report_mark (venue_id, service_date) select $1, '2026-09-28' from generate_series(1, 1200)`,
      [book.venue.id],
    )
    assert.equal(await job(), 1)
    assert.deepEqual(await marks(book), [])
  })

  it('have no writer wait for another: twenty on one old day, all of them before their commit at once', async () => {
    const book = await openBook(service)
    const ids: number[] = []
    for (let at = 0; at < 20; at++)
      ids.push(await book.booking('Confirmed', { date: '2026-09-28', email: `guest${at}@example.com` }))
    await job()
    const moves = ['markNoShow', 'cancel'] as const
    const db = openPatiently({ url: service.databaseUrl, size: 24 })
    try {
      await service.db.session(async (held) => {
        await held.query('select pg_advisory_lock($1)', [barrier])
        const waiting = async (kind: 'advisory' | 'other'): Promise<number> => {
          const { rows } = await held.query(
            `select count(*) filter (where (wait_event = 'advisory') = $1)::int as waiting from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
            [kind === 'advisory'],
          )
          return Number(rows[0]?.waiting)
        }
        const writers = ids.map((id, at) =>
          db.transaction(async (all) => {
            const work = {
              ...{ db: all.within(book.venue.id), venue: { ...book.venue, plan: 'pro' as const } },
              now: service.context.clock,
            }
            const outcome = await moveReservation(work, staff('manager'), {
              ...{ id, move: moves[at % 2] ?? 'cancel', confirmed: ['another-day'] },
              ...(at % 2 === 1 && { decidedBy: 'staff' }),
            } as never)
            assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
            // Behind all that is written with the commit.
            all.inTransaction?.beforeCommit(() => all.run(pass))
          }),
        )
        const all = Promise.all(writers)
        all.catch(() => undefined)
        // Every writer has written everything, and none waits for another.
        await eventually(async () => (await waiting('advisory')) === ids.length)
        assert.equal(await waiting('other'), 0)
        await held.query('select pg_advisory_unlock($1)', [barrier])
        await all
      })
    } finally {
      await db.close()
    }
    assert.deepEqual(
      await marks(book),
      ids.map(() => '2026-09-28'),
    )
  })
})

/** Nobody passes while the test holds it. */
const barrier = 20_260_928
const pass = sql()`select from pg_advisory_xact_lock_shared(${barrier})`

const takeAway = (venue: VenueId) => sql()`delete from report_day where venue_id = ${venue}`

const mark = 'insert into report_mark (venue_id, service_date) values ($1, $2)'
