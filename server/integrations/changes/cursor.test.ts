import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epochMark, readCursor, venueMark, writeCursor } from './cursor.ts'

describe('a cursor', () => {
  const epoch = epochMark('0c6f2c1e-95f5-4c1f-8a88-2d0c8f7f0e11')
  const ours = { slug: 'blue-door' }

  it('holds its position, whose it is, and for a first copy its start', () => {
    for (const cursor of [
      { epoch, position: 0 },
      { epoch, position: 2 ** 48 - 1 },
      { epoch, position: 7, goneAtStart: 0 },
      { epoch, position: 7, goneAtStart: 2 ** 40 },
    ]) {
      const text = writeCursor('changes', ours, cursor)
      assert.match(text, /^c1_([\w-]{24}|[\w-]{32})$/)
      assert.deepEqual(readCursor('changes', text), { ...cursor, venue: venueMark(ours) })
    }
    assert.notEqual(venueMark(ours), venueMark({ slug: 'red-door' }))
  })

  it('of the release before is read, and is nobody’s in particular', () => {
    assert.deepEqual(readCursor('changes', 'c1_zJssIgAAAAHiQL_f'), { epoch, position: 123_456 })
    assert.deepEqual(readCursor('changes', 'c1_zJssIgAAAAHiQAAAAAAABep7'), {
      ...{ epoch, position: 123_456, goneAtStart: 5 },
    })
  })

  it('is taken by a process of the release before for one of a first copy, with nothing else changed', () => {
    const bytes = Buffer.from(
      writeCursor('changes', ours, { epoch, position: 7 }).slice('c1_'.length),
      'base64url',
    )
    assert.equal(bytes.length, 18)
    assert.deepEqual([bytes.readUInt32BE(0), bytes.readUIntBE(4, 6)], [epoch, 7])
    assert.ok(bytes.readUIntBE(10, 6) > 2 ** 47)
  })

  it('is refused when anything in it is changed, cut or added', () => {
    const text = writeCursor('changes', ours, { epoch, position: 123_456, goneAtStart: 5 })
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
