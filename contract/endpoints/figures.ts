import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Figures, comparisons } from '../records/figures.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'

export const figuresEndpoints = {
  figures: {
    id: 'figures',
    method: 'GET',
    path: '/api/v1/figures',
    group: 'Figures',
    since: '2026-11-29',
    summary: 'Read figures of a period',
    description: 'Counts, rates and medians by service date, without persons, each with its definition.',
    access: 'any-key',
    scope: 'reports:read',
    query: {
      from: Type.String({ format: 'date', description: 'The first service date.', examples: ['2026-10-01'] }),
      to: Type.String({
        format: 'date',
        description: `The last, at most ${limits.figuresDays} days in all.`,
        examples: ['2026-10-07'],
      }),
      names: Type.String({
        description: 'Names of figures, separated by commas. Absent: all that the key may read.',
      }),
      compare: Type.Unsafe<string>({
        type: 'string',
        enum: [...comparisons],
        description: '`before`: also the days before; `year`: those 364 days earlier.',
      }),
    },
    queryRequired: ['from', 'to'],
    replies: { 200: Figures },
    badRequest: 'A date or word cannot be read, `to` is before `from`, or the period is too long.',
    reasons: ['scope-missing'],
  },
} as const satisfies Record<string, Endpoint>
