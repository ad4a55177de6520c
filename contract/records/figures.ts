import { type Static, Type } from 'typebox'
import { textOrNull } from '../shapes.ts'

/** The figures of reports, in the order in which they are shown. */
export const figureNames = [
  'parties',
  'covers',
  'booked',
  'arrivals',
  'lead_days',
  'sizes',
  'sources',
  'refused',
  'funnel',
  'no_shows',
  'cancelled',
  'answered',
  'open_ends',
  'stays',
  'waits',
  'guests',
  'tables',
  'ticket_money',
  'guarantee_money',
  'list',
  'campaigns',
  'leads',
  'calls',
] as const
export type FigureName = (typeof figureNames)[number]

/** With what a period is compared: the one of the same length before it, or the same weekdays a year earlier. */
export const comparisons = ['before', 'year'] as const
export type Comparison = (typeof comparisons)[number]

const number = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

const sample = {
  name: 'no_shows',
  definition: 'No-shows out of no-shows and served bookings ahead.',
  unit: 'parties',
  rows: [{ key: { measure: 'parties' }, n: 12, d: 310, value: 12 / 310 }],
}

export const Figure = Type.Object(
  {
    name: Type.String({ description: 'Which one.', examples: [...figureNames] }),
    definition: Type.String({ description: 'What is counted.' }),
    unit: Type.String({ description: 'Of what.', examples: ['parties'] }),
    rows: Type.Array(
      Type.Object({
        key: Type.Unsafe<Record<string, string | number>>({
          ...{ type: 'object', additionalProperties: true, description: 'What the row is about.' },
        }),
        n: number('How many.'),
        d: number('Out of how many.'),
        value: number('`n`, `n`/`d` or the median of `d` cases.'),
      }),
      { description: 'The counts.' },
    ),
  },
  {
    ...{ $id: 'Figure', title: 'Figure', description: 'One figure of a period.' },
    ...{ examples: [sample], additionalProperties: false },
  },
)
export type Figure = Static<typeof Figure>

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-10-05'] })
const [from, to] = [day('The first day.'), day('The last.')]
const figures = Type.Unsafe<Figure[]>({
  ...{ type: 'array', items: { $ref: 'Figure#' }, description: 'Those asked for.' },
})

export const Figures = Type.Object(
  {
    ...{ from, to },
    timezone: Type.String({ description: "The venue's.", examples: ['America/New_York'] }),
    currency: textOrNull('ISO 4217.', { examples: ['USD'] }),
    asOf: Type.String({
      ...{ format: 'date-time', description: 'When they were counted.' },
      examples: ['2026-11-29T06:30:00.000Z'],
    }),
    sinceFilled: textOrNull('The first day that is counted, if not all are.', { examples: [null] }),
    leftOut: Type.Integer({ description: 'Bookings without a service.', examples: [0] }),
    figures,
    compared: Type.Unsafe<{ from: string; to: string; figures: Figure[] } | null>({
      ...{ description: 'With `compare`.', type: ['object', 'null'], examples: [null] },
      ...{ properties: { from, to, figures }, required: ['from', 'to', 'figures'] },
    }),
  },
  { title: 'Figures', description: 'Figures of a period.' },
)
export type Figures = Static<typeof Figures>
