import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Database, openDatabase } from '../../platform/db/pool.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { openBook, staff } from '../reservations/test/book.ts'
import { writeMode } from '../tables/mode-writes.ts'
import { tablesOf, turnTablesOn } from '../tables/test/floor.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { patience } from '../../test/database.ts'
import { type TestService, startService } from '../../test/service.ts'
import { replaceBookingRules } from './replace-document.ts'
import { allBookingRules, bookingRulesAround, bookingRulesBetween } from './rules-store.ts'

describe('the booking rules that a process keeps', () => {
  let service: TestService
  /** As in another process: it keeps rules of its own. */
  let elsewhere: Database
  before(async () => {
    service = await startService()
    elsewhere = openDatabase({ url: service.databaseUrl, patience })
  })
  after(async () => {
    await elsewhere.close()
    await service.stop()
  })

  it('are read again after another process saved rules, tables or the mode, and not before', async () => {
    const venue = await service.venue()
    const around = () => bookingRulesAround(elsewhere, venue, '2026-10-07')
    assert.deepEqual((await around()).periods, [], 'a venue without rules')

    await setRules(service, venue, everyEvening({ minParty: 2 }))
    const first = await around()
    assert.equal(first.minParty, 2)
    assert.equal((await around()).periods, first.periods, 'the very same, not read again')

    const tables = tablesOf([{ label: '1', most: 2 }])
    await setRules(service, venue, everyEvening(tables))
    assert.equal((await around()).minParty, 1)
    assert.equal((await around()).floor, null, 'no tables before they decide')

    await writeMode(service.db, venue.id, 'on', undefined)
    assert.deepEqual(
      (await around()).floor?.tables.map(({ label }) => label),
      ['1'],
    )
    await setRules(
      service,
      venue,
      everyEvening(
        tablesOf([
          { label: '1', most: 2 },
          { label: '2', most: 4 },
        ]),
      ),
    )
    assert.deepEqual(
      (await around()).floor?.tables.map(({ label }) => label),
      ['1', '2'],
    )
  })

  it('saved within a transaction are seen in it, and by nobody once it is rolled back', async () => {
    const venue = await service.venue()
    await setRules(service, venue)
    const saved = await allBookingRules(service.db, venue.id)
    const undo = new Error('undo')
    await assert.rejects(
      service.db.transaction(async (queries) => {
        await replaceBookingRules(queries, venue.id, { ...saved, minParty: 3 })
        assert.equal((await allBookingRules(queries, venue.id)).minParty, 3)
        await replaceBookingRules(queries, venue.id, { ...saved, minParty: 4 })
        assert.equal((await allBookingRules(queries, venue.id)).minParty, 4)
        throw undo
      }),
      undo,
    )
    assert.equal((await allBookingRules(service.db, venue.id)).minParty, 1)
  })

  it('no longer name a person who was erased, in any process', async () => {
    const book = await openBook(service)
    const name = 'Zephyrine Quill'
    await setRules(
      service,
      book.venue,
      everyEvening({
        closures: [{ from: '2026-10-09', to: '2026-10-09', name: `Wedding of ${name}` }],
        blocks: [
          {
            serviceDate: '2026-10-08',
            from: '18:00',
            to: '19:00',
            scope: 'all',
            publicNote: `Party of ${name}`,
          },
        ],
        ...tablesOf([{ label: '1', most: 2 }], {
          outOfOrder: [
            {
              table: '1',
              fromDate: '2026-10-08',
              fromTime: '18:00',
              untilDate: '2026-10-08',
              untilTime: '19:00',
              why: `Kept for ${name}`,
            },
          ],
        }),
      }),
    )
    await turnTablesOn(service, book.venue)
    const kept = () => bookingRulesBetween(elsewhere, book.venue, '2026-10-08', '2026-10-09')
    const named = (rules: object) => JSON.stringify(rules).split(name).length - 1
    assert.equal(named(await kept()), 3)
    await book.booking('Confirmed', { guestName: name, email: 'zephyrine@quill.example' })
    await book.act((work) =>
      erasePerson(work, staff('owner'), {
        guestId: null,
        email: 'zephyrine@quill.example',
        phone: null,
        name,
      }),
    )
    assert.equal(named(await kept()), 0)
    assert.equal((await kept()).closures.length, 1)
  })

  it('are narrowed to the days asked for', async () => {
    const venue = await service.venue()
    const day = (date: string) => ({ date, periods: [{ opens: '12:00', closes: '15:00' }] })
    await setRules(
      service,
      venue,
      everyEvening({
        specialDays: [day('2026-10-04'), day('2026-10-05'), day('2026-10-07'), day('2026-10-08')],
        closures: [
          { from: '2026-09-01', to: '2026-10-04', name: 'Over before' },
          { from: '2026-10-01', to: '2026-10-05', name: 'Ends on the first' },
          { from: '2026-10-07', to: '2026-10-09', name: 'Begins on the last' },
          { from: '2026-10-08', to: '2026-10-09', name: 'Begins after' },
        ],
        blocks: ['2026-10-04', '2026-10-06', '2026-10-08'].map((serviceDate) => ({
          serviceDate,
          from: '18:00',
          to: '19:00',
          scope: 'all',
        })),
      }),
    )
    const { specialDays, closures, blocks } = await bookingRulesBetween(
      service.db,
      venue,
      '2026-10-05',
      '2026-10-07',
    )
    assert.deepEqual(
      specialDays.map(({ date }) => date),
      ['2026-10-05', '2026-10-07'],
    )
    assert.deepEqual(
      closures.map(({ name }) => name),
      ['Ends on the first', 'Begins on the last'],
    )
    assert.deepEqual(
      blocks.map(({ serviceDate }) => serviceDate),
      ['2026-10-06'],
    )
  })

  it('are written nowhere but where the row is that carries their version', async () => {
    const tables =
      'booking_settings|service_period|special_day|closure|block|pacing_exception|room|room_part|dining_table|' +
      'table_combination|combination_table|table_outage|table_plan|section_plan|section_table|shift|shift_section'
    const write = new RegExp(`(insert into|update|delete from) (${tables})\\b|table: '(${tables})'`)
    const server = join(import.meta.dirname, '../..')
    const files = (await readdir(server, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)test\//.test(file),
    )
    const found: string[] = []
    for (const file of files) {
      if (write.test(await readFile(join(server, file), 'utf8'))) found.push(file)
    }
    assert.deepEqual(found.toSorted(), [
      'book/rules/changes-by-api.ts',
      'book/rules/floor/floor-store.ts',
      'book/rules/floor/out-tonight.ts',
      'book/rules/replace-document.ts',
      'book/rules/rules-store.ts',
      // Its callers give the rules another version.
      'book/servers/writes.ts',
      'book/tables/mode-writes.ts',
      'data/erasure/erase-writes.ts',
    ])
  })
})
