import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { followZone } from '../../book/reservations/zone-change.ts'
import { makeBooking } from '../../book/reservations/bookings.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { type ReservationMoveName, reservationMoves } from '../../book/reservations/states.ts'
import { holdDays, openDay } from '../../book/day/open-day.ts'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { erasePerson } from '../erasure/erase.ts'
import { openGate } from '../../platform/db/gate.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { sql } from '../../platform/db/sql.ts'
import { type TestService, startService } from '../../test/service.ts'
import { checkDays } from './check-days.ts'
import { countFigures } from './count-figures.ts'
import { countedFigures } from './figure-names.ts'
import { rollingUp } from './roll-up.ts'

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

  it('stay untouched by what is written during a service', async () => {
    const book = await openBook(service)
    for (const [at, name] of (['seat', 'markNoShow', 'cancel'] as const).entries()) {
      const id = await book.booking('Confirmed', { date: '2026-10-06', time: `1${7 + at}:00` })
      await move(book, id, name)
    }
    assert.deepEqual(await marks(book), [])
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

  it('are true for every figure after any history of moves, edits, merges, erasures, deletions and time zones', async () => {
    const book = await openBook(service)
    const random = numbers(20_261_006)
    const pick = <Of>(of: readonly Of[]): Of => of[random(of.length)] as Of
    const dates = Array.from({ length: 20 }, (_, at) => addDays(first, at))
    const emails = ['ana', 'ben', 'cleo', 'dan', 'eva'].map((name) => `${name}@example.com`)
    const merges: number[] = []
    const ids = async (): Promise<number[]> =>
      (await book.query('select id from reservation where venue_id = $1 order by id', [book.venue.id])).map(
        ({ id }) => Number(id),
      )
    const steps: readonly (() => Promise<unknown>)[] = [
      ...Array.from({ length: 3 }, () => async () => {
        const asked = {
          ...{ guestName: 'Maya', email: pick([null, ...emails]), phone: null, notes: null },
          ...book.when(pick(dates), pick(['19:00', '20:15', '00:30'])),
          partySize: 1 + random(9),
        }
        await book.act(async (work) => {
          const day = await openDay(work, asked, await holdDays(work, asked))
          const source = pick(['staff', 'walkin'] as const)
          return makeBooking(work, staff('host'), {
            ...asked,
            source,
            seated: random(4) === 0,
            day,
            reasons: [],
          })
        })
      }),
      ...Array.from(
        { length: 5 },
        () => async () =>
          move(book, pick(await ids()), pick(Object.keys(reservationMoves) as ReservationMoveName[])),
      ),
      async () => {
        const id = pick(await ids())
        const row = await book.row(id)
        await book.act((work) =>
          editReservation(work, staff('manager'), {
            ...{ id, seenVersion: row.version, confirmed: ['in-the-past', 'another-day'] as never },
            changes: pick([
              { when: book.when(pick(dates), '21:00') },
              { partySize: 1 + random(12) },
              { email: pick(emails) },
            ]),
          }),
        )
      },
      async () => {
        const id = pick(await ids())
        await book.act((work) => deleteReservation(work, staff('owner'), id))
      },
      async () => {
        const guests = await book.query(
          'select id, version from guest where venue_id = $1 and erased_at is null order by id',
          [book.venue.id],
        )
        const [one, other] = [pick(guests), pick(guests)].map((row) => ({
          id: Number(row['id']),
          seenVersion: Number(row['version']),
        }))
        if (one && other)
          merges.push((await book.act((work) => mergeGuests(work, staff('manager'), one, other))).merge)
      },
      async () => {
        const merge = merges.pop()
        if (merge !== undefined) await book.act((work) => undoMerge(work, staff('manager'), merge))
      },
      async () => {
        if (random(8) === 0)
          await book.act((work) =>
            erasePerson(work, staff('owner'), {
              email: pick(emails),
              phone: null,
              guestId: null,
              name: null,
            }),
          )
      },
      async () => {
        const timezone = pick(['America/New_York', 'Europe/Berlin', 'Pacific/Auckland'])
        await book.query('update venue set timezone = $2 where id = $1', [book.venue.id, timezone])
        Object.assign(book.venue, { timezone })
        await followZone(service.context, book.venue.id, async () => undefined)
      },
    ]
    const outcomes = { done: 0, refused: 0 }
    for (let at = 0; at < 300; at++) {
      try {
        await pick(steps)()
        outcomes.done++
      } catch {
        // What the book does not allow, it does not do.
        outcomes.refused++
      }
      if (at % 10 !== 9) continue
      // Before the job has looked at the marks, and after.
      const counted = await direct(book)
      assert.deepEqual(await figures(book), counted, `after ${at + 1} steps, marked`)
      await job()
      assert.deepEqual(await figures(book), counted, `after ${at + 1} steps, made`)
    }
    assert.ok(outcomes.done > 150, JSON.stringify(outcomes))
    assert.deepEqual(await check(book), { days: 14, differing: [] })
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

  it('have no writer wait for another: twenty on one old day', async () => {
    const book = await openBook(service)
    const ids = []
    for (let at = 0; at < 20; at++) ids.push(await book.booking('Completed', { date: '2026-09-28' }))
    await job()
    // Each transaction stays open until all have written.
    let written = 0
    const { promise: all, resolve } = Promise.withResolvers<void>()
    await Promise.all(
      ids.slice(0, 8).map((id) =>
        service.context.db.transaction(async (queries) => {
          await queries.within(book.venue.id).run(markOf(book.venue.id, '2026-09-28'))
          if (++written === 8) resolve()
          await all
          return id
        }),
      ),
    )
    assert.equal((await marks(book)).length, 8)
  })
})

const takeAway = (venue: VenueId) => sql()`delete from report_day where venue_id = ${venue}`
const markOf = (venue: VenueId, date: string) =>
  sql()`insert into report_mark (venue_id, service_date) values (${venue}, ${date})`

const mark = 'insert into report_mark (venue_id, service_date) values ($1, $2)'

/** Whole numbers below a bound, the same at every run. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
