import { z } from 'zod'
import { Refusal } from '../refusals.ts'
import { type Tool, date, input, tool } from '../tool.ts'
import { groupBy, readBook, tallyByStatus, tallyShape } from './reservations.ts'

/** The most days counted at once. */
const mostDays = 31
const dayMs = 24 * 60 * 60 * 1000

export const figureTools: readonly Tool[] = [
  tool({
    name: 'figures',
    title: 'Figures of some days',
    description: `Parties and covers by day and status, for up to ${mostDays} days, past or to come; without dates, for the seven days from today on.`,
    needs: ['reservations:read'],
    input: input({ dateFrom: date.optional(), dateTo: date.optional() }),
    output: z.object({
      dateFrom: z.string(),
      dateTo: z.string(),
      byStatus: z.record(z.string(), tallyShape),
      days: z.array(z.object({ date: z.string(), byStatus: z.record(z.string(), tallyShape) })),
      complete: z
        .boolean()
        .describe(
          'False: there are too many bookings to count at once. The last day here may lack some, later days are left out; ask for fewer.',
        ),
    }),
    run: async ({ dateFrom: from, dateTo: to }, { venue, today }) => {
      const dateFrom = from ?? to ?? today()
      const dateTo = to ?? dayAfter(dateFrom, 6)
      const count = (Date.parse(dateTo) - Date.parse(dateFrom)) / dayMs + 1
      if (count < 1) throw new Refusal('dateTo is before dateFrom.')
      if (count > mostDays) throw new Refusal(`That is more than ${mostDays} days; ask for fewer.`)
      const { read, complete } = await readBook(venue, dateFrom, dateTo)
      const byDay = groupBy(read, ({ date: day }) => day)
      const lastRead = complete ? dateTo : (read.at(-1)?.date ?? dateTo)
      const days = Array.from({ length: count }, (_, at) => dayAfter(dateFrom, at))
      return {
        ...{ dateFrom, dateTo, complete, byStatus: tallyByStatus(read) },
        days: days
          .filter((day) => day <= lastRead)
          .map((day) => ({ date: day, byStatus: tallyByStatus(byDay.get(day) ?? []) })),
      }
    },
  }),
]

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
