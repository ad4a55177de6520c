import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completionText } from '../src/complete.ts'
import { runHere } from './run-here.ts'

/** What Tab would offer after these words, the last of which may be partly typed. */
const offered = (...words: string[]): string[] =>
  completionText(['--', ...words])
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] as string)

describe('completion', () => {
  it('knows commands, records, flags, fields and the words they take', () => {
    assert.deepEqual(offered('li'), ['listen', 'list', 'list-types', 'list-results', 'list-deliveries'])
    assert.deepEqual(offered('get', 'ta'), ['tasks'])
    assert.deepEqual(offered('help', 'get', 'ta'), ['tasks'])
    assert.deepEqual(offered('list', 'tasks', '--so'), ['--sort'])
    assert.deepEqual(offered('list', 'tasks', '--limit', '2', '--lim'), [])
    assert.deepEqual(offered('list', 'reservations', '--status', 'Seated,Con'), ['Seated,Confirmed'])
    assert.deepEqual(offered('create', 'tasks', 'title=x', 'ti'), [])
    assert.deepEqual(offered('create', 'tasks', 'du'), ['due='])
    assert.deepEqual(offered('trigger', 'reservation.se'), ['reservation.seated'])
    assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish'])
    assert.deepEqual([offered('nothing', 'x'), offered('list', 'nothing', '')], [[], []])
  })

  it('says what each word is about', () => {
    assert.match(completionText(['--', 'doc']), /^doctor\tCheck the service, /)
  })

  it('is printed for three shells', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await runHere(['completion', shell])
      assert.deepEqual([code, out.includes('venue-data __complete')], [0, true])
    }
    assert.equal((await runHere(['completion', 'tcsh'])).code, 2)
  })
})
