import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { faultsOfMigration } from '../../test/statements/sharded-migrations.ts'
import { migrationFiles, statementsOf } from './migrate.ts'

/** What ran on Citus as it is, though new files do without. */
const tried: Readonly<Record<string, string>> = { '0071-typed-texts.sql': 'a constraint has no name' }

describe('migrations', () => {
  it('are numbered without gaps and without duplicates, since their order depends on it', async () => {
    const names = await readdir(new URL('./migrations/', import.meta.url))
    const numbers = names
      .flatMap((name) => /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1] ?? [])
      .toSorted((a, b) => Number(a) - Number(b))
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => String(i + 1).padStart(4, '0')),
    )
    assert.deepEqual(
      names.filter((name) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(name)),
      ['citus'],
    )
  })

  it('are sent one statement at a time, without their comments', () => {
    assert.deepEqual(
      statementsOf("-- why\ncreate table a (b text default ';');\n\ncreate index c on a (b);\n"),
      ["create table a (b text default ';')", 'create index c on a (b)'],
    )
  })

  it('are all such as Citus carries out, in their second form where they have one', async () => {
    const faults = (await migrationFiles()).flatMap(({ name, text, onCitus = text }) =>
      faultsOfMigration(onCitus)
        .filter((fault) => tried[name] === undefined || !fault.startsWith(tried[name]))
        .map((fault) => `${name}: ${fault}`),
    )
    assert.deepEqual(faults, [])
  })

  it('have a second form only where Citus does not carry out the first one', async () => {
    const files = await migrationFiles()
    const second = await readdir(new URL('./migrations/citus/', import.meta.url))
    assert.deepEqual(
      second.filter((name) => !files.some((file) => file.name === name)),
      ['distribute.sql'],
    )
    for (const { name, text, onCitus } of files) {
      if (onCitus !== undefined) assert.notDeepEqual(faultsOfMigration(text), [], name)
    }
  })

  const plants: [what: string, text: string, said: RegExp][] = [
    [
      'a column with its check',
      "alter table guest add column side text check (side in ('left', 'right'))",
      /^a column comes with a constraint/,
    ],
    [
      'a column with a key',
      'alter table guest add column side bigint references guest (venue_id, id)',
      /^a column comes with a constraint/,
    ],
    [
      'a column and a constraint in one',
      "alter table guest add column side text default ',', add constraint guest_side check (side <> '')",
      /^more than one change/,
    ],
    [
      'a constraint replaced in one',
      'alter table guest drop constraint guest_side, add constraint guest_side check (side <> ?)',
      /^more than one change/,
    ],
    ['a check without a name', 'alter table guest add check (side <> ?)', /^a constraint has no name/],
    [
      'an identity',
      'alter table guest add column place bigint generated always as identity',
      /^an identity is added/,
    ],
    [
      'a key to a table of the same file',
      'create table side (venue_id bigint, id bigint, primary key (venue_id, id));\nalter table guest add constraint guest_side foreign key (venue_id, side_id) references side (venue_id, id)',
      /^a key leads to a table of the same file/,
    ],
    [
      'a key that sets null',
      'alter table guest add constraint guest_side foreign key (venue_id, side_id) references tag (venue_id, id) on delete set null',
      /^a key sets null/,
    ],
    [
      'a case that compares',
      "update guest set side = case side when 'a' then 'b' end",
      /^a case that writes compares by itself/,
    ],
    [
      'a volatile function',
      'update guest set token = gen_random_uuid()',
      /^an update calls a volatile function/,
    ],
  ]
  for (const [what, text, said] of plants) {
    it(`the check fires on ${what}`, () => {
      const faults = faultsOfMigration(`${text};\n`)
      assert.equal(faults.length, 1, faults.join('\n'))
      assert.match(faults[0] as string, said)
    })
  }

  it('the check lets through what was tried on real nodes', () => {
    for (const text of [
      "alter table guest\n  add column side text not null default 'a, check',\n  -- why\n  add column other int",
      'alter table api_key add column side text check (side <> ?), add unique (side)',
      'create table side (venue_id bigint);\nalter table side add column other text check (other <> ?)',
      'alter table guest add constraint guest_side foreign key (venue_id, side_id) references tag (venue_id, id) on delete cascade',
      "update guest set side = case when side = 'a' then 'b' end",
      'alter table guest alter column side set not null',
    ])
      assert.deepEqual(faultsOfMigration(`${text};\n`), [])
  })
})
