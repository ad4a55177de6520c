import { problemType } from '../problem-form.ts'

/*
 * The changelog is served with the pages and not as an endpoint: it needs no key, counts towards no rate and names no
 * venue. Programs still find it in the document.
 */

export const changelogPath = '/api/v1/changelog'

/** What kinds of things version 1 gains. */
export const growths = ['field', 'endpoint', 'event', 'reason', 'header', 'word'] as const

const text = (description: string) => ({ type: 'string', description })

export const changelogItem = {
  get: {
    operationId: 'getChangelog',
    tags: ['Account'],
    summary: 'See what version 1 gained',
    description: 'What was added since version 1 began, newest first. Needs no key.',
    security: [],
    responses: {
      200: {
        description: 'One entry for each addition.',
        content: {
          'application/json': {
            schema: {
              type: 'array',
              items: {
                type: 'object',
                title: 'Growth',
                required: ['date', 'growth', 'name', 'what'],
                properties: {
                  date: { ...text('The day it came.'), format: 'date' },
                  growth: text(
                    `What it is: ${growths.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
                  ),
                  name: text('Its name, such as `Task.doneAt`.'),
                  what: text('What it means.'),
                },
              },
            },
          },
        },
      },
      400: {
        description: 'A request that is not valid HTTP.',
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Refusal' } },
          [problemType]: { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  },
}
