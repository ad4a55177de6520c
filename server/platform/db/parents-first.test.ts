import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parentsFirst } from './parents-first.ts'

const namesOf = (tables: Record<string, string[]>): string[] =>
  parentsFirst(Object.entries(tables).map(([name, parents]) => ({ name, parents }))).map(({ name }) => name)

it('referenced tables come first, the rest in the order given', () => {
  assert.deepEqual(
    namesOf({ note: ['lead'], lead: ['venue', 'guest'], guest: ['venue'], venue: [], tag: [] }),
    ['venue', 'tag', 'guest', 'lead', 'note'],
  )
})

it('a table may refer to itself, and to one that is not in the list', () => {
  assert.deepEqual(namesOf({ task: ['task'], lead: ['left_out'] }), ['task', 'lead'])
})

it('a circle is an error', () => {
  assert.throws(() => namesOf({ a: ['b'], b: ['a'], c: [] }), /circle/)
})
