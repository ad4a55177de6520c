import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '../server/platform/http/openapi/openapi.ts'
import { writtenJson } from './written-json.ts'

describe('JSON in a generated file', () => {
  it('is the same value', () => {
    const document = openApiDocument()
    assert.deepEqual(JSON.parse(writtenJson(document)), JSON.parse(JSON.stringify(document)))
  })

  it('puts on one line what fits on one', () => {
    const long = 'x'.repeat(60)
    assert.equal(
      writtenJson({ a: { type: 'string' }, b: [], c: {}, gone: undefined, d: [long, long], e: long }),
      [
        '{',
        '  "a": { "type": "string" },',
        '  "b": [],',
        '  "c": {},',
        '  "d": [',
        `    "${long}",`,
        `    "${long}"`,
        '  ],',
        `  "e": "${long}"`,
        '}',
      ].join('\n'),
    )
  })
})
