import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import * as fc from 'fast-check'
import { canonicalJson, jsonFault } from './json.ts'

/** The same JSON value with the names of every object in another order and blanks added. */
const rewritten = (value: unknown): string => {
  if (Array.isArray(value)) return `[ ${value.map(rewritten).join(' , ')} ]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, child]) => `${JSON.stringify(name)} :\n${rewritten(child)}`,
  )
  return `{ ${members.toReversed().join(',\t')} }`
}

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
const parsed = (text: string): unknown => JSON.parse(text) as unknown

describe('json', () => {
  describe('canonical JSON', () => {
    it('is one text for one value, regardless of key order and whitespace', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const text = canonicalJson(parsed(JSON.stringify(value)))
          assert.equal(canonicalJson(parsed(rewritten(value))), text)
        }),
      )
    })
    it('parses back to the value, so different values have different texts', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const plain = parsed(JSON.stringify(value))
          assert.deepEqual(parsed(canonicalJson(plain)), plain)
        }),
      )
    })
    it('writes 5.0, 5 and 5e0 alike, and 0 and -0', () => {
      assert.equal(canonicalJson(parsed('{"a":5.0}')), canonicalJson(parsed('{"a":5}')))
      assert.equal(canonicalJson(parsed('5e0')), '5')
      assert.equal(canonicalJson(parsed('-0')), '0')
    })
    it('distinguishes text, numbers, null, empty and absent', () => {
      const texts = [
        '{}',
        '{"a":null}',
        '{"a":""}',
        '{"a":0}',
        '{"a":"0"}',
        '{"a":false}',
        '{"a":[]}',
        '{"a":1e999}',
      ]
      assert.equal(new Set(texts.map((text) => canonicalJson(parsed(text)))).size, texts.length)
    })
    it('keeps the order of arrays', () => {
      assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
    })
    it('sorts names that look like numbers or like __proto__ as any other', () => {
      assert.equal(canonicalJson(parsed('{"__proto__":1,"10":2,"9":3}')), '{"10":2,"9":3,"__proto__":1}')
    })
    it('writes any depth a body may have', () => {
      assert.equal(canonicalJson(nested(limits.jsonDepth)), '['.repeat(32) + ']'.repeat(32))
    })
    it('throws for what is not JSON', () => {
      for (const value of [undefined, 1n, () => 1, { a: undefined }])
        assert.throws(() => canonicalJson(value), TypeError)
    })
  })

  describe('faults of a parsed body', () => {
    it('finds none in ordinary values', () => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', 'é', '😀') }), (value) => {
          assert.equal(jsonFault(value), undefined)
        }),
      )
      assert.equal(jsonFault(parsed('{"a":[1,null,true,"\u{1F600}"],"b":{}}')), undefined)
    })
    it('takes 32 levels and refuses 33', () => {
      assert.equal(jsonFault(nested(32)), undefined)
      assert.match(
        jsonFault(nested(33))?.sentence ?? '',
        /^Field "\[0\].*" is nested deeper than 32 levels\.$/,
      )
    })
    it('takes another depth', () => {
      assert.equal(jsonFault({ a: { b: 1 } }, 2), undefined)
      assert.equal(jsonFault({ a: { b: {} } }, 2)?.sentence, 'Field "a.b" is nested deeper than 2 levels.')
      assert.equal(jsonFault({}, 0)?.sentence, 'The body is nested deeper than 0 levels.')
    })
    it('does not depend on the call stack and names a bounded path', () => {
      assert.ok((jsonFault(nested(200_000))?.sentence ?? '').length < 150)
      assert.ok((jsonFault(nested(200_000), Infinity)?.sentence ?? '').length === 0)
    })
    it('names the field that holds U+0000 or half a pair', () => {
      assert.equal(
        jsonFault(parsed('{"name":"Ma\\u0000ya"}'))?.sentence,
        'Field "name" holds the character U+0000, which cannot be kept.',
      )
      assert.equal(
        jsonFault(parsed('{"name":"x","consent":{"source":"\\ud800"}}'))?.sentence,
        'Field "consent.source" holds half of a surrogate pair, which is not a character.',
      )
      assert.match(
        jsonFault(parsed('{"events":["a","\\udc00b"]}'))?.sentence ?? '',
        /^Field "events\[1\]" holds half/,
      )
      assert.match(jsonFault('\0')?.sentence ?? '', /^The body holds/)
    })
    it('looks at names too, and repeats them only in a form that can be printed', () => {
      assert.equal(
        jsonFault(parsed('{"a":{"b\\u0000":1}}'))?.sentence,
        'The name of field "a.b\uFFFD" holds the character U+0000, which cannot be kept.',
      )
      assert.match(
        jsonFault(parsed('{"\\ud800":1}'))?.sentence ?? '',
        /^The name of field "\uFFFD" holds half/,
      )
    })
    it('says the way to it, or to what has a name at fault', () => {
      assert.deepEqual(jsonFault(parsed('{"a":[1,{"b/c":"\\ud800"}]}'))?.path, ['a', 1, 'b/c'])
      assert.deepEqual(jsonFault(parsed('{"a":{"b\\u0000":1}}'))?.path, ['a'])
    })
    it('cuts long names', () => {
      const fault = jsonFault({ ['😀'.repeat(5_000)]: '\0' })?.sentence ?? ''
      assert.ok(fault.length < 250 && fault.isWellFormed())
    })
    it('finds a fault wherever it is put, and its sentence is printable', () => {
      const place = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.nat(2)), { maxLength: 31 })
      fc.assert(
        fc.property(place, fc.constantFrom('\0', '\ud800', '\udfff', 'a\udc00\ud800'), (path, bad) => {
          const value = path.reduceRight<unknown>(
            (child, step) =>
              typeof step === 'number' ? [...Array<null>(step).fill(null), child] : { [step]: child },
            bad,
          )
          const sentence = jsonFault(value)?.sentence
          assert.ok(sentence !== undefined && sentence.isWellFormed() && !sentence.includes('\0'))
        }),
      )
    })
  })
})
