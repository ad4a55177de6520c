import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import type pg from 'pg'
import type { Statement } from '../../platform/db/sql.ts'
import { type FullHouse, openFullHouse } from '../browser/evening/full-house.ts'
import { type PlanKind, explain } from './explain.ts'
import { notingDatabase } from './noting.ts'
import { visitOffice } from '../office.ts'

/*
 * Statements of requests are planned once for all values (db/pool.ts). So that this never costs what it saves, every
 * page of the office and every read of the API is asked for in a venue that has hundreds of times what the average one
 * has, and each statement must look at about as many pages of the database as with a plan of its own.
 */

const smallVenues = 400
const rowsOfSmall = 25
/** Pages whose addresses differ by numbers, dates and the like. */
const mostOfKind = 4

describe('statements that are planned once', () => {
  let house: FullHouse
  const seen = new Map<string, Statement<unknown>[]>()

  before(async () => {
    house = await openFullHouse()
    const { service, demo } = house
    await service.db.session(async (client) => {
      for (const table of ['guest', 'reservation', 'subscriber', 'lead', 'task', 'waitlist_entry', 'event']) {
        const { rows } = await client.query(
          `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
            where table_schema = 'public' and table_name = $1 and column_name <> 'id' and column_name not like '%\\_id' and column_name <> 'import_key'
              and is_generated = 'NEVER'`,
          [table],
        )
        const names = rows[0].names as string
        await client.query(
          `insert into ${table} (venue_id, ${names})
           select 1000000 + v, ${names}
             from generate_series(1, ${smallVenues}) v,
                  lateral (select * from ${table} where venue_id = $1 and v > 0 limit ${rowsOfSmall}) t`,
          [demo.venue.id],
        )
      }
      // Otherwise plans and pages would depend on whether autovacuum happened to come by.
      await client.query('vacuum analyze')
    })
    const note = (statement: Statement<unknown>): void => {
      if (/insert into|delete from|\bset \w+ =/.test(statement.text)) return
      seen.set(statement.text, [...(seen.get(statement.text) ?? []), statement].slice(-2))
    }
    Object.assign(service.context, { db: notingDatabase(service.db, note) })
    const key = demo.keys.readWrite
    for (const { method, path } of Object.values(endpoints)) {
      if (method !== 'GET') continue
      for (const query of [
        '',
        '?limit=100&since=2026-01-01T00:00:00Z',
        '?email=maya@example.com',
        '?phone=2125550147',
        '?sort=date&count=true',
        '?sort=changed',
        '?status=confirmed,booked,paid',
        '?guest=1&sort=createdAt',
        '?email=maya@example.com&sort=changed',
      ])
        await service.call('GET', path.replace(/\{.*\}/, '1') + query, { key })
    }
    const visitor = visitOffice(service)
    const { email, password } = house.signIn('owner')
    await visitor.post('/office/sign-in', { email, password })
    const found = new Set(['/office/today', ...house.campaigns])
    const ofKind = new Map<string, number>()
    for (const path of found) {
      const { html } = await visitor.get(path)
      for (const [, to = ''] of html.matchAll(/href="(\/office[^"#]*)"/g)) {
        const kind = to.replaceAll(/[^/?&=]*\d[^/?&=]*/g, '#')
        ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1)
        if ((ofKind.get(kind) as number) <= mostOfKind) found.add(to.replaceAll('&amp;', '&'))
      }
    }
  })
  after(() => house.stop())

  it('look at about as much as with a plan of their own, in a venue that is far from average', async () => {
    const worse: string[] = []
    await house.service.db.session(async (client) => {
      for (const statement of [...seen.values()].flat()) {
        const own = await pagesLookedAt(client, statement, 'force_custom_plan')
        const once = await pagesLookedAt(client, statement, 'force_generic_plan')
        if (once > 4 * own + 100) worse.push(`${once} pages instead of ${own}: ${statement.text}`)
      }
    })
    assert.ok(seen.size > 100, `only ${seen.size} statements`)
    assert.deepEqual(worse, [])
  })
})

/** Pages of tables and indexes, in memory or not, that running a statement looks at. */
const pagesLookedAt = async (
  client: pg.ClientBase,
  statement: Statement<unknown>,
  kind: PlanKind,
): Promise<number> => {
  await client.query('begin')
  const lines = await explain(client, statement, kind, 'analyze, buffers, timing off')
  await client.query('rollback')
  const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(lines.join('\n')) ?? []
  return Number(hit ?? 0) + Number(read ?? 0)
}
