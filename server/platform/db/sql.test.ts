import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fragment, joined, part, sql } from './sql.ts'

describe('pieces of statements', () => {
  const named = (name: string, more = fragment('true')) => part`(name = ${name} and ${more})`

  it('bring their values along, in the order of the text, however deeply nested', () => {
    const older = part`age > ${40}`
    const statement = sql()`select from guest where venue_id = ${7} and ${named('Maya', older)} limit ${1}`
    assert.equal(
      statement.text,
      'select from guest where venue_id = $1 and (name = $2 and age > $3) limit $4',
    )
    assert.deepEqual(statement.values, [7, 'Maya', 40, 1])
  })

  it('give a statement the same text and name for any values, and another name for another piece', () => {
    const find = (piece = named('Maya')) => sql()`select from guest where ${piece}`
    assert.equal(find().name, find(named('Theo')).name)
    assert.notEqual(find().name, find(named('Theo', fragment('vip'))).name)
    assert.deepEqual(find(named('Theo')).values, ['Theo'])
  })

  it('become one piece, with their values in order', () => {
    const both = joined([named('Maya'), part`age > ${40}`], ' or ')
    assert.deepEqual([both.fragment.split(' or ').length, both.values], [2, ['Maya', 40]])
  })

  it('refuse a value that is undefined, as a statement does', () => {
    assert.throws(() => named(undefined as never), TypeError)
    assert.throws(() => sql()`select ${undefined as never}`, TypeError)
  })

  it('never number values by hand', () => {
    assert.throws(
      () => sql()`update guest set name = ${'Maya'} where name <> $1`,
      /numbers its values itself: update guest/,
    )
    assert.throws(() => sql()`select ${fragment('$1')}`, TypeError)
  })
})
