import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { statementsOf } from './migrate.ts'

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
      ['citus.sql'],
    )
  })

  it('are sent one statement at a time, without their comments', () => {
    assert.deepEqual(
      statementsOf("-- why\ncreate table a (b text default ';');\n\ncreate index c on a (b);\n"),
      ["create table a (b text default ';')", 'create index c on a (b)'],
    )
  })
})
