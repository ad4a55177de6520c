import { fillFeeds } from '../../integrations/changes/fill.ts'
import { leapCounters } from '../../platform/db/leap-counters.ts'
import { renewEpochs } from '../../platform/db/renew-epochs.ts'
import { command } from './command.ts'
import { sheet, table } from './print.ts'

/** The feeds of changes (docs/operator.md). */
export const feedCommands = [
  command({
    words: 'feed fill',
    about:
      'Puts the records of venues from before there were feeds of changes into theirs. Run it once after the update to this release, when no process of an earlier one is left; the embedded database needs no command. Safe to repeat.',
    flags: {},
    run: async (context) => {
      const venues = await fillFeeds(context)
      return {
        json: { venues },
        text:
          venues.length === 0
            ? 'Every feed is filled.'
            : table(venues, { VENUE: ({ slug }) => slug, RECORDS: ({ records }) => records }),
      }
    },
  }),
  command({
    words: 'feed renew',
    about:
      'Has everybody who follows a feed of changes read it from the beginning, and gives no number again that was given since. For a database that went back to an earlier state without the service noticing; after a restore it does this by itself.',
    flags: {},
    run: async ({ db }) => {
      const venues = await renewEpochs(db)
      await leapCounters(db)
      return { json: { venues }, text: sheet({ venues }) }
    },
  }),
]
