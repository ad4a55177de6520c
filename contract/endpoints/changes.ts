import { Type } from 'typebox'
import { ChangesPage } from '../change.ts'
import type { Endpoint } from '../endpoint.ts'
import { recordKinds } from '../kinds.ts'
import { limits } from '../limits.ts'

export const changesEndpoints = {
  listChanges: {
    id: 'listChanges',
    method: 'GET',
    path: '/api/v1/changes',
    group: 'Changes',
    since: '2026-11-23',
    summary: 'Follow what changes',
    description:
      'Without `after`, the first copy: every record there is. Go on with `next` while `more` is true, and from then on now and then, or with `wait`: what came, changed or went meanwhile. Each record comes at most once in an answer, at its latest state. Nothing is missed between the first copy and what follows it.',
    access: 'any-key',
    waitsForSeconds: limits.changesWaitSeconds,
    query: {
      after: Type.String({
        description:
          'The `next` of an earlier answer. Absent: from the beginning. `latest`: only the current cursor.',
      }),
      kinds: Type.String({
        description: `The kinds wanted, separated by commas: ${recordKinds.map((kind) => `\`${kind}\``).join(', ')}. Absent: all that the key may read.`,
        examples: ['reservation,guest'],
      }),
      limit: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        default: limits.changesDefault,
        description: `How many changes at most. A number over ${limits.changesMost} is treated as ${limits.changesMost}.`,
      }),
      wait: Type.Unsafe<string>({
        type: 'integer',
        minimum: 0,
        maximum: limits.changesWaitSeconds,
        default: 0,
        description: 'For how many seconds an empty answer is held until something comes.',
      }),
      data: Type.Unsafe<'full' | 'none'>({
        type: 'string',
        enum: ['full', 'none'],
        default: 'full',
        description: '`none`: only which records changed, without the records.',
      }),
    },
    replies: { 200: ChangesPage },
    badRequest: '`after` is not a cursor, a kind is unknown or repeated, or another word cannot be read.',
    reasons: ['scope-missing', 'cursor-expired'],
  },
} as const satisfies Record<string, Endpoint>
