import { resetPractice, snapshotPractice } from '../../integrations/practice/reset.ts'
import { command } from './command.ts'
import { sheet } from './print.ts'

const snapshot = command({
  words: 'practice snapshot',
  about: 'Saves everything in a practice instance as it is now, for "practice reset" to go back to.',
  flags: {},
  run: async ({ db }) => shown(await snapshotPractice(db)),
})

const reset = command({
  words: 'practice reset',
  about:
    'Resets a practice instance to its snapshot: records, keys, logins, webhook endpoints, ids and the clock.',
  flags: {},
  run: async ({ db }) => shown(await resetPractice(db)),
})

export const practiceCommands = [snapshot, reset]

const shown = (takenAt: string) => {
  const taken = { snapshot: takenAt }
  return { json: taken, text: sheet(taken) }
}
