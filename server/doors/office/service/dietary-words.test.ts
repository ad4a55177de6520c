import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dietaryWords } from './dietary-words.ts'

describe('words about food in notes', () => {
  it('are found in the languages in which guests book, each once, and not inside of other words', () => {
    for (const [note, words] of [
      ['Two vegans and one Vegetarian; no nuts please', 'vegan vegetarian nuts'],
      ['Ich bin Vegetarierin, glutenfrei bitte', 'vegetarian gluten'],
      ['Une personne cœliaque, allergique aux noix', 'gluten nuts allergy'],
      ['Alergia a los mariscos y frutos secos', 'nuts shellfish allergy'],
      ['卵と乳製品のアレルギーがあります', 'dairy egg allergy'],
      ['Eggplant by the window, nutmeg on top, a minute to park', ''],
      ['Anniversary', ''],
    ] as const)
      assert.equal(dietaryWords([note, null]).join(' '), words, note)
    assert.deepEqual(dietaryWords([null, 'Halal', 'halal']), ['halal'])
    assert.deepEqual(dietaryWords([null]), [])
  })
})
