import { spawn } from 'node:child_process'
import type { Options } from './conformance.ts'

/*
 * The commands of --trigger and --clock. They are the caller's own text and run in a shell; only words of letters,
 * digits, dots and dashes are added to them.
 */

/** Runs a command with additional words and returns its output as JSON. Fails with its stderr. */
const runCommand = (command: string, words: readonly string[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    for (const word of words) {
      if (!/^[\w.-]+$/.test(word)) return reject(new Error(`"${word}" is no word for a command.`))
    }
    const child = spawn(`${command} ${words.join(' ')}`, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed: Buffer[] = []
    const said: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${words.join(' ')}: ${Buffer.concat(said).toString().trim()}`))
      try {
        return resolve(JSON.parse(Buffer.concat(printed).toString()))
      } catch {
        return reject(new Error(`${words.join(' ')} did not print JSON.`))
      }
    })
  })

/** `bin/venue trigger`: does something as the venue's staff. */
export const triggerBy =
  (command: string): NonNullable<Options['trigger']> =>
  (venue, event, id) =>
    runCommand(command, [
      event,
      '--venue',
      venue,
      '--json',
      ...(id === undefined ? [] : ['--id', String(id)]),
    ])

/** `bin/venue clock`: moves the clock of a practice instance. */
export const clockBy =
  (command: string): NonNullable<Options['advance']> =>
  async (by) => {
    await runCommand(command, ['advance', '--by', by, '--json'])
  }
