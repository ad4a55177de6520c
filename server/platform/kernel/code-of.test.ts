import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codeOf } from './code-of.ts'

describe('the code of an error', () => {
  it('is what it carries in words, and nothing else', () => {
    assert.equal(codeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' })), 'ENOENT')
    assert.equal(codeOf(new Error('without one')), undefined)
    assert.equal(
      codeOf(new DOMException('late', 'TimeoutError')),
      undefined,
      'a number says nothing in a log',
    )
    for (const thrown of [undefined, null, 'a string', 7]) assert.equal(codeOf(thrown), undefined)
  })
})
