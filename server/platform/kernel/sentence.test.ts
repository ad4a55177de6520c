import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { endSentence } from './sentence.ts'

describe('a sentence', () => {
  it('ends once, no matter how the quoted words in it end', () => {
    for (const [text, ended] of [
      ['News from The Blue Door', 'News from The Blue Door.'],
      ["News from Joe's Inc.", "News from Joe's Inc."],
      ['The relay said: 450 4.7.1 Try again later. ', 'The relay said: 450 4.7.1 Try again later.'],
      ['Declined: who are you?', 'Declined: who are you?'],
      ['Blocked: sold out!', 'Blocked: sold out!'],
      ['Blocked: and more…', 'Blocked: and more…'],
      ['Closed (Kitchen Inc.)', 'Closed (Kitchen Inc.).'],
      ['At 19:00', 'At 19:00.'],
      ['You wrote: “Guest data was sold.”', 'You wrote: “Guest data was sold.”'],
      ['Nobody matches “Maya”', 'Nobody matches “Maya”.'],
    ] as const)
      assert.equal(endSentence(text), ended)
  })

  it('that has ended stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => assert.equal(endSentence(endSentence(text)), endSentence(text))),
    )
  })
})
