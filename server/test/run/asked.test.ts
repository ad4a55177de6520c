import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testsAt } from './asked.ts'

describe('the tests that a path asks for', () => {
  const tests = ['server/a.test.ts', 'server/test/rooms/a.test.ts', 'server/test/rooms/b.test.ts']
  for (const [path, asked] of [
    ['server/a.test.ts', ['server/a.test.ts']],
    ['./server/test/', ['server/test/rooms/a.test.ts', 'server/test/rooms/b.test.ts']],
    ['server/test/b.test.ts', ['server/test/rooms/b.test.ts']],
    ['b.test.ts', ['server/test/rooms/b.test.ts']],
    ['a.test.ts', ['server/a.test.ts', 'server/test/rooms/a.test.ts']],
    ['contract/b.test.ts', []],
    ['test', []],
  ] as const)
    it(path, () => assert.deepEqual(testsAt(path, tests), asked))
})
