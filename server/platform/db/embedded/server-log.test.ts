import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lastWords } from './server-log.ts'

describe('what the database said last', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-last-words-'))
  })
  after(() => rm(folder, { recursive: true }))

  for (const [what, lines, words] of [
    [
      'its complaint, whatever it tidied up afterwards',
      ['creating directory data ... ok', 'initdb: error: no space left', 'initdb: removing data directory'],
      'no space left',
    ],
    [
      'that the system ended it, which it does not call an error',
      ['child process was terminated by signal 9: Killed', 'initdb: removing data directory'],
      'child process was terminated by signal 9: Killed',
    ],
    ['its last line, where it complained of nothing', ['starting', 'ready'], 'ready'],
  ] as const) {
    it(`is ${what}`, async () => {
      const file = join(folder, 'log')
      await writeFile(file, `${lines.join('\n')}\n`)
      assert.equal(await lastWords(file, 0), words)
    })
  }
})
