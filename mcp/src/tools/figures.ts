import type { Figure } from '@venue-data/sdk'
import { z } from 'zod'
import { Refusal } from '../refusals.ts'
import { type Tool, date, input, tool } from '../tool.ts'
import { cleanText } from '../untrusted.ts'
import { groupBy, readBook, tallyByStatus } from './reservations.ts'

/** The most days counted at once. */
const mostDays = 31
const dayMs = 24 * 60 * 60 * 1000

export const figureTools: readonly Tool[] = [
  tool({
    name: 'figures',
    title: 'Figures of some days',
    description: `Parties and covers by day and status, for up to ${mostDays} days, past or to come; for the seven days from today on without dates. With \`complete\` false the last day here may lack some and later days are left out; ask for fewer.`,
    needs: ['reservations:read'],
    input: input({ dateFrom: date.optional(), dateTo: date.optional() }),
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

  tool({
    name: 'report',
    title: 'Report of a period',
    description:
      'What happened between two service dates, up to 400 days: parties, covers, arrivals, sizes, sources, days ahead, no-shows, cancellations, stays, waits and more, each with its definition. A row has n of d and the value; say no rate of fewer than 20 cases (d). `names` picks figures; without it all come, which for a long period is much.',
    needs: ['reports:read'],
    input: input({
      from: date,
      to: date,
      names: z
        .array(z.string().regex(/^[a-z_]{1,40}$/))
        .max(40)
        .optional(),
      compare: z
        .enum(['before', 'year'])
        .optional()
        .describe('Also the days before, or those 364 days earlier.'),
    }),
    run: async (asked, { venue }) => {
      const { asOf, leftOut, figures, compared } = await venue.figures(asked)
      return {
        ...{ asOf, leftOut, figures: figures.map(cleanFigure) },
        compared: compared && {
          ...{ from: compared.from, to: compared.to },
          figures: compared.figures.map(cleanFigure),
        },
      }
    },
  }),
]

/** A key may hold the venue's own words, such as the name of a service. */
const cleanFigure = ({ name, definition, unit, rows }: Figure) => ({
  ...{ name, definition, unit },
  rows: rows.map(({ key, n, d, value }) => ({
    key: Object.fromEntries(
      Object.entries(key).map(([word, of]) => [word, typeof of === 'number' ? of : cleanText(String(of))]),
    ),
    ...{ n, d, value },
  })),
})

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
