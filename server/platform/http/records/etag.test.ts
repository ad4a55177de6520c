import assert from 'node:assert/strict'
import { it } from 'node:test'
import { matchesTag } from './etag.ts'

it('If-None-Match names a tag: alone, among others, weak, or any', () => {
  for (const header of ['"3.ab"', 'W/"3.ab"', '"1.x" , "3.ab"', ' W/"2" ,\tW/"3.ab" ', '*', ' * ']) {
    assert.ok(matchesTag(header, '"3.ab"'), header)
    assert.ok(matchesTag(header, 'W/"3.ab"'), header)
  }
  for (const header of [undefined, '', '""', '3.ab', '"3.AB"', '"3.ab', '"3.a","b"', '"*"', 'w/"3.ab"']) {
    assert.ok(!matchesTag(header, '"3.ab"'), String(header))
  }
})
