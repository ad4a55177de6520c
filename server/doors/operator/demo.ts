import { linesOfDemo, linesToTry } from '../../demo/first-start.ts'
import { makeDemo } from '../../demo/make-demo.ts'
import { openSlotOnFriday } from '../../demo/open-slot.ts'
import { command } from './command.ts'

const demo = command({
  words: 'demo',
  about:
    'Creates the demo venue "The Blue Door" with a year of sample data and prints its keys and logins, only once.',
  flags: {},
  run: async (context) => {
    const made = await makeDemo(context)
    const slot = await openSlotOnFriday(context.db, made.venue, context.clock())
    return {
      json: { venue: made.venue.slug, keys: made.keys, signIns: made.signIns, records: made.records },
      text: [
        ...linesOfDemo(made, context.config.publicUrl),
        '',
        ...linesToTry(made, context.config.publicUrl, slot),
      ].join('\n'),
      notes: ['Keys and passwords are shown only once: only their fingerprints are kept.'],
    }
  },
})

export const demoCommands = [demo]
