import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epochMark, readCursor, writeCursor } from './cursor.ts'

describe('a cursor', () => {
  const epoch = epochMark('0c6f2c1e-95f5-4c1f-8a88-2d0c8f7f0e11')

  it('holds its position, and for a first copy its start', () => {
    for (const cursor of [
      { epoch, position: 0 },
      { epoch, position: 2 ** 48 - 1 },
      { epoch, position: 7, goneAtStart: 0 },
      { epoch, position: 7, goneAtStart: 2 ** 40 },
    ]) {
      const text = writeCursor('changes', cursor)
      assert.match(text, /^c1_[\w-]{16,24}$/)
      assert.deepEqual(readCursor('changes', text), cursor)
    }
  })

  it('is refused when anything in it is changed, cut or added', () => {
    const text = writeCursor('changes', { epoch, position: 123_456, goneAtStart: 5 })
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === 'A' ? 'B' : 'A'
      assert.equal(
        readCursor('changes', text.slice(0, at) + other + text.slice(at + 1)),
        undefined,
        String(at),
      )
    }
    for (const bad of [
      '',
      'c1_',
      'latest',
      text.slice(0, -1),
      `${text}A`,
      ` ${text}`,
      text.replace('c1', 'c2'),
      // From the other feed.
      text.replace('c1', 'e1'),
    ]) {
      assert.equal(readCursor('changes', bad), undefined, bad)
    }
  })
})
