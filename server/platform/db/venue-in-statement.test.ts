import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { venueTiesOf } from './venue-in-statement.ts'

const tables = new Set(['guest', 'reservation', 'tag'])

const held: readonly (readonly [what: string, text: string, venues: readonly number[]])[] = [
  ['a look-up', 'select id from guest where venue_id = $1 and id = $2', [1]],
  ['a venue that is not the first value', 'update guest set name = $1 where id = $2 and venue_id = $3', [3]],
  ['a cast', 'delete from guest where venue_id = $1::bigint', [1]],
  ['an insert', 'insert into guest (venue_id, name) values ($1, $2) returning id', [1]],
  [
    'rows',
    'insert into tag (venue_id, name) values ($1, lower($2)), ($3, $4) on conflict do nothing',
    [1, 3],
  ],
  [
    'a join',
    'select 1 from guest g join reservation r on r.venue_id = g.venue_id where g.venue_id = $1',
    [1],
  ],
  [
    'tables side by side',
    'select 1 from guest g, reservation r where g.venue_id = $1 and r.venue_id = $1',
    [1],
  ],
  [
    'a left join',
    'select 1 from guest g left join tag t on t.venue_id = g.venue_id where g.venue_id = $2',
    [2],
  ],
  [
    'a subselect that refers to the table around it',
    'select id from guest g where g.venue_id = $1 and not exists (select from tag t where t.venue_id = g.venue_id)',
    [1],
  ],
  [
    'a subselect in a case',
    'select case when $2 then (select 1 from tag where venue_id = $1) end from guest where venue_id = $1',
    [1],
  ],
  [
    'a union',
    'select 1 from guest where venue_id = $1 union all select 2 from tag where venue_id = $2',
    [1, 2],
  ],
  [
    'a with',
    'with g as (select venue_id, id from guest where venue_id = $1) update tag t set name = $2 from g where t.venue_id = g.venue_id',
    [1],
  ],
  [
    'an insert from a select',
    'insert into tag (venue_id, name) select g.venue_id, g.name from guest g where g.venue_id = $1',
    [1],
  ],
  [
    'an insert with a given id',
    'insert into guest (venue_id, id) overriding system value values ($1, $2)',
    [1],
  ],
  ['many values', 'insert into tag (venue_id, name) select $1, n from unnest($2::text[]) as v (n)', [1]],
  ['venues', 'select 1 from guest where venue_id = any($1::bigint[])', [1]],
  [
    'a condition with `or` in parentheses',
    'select 1 from guest where venue_id = $1 and (id = $2 or id = $3)',
    [1],
  ],
  ['brackets', 'select 1 from guest where (venue_id = $1 and id = $2) order by id', [1]],
  ['no table of a venue', 'select id from staff where id = $1', []],
  [
    'a lock',
    'select id from guest where venue_id = $1 and name is distinct from $2 for no key update of guest skip locked',
    [1],
  ],
]

const loose: readonly (readonly [what: string, text: string, tables: readonly string[]])[] = [
  ['no venue', 'select id from guest where id = $1', ['guest']],
  ['a venue that is no value', 'select id from guest where venue_id = 5', ['guest']],
  ['a venue that is reckoned', 'select id from guest where venue_id = $1 + 1', ['guest']],
  ['a comparison that keeps nothing out', 'select venue_id = $1 from guest', ['guest']],
  ['an or', 'select id from guest where venue_id = $1 or id = $2', ['guest']],
  ['an or around brackets', 'select id from guest where id = $2 or (venue_id = $1 and id = $3)', ['guest']],
  ['a not', 'select id from guest where not venue_id = $1', ['guest']],
  ['a not around brackets', 'select id from guest where not (venue_id = $1)', ['guest']],
  ['a case', 'select id from guest where case when id = $2 then venue_id = $1 else true end', ['guest']],
  ['a function', 'select id from guest where coalesce(venue_id = $1, true)', ['guest']],
  ['what brackets are turned into', 'select id from guest where (venue_id = $1) is not true', ['guest']],
  ['a filter', 'select count(*) filter (where venue_id = $1) from guest', ['guest']],
  [
    'a join that forgets the venue',
    'select 1 from guest g join tag t on t.id = g.id where g.venue_id = $1',
    ['tag'],
  ],
  [
    'a left join with a condition on the first table',
    'select 1 from guest g left join tag t on t.venue_id = g.venue_id and g.venue_id = $1',
    ['guest', 'tag'],
  ],
  [
    'a right join',
    'select 1 from tag t right join guest g on t.venue_id = $1 and g.venue_id = $1',
    ['tag', 'guest'],
  ],
  [
    'a subselect that forgets the venue',
    'select 1 from guest where venue_id = $1 and id in (select id from tag)',
    ['tag'],
  ],
  [
    "a subselect's condition on the table around it",
    'select 1 from guest g where not exists (select from tag t where t.venue_id = $1 and g.venue_id = $1)',
    ['guest'],
  ],
  ['one side of a union', 'select 1 from guest where venue_id = $1 union select 2 from tag', ['tag']],
  ['a with that forgets the venue', 'with g as (select id from guest) select 1 from g', ['guest']],
  [
    'a source without a venue',
    'select 1 from guest g, unnest($1::bigint[]) as v (venue_id) where g.venue_id = v.venue_id',
    ['guest'],
  ],
  ['an update', 'update guest set name = $1', ['guest']],
  ['an upsert’s own table', 'insert into tag (name, venue_id) values ($1, $2)', ['tag']],
  ['one of two rows', 'insert into tag (venue_id, name) values ($1, $2), (7, $3)', ['tag']],
  [
    'an insert from a select that forgets the venue',
    'insert into tag (venue_id, name) select venue_id, name from guest',
    ['tag', 'guest'],
  ],
]

const borrowing: readonly (readonly [what: string, text: string, tables: readonly string[]])[] = [
  ['a join', 'select 1 from guest g join tag t on t.venue_id = g.venue_id where g.venue_id = $1', []],
  [
    'a join behind a join',
    'select 1 from tag t join guest g on g.venue_id = t.venue_id join reservation r on r.venue_id = g.venue_id and r.venue_id = $1',
    [],
  ],
  [
    'a subselect that refers to the table around it',
    'select id from guest g where g.venue_id = $1 and not exists (select from tag t where t.venue_id = g.venue_id)',
    ['tag'],
  ],
  [
    'a subselect that also says it itself',
    'select id from guest g where g.venue_id = $1 and exists (select from tag t where t.venue_id = g.venue_id and t.venue_id = $2)',
    [],
  ],
  [
    'a join in a subselect that refers to the table around it',
    'select array(select 1 from tag t join reservation r on r.venue_id = t.venue_id where t.venue_id = g.venue_id) from guest g where g.venue_id = $1',
    ['tag', 'reservation'],
  ],
  [
    'the rows of a subselect',
    'select 1 from (select venue_id from guest where venue_id = $1) g join tag t on t.venue_id = g.venue_id',
    ['tag'],
  ],
]

describe('the venue in a statement', () => {
  for (const [what, text, venues] of held) {
    it(`is found in: ${what}`, () => {
      const ties = venueTiesOf(text, tables)
      assert.deepEqual([ties.venues, ties.loose], [venues, []])
    })
  }
  for (const [what, text, names] of borrowing) {
    it(`is ${names.length === 0 ? 'its own' : 'borrowed'} in: ${what}`, () =>
      assert.deepEqual(venueTiesOf(text, tables).borrowing, names))
  }
  for (const [what, text, names] of loose) {
    it(`is missed in: ${what}`, () =>
      assert.deepEqual(venueTiesOf(text, tables).loose.toSorted(), names.toSorted()))
  }
})
