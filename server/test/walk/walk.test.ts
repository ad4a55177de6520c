import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { firstEventNames } from '@venue-data/contract/webhooks/events.ts'
import { type Reason, reasons } from '@venue-data/contract/reasons.ts'
import { refusalCases } from '../../platform/http/openapi/refusal-cases.ts'
import { chapters } from './chapters.ts'
import { differences } from './differences.ts'
import { rows } from './rows.ts'
import {
  type Transcript,
  readTranscript,
  changedOf,
  preambleOfChanges,
  withDifferences,
  withNewExchanges,
  writeTranscript,
} from './transcript.ts'
import { type Met, walkChapter } from './walk.ts'

/*
 * Version 1 as clients see it, to the byte: the walk drives the real service over HTTP through every endpoint and its
 * edges, and must see what `recorded.txt` says, with nothing else changed than `differences.ts` lists.
 *
 * An answer that is to change: list it there. An exchange more: write it at the end of a chapter. Then record with
 *
 *   RECORD_WALK=on npm test -- server/test/walk
 *
 * which adds what is new, leaves every exchange that is recorded as it is, and writes what the listed ones answer today
 * to `changed.txt`: look at what changed there before you commit it. To begin a new recording, such as that
 * of a version 2, delete the file and empty the list of differences first.
 */

const file = new URL('recorded.txt', import.meta.url)
const changedFile = new URL('changed.txt', import.meta.url)

/** A difference that was made on purpose is to be written down: this says how. */
const asRecorded = (judge: () => void): void => {
  try {
    judge()
  } catch (error) {
    const what =
      'If this is meant: a changed answer goes into differences.ts, an exchange more to the end of its chapter.'
    if (error instanceof Error)
      error.message = `${what}\nThen record: RECORD_WALK=on npm test -- server/test/walk\n\n${error.message}`
    throw error
  }
}

const isOfVersion1 = (reason: Reason): boolean => !('since' in reasons[reason])

describe('a walk of version 1', () => {
  const met: Met = { answers: new Set(), events: new Set() }
  const walked = new Map<string, string>()
  let first: Transcript
  let expected: Transcript

  before(async () => {
    for (const chapter of chapters) {
      for (const [title, lines] of await walkChapter(chapter, met)) walked.set(title, lines)
    }
    first = readTranscript(await readFile(file, 'utf8').catch(() => ''))
    if (process.env['RECORD_WALK'] === 'on') {
      first = withNewExchanges(first, walked)
      await writeFile(file, writeTranscript(first))
      await writeFile(changedFile, writeTranscript(changedOf(first, walked, differences), preambleOfChanges))
    }
    const changed = readTranscript(await readFile(changedFile, 'utf8'))
    expected = withDifferences(first, changed, differences)
  })

  it('is recorded exchange by exchange, in its order', () => {
    asRecorded(() => assert.deepEqual([...walked.keys()], [...first.keys()]))
  })

  for (const { name } of chapters) {
    it(`answers as it was recorded but for the differences listed: ${name}`, () => {
      const changed = [...expected].filter(
        ([title, lines]) => title.startsWith(`${name}: `) && walked.get(title) !== lines,
      )
      const linesOf = (transcript: Transcript) =>
        changed.flatMap(([title]) => [title, ...(transcript.get(title) ?? '').split('\n')])
      asRecorded(() => assert.deepEqual(linesOf(walked), linesOf(expected)))
    })
  }

  it('visits every endpoint and meets every status and every reason that is documented', () => {
    const documented = rows.flatMap((row) => [
      ...Object.keys(row.replies).map((status) => `${row.id} ${status}`),
      ...refusalCases(row).map(({ status }) => `${row.id} ${status}`),
      // A walk of version 1 need not meet what came since.
      ...(row.reasons ?? []).filter(isOfVersion1).map((reason) => `${row.id} ${reason}`),
    ])
    assert.deepEqual(
      documented.filter((one) => !met.answers.has(one)),
      [],
    )
  })

  it('receives every event that version 1 began with and the ping', () => {
    assert.deepEqual([...met.events].toSorted(), [...firstEventNames, 'ping'].toSorted())
  })
})
