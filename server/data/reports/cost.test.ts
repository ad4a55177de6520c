import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tablesOf, turnTablesOn } from '../../book/tables/test/floor.ts'
import { type TestBook, dinner, openBook } from '../../book/reservations/test/book.ts'
import type { Gate } from '../../platform/db/gate.ts'
import { sql } from '../../platform/db/sql.ts'
import { countedBeside } from '../../test/processes/counting-proxy.ts'
import { openPatiently } from '../../test/database.ts'
import { countFigures } from './count-figures.ts'
import type { CountedFigure } from './figure-names.ts'
import { rollingUp } from './roll-up.ts'

/*
 * What a year with its comparison costs the database: counts have no noise, where times on a busy machine do. The clock of the
 * tests says October 6, 2026.
 */

/** The figures that are counted by bookings. */
const names: readonly CountedFigure[] = [
  ...(['parties', 'covers', 'booked', 'arrivals', 'lead_days', 'sizes', 'sources', 'no_shows'] as const),
  ...(['cancelled', 'answered', 'open_ends', 'stays', 'guests'] as const),
  ...(['stays_by_size', 'stay_quarters', 'days_ahead', 'guests_by_first_source', 'came_back'] as const),
  ...(['tables', 'tables_known', 'guests_by_table'] as const),
]
const [from, to] = ['2025-09-20', '2026-09-18']
const days = 728

/**
 * Written down as counted; a change that makes it cheaper writes the lower number here. Who came back is one statement, of the
 * eight days after the year, and the venue's tables are another.
 */
const figures = { statements: 8, pagesOfDay: 1.5 } as const

const ungated: Gate = (_venue, work) => work()

describe('what a report of a year costs the database', () => {
  const { service, proxy } = countedBeside()

  /** A venue with so many bookings on each day of two years, whose sums are made. */
  const venueWith = async (each: number): Promise<TestBook> => {
    const floor = Array.from({ length: 40 }, (_, at) => ({ label: `T${at + 1}`, most: 4 }))
    const book = await openBook(service, dinner(tablesOf(floor)))
    await turnTablesOn(service, book.venue)
    await book.query(
      `insert into reservation (
         venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at, duration_minutes,
         status, source, booking_type, created_at, updated_at)
       select $1, 'Maya', 1 + n % 6, day, time '19:00', day, 1140, day + time '19:00', 120,
              case when n % 20 = 0 then 'No-show' else 'Completed' end, 'public', 'Dinner', day - interval '3 days', now()
         from (select n, $2::date + n % $3::int as day from generate_series(1, $3::int * $4::int) as n) as booking`,
      [book.venue.id, '2024-09-21', days, each],
    )
    await book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id)
       select r.venue_id, r.id, d.id
         from reservation r join dining_table d on d.venue_id = r.venue_id and d.label = 'T' || 1 + r.id % 40
        where r.venue_id = $1 and r.status = 'Completed'`,
      [book.venue.id],
    )
    await book.query('analyze reservation, reservation_table')
    const job = rollingUp(service.context)
    for (let run = 0; run < 20 && (await job(new AbortController().signal)) > 0; run++);
    await book.query('vacuum analyze report_day, report_month')
    const [made] = await book.query('select count(*)::int as days from report_day where venue_id = $1', [
      book.venue.id,
    ])
    assert.equal(made?.['days'], days, 'sums of every day')
    return book
  }

  const costOf = async ({ venue }: TestBook) => {
    const db = openPatiently({ url: proxy.url })
    try {
      let seen: Awaited<ReturnType<typeof countFigures>> | undefined
      let pages = 0
      const counted = await proxy.counted(() =>
        db.transaction(async (all) => {
          const within = all.within(venue.id)
          const work = { db: within, venue: { ...venue, phone: null } as never, now: service.context.clock }
          seen = await countFigures(work, ungated, { from, to, names, compare: 'before' })
          // What this transaction has asked of tables and their indexes, in memory or not.
          const row = await all.one(sql({ pages: 'int8' })`
            select sum(pg_stat_get_xact_blocks_fetched(oid))::bigint as pages
              from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`)
          pages = row.pages
        }),
      )
      // Without that of the pages, `begin` and `commit`.
      return { statements: counted.statements - 3, pages, seen }
    } finally {
      await db.close()
    }
  }

  it('is as many statements and pages with six times as many bookings, as the sums of its months are read and not the bookings', async () => {
    const [few, many] = [await venueWith(2), await venueWith(12)]
    const [little, much] = [await costOf(few), await costOf(many)]
    const sumOf = (cost: typeof little, name: CountedFigure, measure?: string): number =>
      (cost.seen?.figures.find((one) => one.name === name)?.rows ?? [])
        .filter(({ key }) => key['measure'] === measure)
        .reduce((sum, { n }) => sum + (n ?? 0), 0)
    const parties = (cost: typeof little): number => sumOf(cost, 'parties')
    const atTables = (cost: typeof little): number => sumOf(cost, 'guests_by_table', 'parties')
    assert.ok(parties(much) > 5 * parties(little) && parties(little) > 600, 'both were counted')
    assert.equal(atTables(much), parties(much), 'all of them sat at a table')
    assert.deepEqual([little.statements, much.statements], [figures.statements, figures.statements])
    assert.ok(much.pages <= 1.3 * little.pages, `${little.pages} and ${much.pages} pages`)
    assert.ok(
      much.pages <= figures.pagesOfDay * days,
      `${much.pages} pages, ${much.pages / days} for each day`,
    )
  })
})
