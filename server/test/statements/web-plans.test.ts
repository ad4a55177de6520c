import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import type pg from 'pg'
import type { Statement } from '../../platform/db/sql.ts'
import { type FullHouse, openFullHouse } from '../browser/evening/full-house.ts'
import { type PlanKind, explain } from './explain.ts'
import { notingDatabase } from './noting.ts'
import { visitOffice } from '../office.ts'

/*
 * Statements of requests are planned once for all values (platform/db/pool.ts). So that this never costs what it saves, every
 * page of the office and every read of the API is asked for in a venue that has thousands of times what the average one
 * has, and then in one of those small ones: each statement must look at about as many pages of the database as with a
 * plan of its own, or at no more than one for each row that even that plan goes through.
 */

const smallVenues = 4_000
const rowsOfSmall = 5
/** How many times what the demo has the large venue has. */
const timesTheDemo = 10
/** A few pages more do not matter: those of an index from its root down, for each of a handful of rows. */
const fewPages = 40
/** Records that are of another, and so are not copied without it; and campaigns, whose texts would be most of what is copied. */
const notCopied: ReadonlySet<RecordKind> = new Set(['ticket_order', 'visit', 'campaign'])
/** Pages whose addresses differ by numbers, dates and the like. */
const mostOfKind = 4

describe('statements that are planned once', () => {
  let house: FullHouse
  const seen = new Map<string, Statement<unknown>[]>()

  before(async () => {
    house = await openFullHouse()
    const { service, demo } = house
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
    // After the pages were asked for, which would only take longer.
    await service.db.session(async (client) => {
      for (const table of [...recordKinds.filter((kind) => !notCopied.has(kind)), 'event']) {
        const { rows } = await client.query<{ name: string }>(
          `select column_name as name from information_schema.columns
            where table_schema = 'public' and table_name = $1 and column_name not in ('id', 'form_token', 'import_key', 'seq')
              and column_name not like '%\\_id' and is_generated = 'NEVER'`,
          [table],
        )
        const names = rows.map(({ name }) => name)
        const copy = (venue: string, columns: readonly string[], times: number, most: string) =>
          client.query(
            `insert into ${table} (venue_id, ${names.join(', ')})
             select ${venue}, ${columns.join(', ')}
               from generate_series(1, ${times}) v, lateral (select * from ${table} where venue_id = $1 and v > 0 ${most}) t`,
            [demo.venue.id],
          )
        await copy('1000000 + v', names, smallVenues, `limit ${rowsOfSmall}`)
        const others = names.map((name) => (name.startsWith('email') ? `v || '.' || ${name}` : name))
        await copy('$1', others, timesTheDemo - 1, '')
      }
      // Otherwise plans and pages would depend on whether autovacuum happened to come by.
      await client.query('vacuum analyze')
    })
  })
  after(() => house.stop())

  const judged = async (of: (statement: Statement<unknown>) => Statement<unknown>): Promise<string[]> => {
    const worse: string[] = []
    await house.service.db.session(async (client) => {
      await client.query(`set enable_seqscan = off`)
      for (const statement of [...seen.values()].flat().map(of)) {
        const own = await lookedAt(client, statement, 'force_custom_plan')
        const once = await lookedAt(client, statement, 'force_generic_plan')
        if (once.pages > Math.max(4 * own.pages + fewPages, own.rows))
          worse.push(`${once.pages} pages instead of ${own.pages} for ${own.rows} rows: ${statement.text}`)
      }
    })
    return worse
  }

  it('look at about as much as with a plan of their own, in a venue that is far from average', async () => {
    assert.ok(seen.size > 100, `only ${seen.size} statements`)
    assert.deepEqual(await judged((statement) => statement), [])
  })

  it('look at about as much as with a plan of their own, in one of the small venues', async () => {
    const small = ({ text, values, ...rest }: Statement<unknown>): Statement<unknown> => {
      const venues = new Set([...text.matchAll(/venue_id = \$(\d+)/g)].map(([, place]) => Number(place) - 1))
      return { ...rest, text, values: values.map((value, at) => (venues.has(at) ? 1_000_001 : value)) }
    }
    assert.deepEqual(await judged(small), [])
  })
})

/** Pages of tables and indexes, in memory or not, that running a statement looks at, and the most rows that a step of it yields. */
const lookedAt = async (
  client: pg.ClientBase,
  statement: Statement<unknown>,
  kind: PlanKind,
): Promise<{ pages: number; rows: number }> => {
  await client.query('begin')
  const lines = await explain(client, statement, kind, 'analyze, buffers, timing off')
  await client.query('rollback')
  const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(lines.join('\n')) ?? []
  const steps = [...lines.join('\n').matchAll(/actual rows=([\d.]+) loops=(\d+)/g)]
  return {
    pages: Number(hit ?? 0) + Number(read ?? 0),
    rows: Math.max(...steps.map(([, rows, loops]) => Number(rows) * Number(loops))),
  }
}
