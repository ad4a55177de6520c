import { Type } from 'typebox'
import { ChangesPage } from '../change.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'
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
      'Without `after`, a first copy: every existing record. Continue with `next` while `more` is true, and after that every so often, or with `wait`, to get what was created, changed or deleted since. Each record comes at most once in an answer, in its latest state. Nothing is missed between the first copy and the changes after it.',
    access: 'any-key',
    waitsForSeconds: limits.changesWaitSeconds,
    query: {
      after: Type.String({
        description:
          'The `next` of an earlier answer. Absent: from the beginning. `latest`: only the current cursor.',
      }),
      kinds: Type.String({
        description: `The kinds to return, separated by commas: ${recordKinds.map((kind) => `\`${kind}\``).join(', ')}. Absent: all that the key may read.`,
        examples: ['reservation,guest'],
      }),
      limit: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        default: limits.changesDefault,
        description: `The most changes to return. A number over ${limits.changesMost} is treated as ${limits.changesMost}.`,
      }),
      wait: Type.Unsafe<string>({
        type: 'integer',
        minimum: 0,
        maximum: limits.changesWaitSeconds,
        default: 0,
        description: 'How many seconds to wait for a change before returning an empty answer.',
      }),
      data: Type.Unsafe<'full' | 'none'>({
        type: 'string',
        enum: ['full', 'none'],
        default: 'full',
        description: '`none`: only which records changed, without their contents.',
      }),
    },
    replies: { 200: ChangesPage },
    badRequest:
      '`after` is not a cursor, a kind is unknown or repeated, or another parameter cannot be read.',
    reasons: ['scope-missing', 'cursor-expired'],
  },
} as const satisfies Record<string, Endpoint>
