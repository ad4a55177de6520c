import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { clockBy, triggerBy } from '../src/commands.ts'

describe('the commands of --trigger and --clock', () => {
  let folder: string
  let command: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-commands-'))
    const program = join(folder, 'staff.mjs')
    await writeFile(
      program,
      `const words = process.argv.slice(2)
       if (words.includes('advance')) console.log('{"now":"2026-10-06T19:00:00Z"}')
       else if (words[0] === 'guest.eaten') { console.error('There is no such trigger.'); process.exitCode = 1 }
       else console.log(JSON.stringify({ id: 7, words }))`,
    )
    command = `"${process.execPath}" "${program}"`
  })
  after(() => rm(folder, { recursive: true }))

  it('receive the event, the venue and the record, and return the record', async () => {
    const trigger = triggerBy(command)
    assert.deepEqual(await trigger('blue-door', 'reservation.seated', 17), {
      id: 7,
      words: ['reservation.seated', '--venue', 'blue-door', '--json', '--id', '17'],
    })
    const made = await trigger('blue-door', 'waitlist.no_show')
    assert.deepEqual(made.words, ['waitlist.no_show', '--venue', 'blue-door', '--json'])
  })

  it('say what went wrong', async () => {
    await assert.rejects(triggerBy(command)('blue-door', 'guest.eaten'), /There is no such trigger\./)
    await assert.rejects(clockBy('exit 3; ')('2m'), /advance --by 2m --json: $/)
  })

  it('get no words that a shell would read', async () => {
    await assert.rejects(triggerBy(command)('$(reboot)', 'guest.created'), /is no word for a command/)
  })

  it('move the clock', async () => {
    await clockBy(command)('2m')
  })
})
