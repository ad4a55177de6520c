import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sections } from '../src/conformance.ts'
import { idOf } from '../src/statement.ts'
import { describeCatching } from './catching.ts'
import { mutants } from './mutants/all.ts'

/** One in four; `npm run check:conformance` runs all. */
const step = 4

/** Two days of the practice clock are left to `npm run check:conformance`, too. */
const takesDays = 'Receiver rules 2.4'

describeCatching(mutants.filter(({ caughtBy }, at) => at % step === 0 && !caughtBy.includes(takesDays)))

describe('the mutants', () => {
  it('name every statement that can be tried', () => {
    const named = new Set(mutants.flatMap(({ caughtBy }) => caughtBy))
    const tried = sections.flatMap((section) =>
      section.statements.filter((one) => 'check' in one).map((one) => idOf(section, one)),
    )
    assert.deepEqual(
      tried.filter((id) => !named.has(id)),
      [],
    )
  })

  it('have names of their own, and there are more than enough', () => {
    const names = new Set(mutants.map(({ name }) => name))
    assert.equal(names.size, mutants.length)
    assert.ok(mutants.length >= 240, String(mutants.length))
  })
})
