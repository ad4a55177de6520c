import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { mergeTags, parseMergeTags } from './merge-tags.ts'

const problemsOf = (text: string) =>
  parseMergeTags(text).problems.map(({ code, at, written }) => [code, at, written])

describe('merge tags', () => {
  it('are parsed from the text with their fallback and position', () => {
    assert.deepEqual(parseMergeTags('Hi {{firstName|there}}, {{ venueName }} here: {{unsubscribeUrl}}'), {
      pieces: [
        'Hi ',
        { tag: 'firstName', fallback: 'there', at: 3 },
        ', ',
        { tag: 'venueName', fallback: null, at: 24 },
        ' here: ',
        { tag: 'unsubscribeUrl', fallback: null, at: 46 },
      ],
      problems: [],
    })
  })

  it('there are four, and no more', () => {
    assert.deepEqual(Object.keys(mergeTags), ['firstName', 'venueName', 'unsubscribeUrl', 'preferencesUrl'])
    for (const other of [
      'lastName',
      'firstname',
      'email',
      'constructor',
      '__proto__',
      '',
      '#if x',
      '=1+1',
      'a.b',
    ])
      assert.deepEqual(problemsOf(`x{{${other}}}`), [['merge-tag-unknown', 1, `{{${other}}}`]])
  })

  it('one that is never closed is reported, and those around it are still found', () => {
    assert.deepEqual(problemsOf('{{firstName'), [['merge-tag-unclosed', 0, '{{firstName']])
    assert.deepEqual(problemsOf('{{firstName {{venueName}}'), [['merge-tag-unclosed', 0, '{{firstName']])
    assert.equal(parseMergeTags('{{firstName {{venueName}}').pieces.length, 2)
    assert.deepEqual(problemsOf('{{{{venueName}}'), [['merge-tag-unclosed', 0, '{{']])
  })

  it('a personal one without a fallback is reported, and so is one with an empty fallback', () => {
    for (const text of ['{{firstName}}', '{{firstName|}}', '{{firstName| }}'])
      assert.deepEqual(problemsOf(text), [['merge-tag-without-fallback', 0, text]])
    assert.deepEqual(problemsOf('{{venueName}}{{unsubscribeUrl}}{{preferencesUrl}}'), [])
  })

  it('what is no tag stays as it was written, to the letter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{{', '}}', '{', '}', '|', 'firstName', 'venueName', ' ', 'x', '\n')),
        (parts) => {
          const text = parts.join('')
          let at = 0
          for (const piece of parseMergeTags(text).pieces) {
            if (typeof piece === 'string') {
              assert.equal(text.slice(at, at + piece.length), piece)
              at += piece.length
            } else {
              assert.equal(piece.at, at)
              at = text.indexOf('}}', at) + 2
            }
          }
          assert.equal(at, text.length)
        },
      ),
    )
  })
})
