import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { SearchResults } from '../records/search.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'

export const searchEndpoints = {
  search: {
    id: 'search',
    method: 'GET',
    path: '/api/v1/search',
    group: 'Search',
    since: '2026-11-29',
    summary: 'Search people and bookings',
    description: `By what somebody says on the phone: the start of any word of a guest's name, any part of a booking's, the start of an email address, or at least three digits of a phone number; accents and letter case do not matter. Bookings from yesterday to ${limits.searchDaysAhead} days ahead, or from \`from\` to \`to\`, today's first. For exact contact details use \`/guests/find\` and \`/reservations/find\`.`,
    access: 'any-key',
    looksUpPerson: true,
    query: {
      q: Type.String({
        minLength: limits.searchCharactersLeast,
        maxLength: limits.searchCharacters,
        description: 'What to look for.',
        examples: ['olg'],
      }),
      kinds: Type.String({
        description: '`guest` and `reservation`, separated by commas. Absent: those that the key may read.',
      }),
      from: Type.String({ format: 'date', description: 'The first day of bookings, with `to`.' }),
      to: Type.String({
        format: 'date',
        description: `The last day, at most ${limits.searchDays - 1} days after \`from\`.`,
      }),
      limit: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        default: limits.searchDefault,
        description: `The most results. A number over ${limits.searchMost} is treated as ${limits.searchMost}.`,
      }),
    },
    queryRequired: ['q'],
    replies: { 200: SearchResults },
    badRequest:
      '`q` is too short or too long, a kind is unknown or repeated, or another parameter cannot be read.',
    reasons: ['scope-missing'],
  },
} as const satisfies Record<string, Endpoint>
