import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wishable, wishedFeatures } from './wished-features.ts'

const tables = [
  { features: ['window', 'Booth'] },
  { features: ['patio'] },
  { features: ['high top', 'window'] },
]

describe('where a party would like to sit, as features of tables', () => {
  it('is what its words name in any letter case; nothing if no table has it', () => {
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

  it('a room is one of them; who names a thing means it, and not what else is of its kind', () => {
    const floor = wishable({
      rooms: [
        { id: 1, name: 'Dining room', isOn: true },
        { id: 2, name: 'Terrace', isOn: true },
        { id: 3, name: 'Garden', isOn: true },
      ],
      tables: [
        { room: 1, features: ['window'] },
        { room: 2, features: ['patio'] },
        { room: 3, features: [] },
      ],
    })
    for (const [wish, features] of [
      ['dining room', ['Dining room']],
      ['Terrace', ['Terrace']],
      ['Outside', ['Garden', 'Terrace', 'patio']],
      ['A window in the dining room', ['Dining room', 'window']],
    ] as const)
      assert.deepEqual(wishedFeatures(wish, floor), features, wish)
  })
})
