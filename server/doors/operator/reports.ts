import { checkDays } from '../../data/reports/check-days.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { lastKeptDay } from '../../core/events/mark-past.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { readDate } from '../../platform/kernel/time/written-time.ts'
import { command, needed, text } from './command.ts'
import { sheet } from './print.ts'

/** What the figures of reports rest on (docs/operator.md). */
export const reportCommands = [
  command({
    words: 'reports check',
    about:
      'Counts past days from their bookings and compares them with the sums that reports use. Fails with the days that differ, which are then made once more within a minute.',
    flags: { venue: needed(text('S')), from: needed(text('YYYY-MM-DD')) },
    run: async ({ db, clock }, { venue: slug, from: typed }) => {
      const from = readDate(typed)
      if (from === undefined) throw badRequest(`--from must be a real date, YYYY-MM-DD, not "${typed}".`)
      const venue = await venueOfSlug(db, slug)
      const to = lastKeptDay(clock())
      const { days, differing } = await checkDays(db.within(venue.id), venue, { from, to }, clock())
      if (differing.length > 0) {
        throw badRequest(
          `${differing.length} of ${days} days differ from their bookings and are made once more: ${differing.join(', ')}.`,
        )
      }
      return { json: { days, differing }, text: sheet({ days, differing: differing.length }) }
    },
  }),
]
