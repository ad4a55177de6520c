import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeCatching } from './catching.ts'
import { mutants } from './mutants/all.ts'

/** One in four; `npm run check:conformance` runs all. */
const step = 4

describeCatching(mutants.filter((_, at) => at % step === 0))

describe('the mutants', () => {
  it('have names of their own, and there are more than enough', () => {
    const names = new Set(mutants.map(({ name }) => name))
    assert.equal(names.size, mutants.length)
    assert.ok(mutants.length >= 240, String(mutants.length))
  })
})
