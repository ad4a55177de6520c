import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wishedFeatures } from './wished-features.ts'

const tables = [
  { features: ['window', 'Booth'] },
  { features: ['patio'] },
  { features: ['high top', 'window'] },
]

describe('where a party would like to sit, as features of tables', () => {
  it('is what its words speak of, whatever the letter case; nothing where no table has it', () => {
    for (const [wish, features] of [
      ['Window', ['window']],
      ['By the WINDOW, or a booth', ['Booth', 'window']],
      ['Outside', ['patio']],
      ['a high top', ['high top']],
      ['high up', []],
      ['windowless', []],
      ['Inside', []],
      ['', []],
      [null, []],
    ] as const)
      assert.deepEqual(wishedFeatures(wish, tables), features, String(wish))
  })
})
