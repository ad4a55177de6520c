import { Type } from 'typebox'
import { ChangesDigest, ChangesPage } from '../change.ts'
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
    reasons: ['scope-missing', 'cursor-expired', 'cursor-of-another-venue'],
  },
  digestChanges: {
    id: 'digestChanges',
    method: 'GET',
    path: '/api/v1/changes/digest',
    group: 'Changes',
    since: '2026-11-29',
    summary: 'Compare a copy',
    description:
      'Which records a copy must have at the cursor it holds, and at which revision, as sums over blocks of a thousand ids (`id` div 1,000). A `digest` is the sum, mod 2^128, of the first 16 bytes, big-endian, of SHA-256 over `kind|id|revision`. Where your sum differs, ask with `block` for the ids and revisions behind it. True at one moment under any number of writers. It proves neither the contents nor anything against a forger.',
    access: 'any-key',
    query: {
      kind: Type.String({ description: 'The kind to compare.', examples: ['reservation'] }),
      after: Type.String({
        description: 'The `next` up to which the copy has everything.',
        examples: ['c1_5xL1kQAAAAAD9Bbp'],
      }),
      from: Type.Unsafe<string>({
        type: 'integer',
        minimum: 0,
        default: 0,
        description: 'The id whose block comes first: the `next` of the answer before.',
      }),
      block: Type.Unsafe<string>({
        type: 'integer',
        minimum: 0,
        description: 'The `from` of a block: its ids and revisions instead of sums.',
      }),
    },
    queryRequired: ['kind', 'after'],
    replies: { 200: ChangesDigest },
    badRequest:
      '`kind` or `after` is missing or unknown, `from` is not a whole number, or `block` is not the `from` of a block.',
    reasons: ['scope-missing', 'cursor-behind', 'cursor-expired', 'cursor-of-another-venue'],
  },
} as const satisfies Record<string, Endpoint>
