import { Type } from 'typebox'
import { Account, KeyRotation, RotateRequest } from '../account.ts'
import { body64, type Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { ref } from '../shapes.ts'
import { Usage } from '../usage.ts'

export const accountEndpoints = {
  me: {
    id: 'me',
    method: 'GET',
    path: '/api/v1/me',
    group: 'Account',
    summary: 'Who this key is',
    description: 'The venue, its plan and its time zone, and what the key may do. A good first call.',
    access: 'any-key',
    replies: { 200: ref(Account) },
  },

  rotateKey: {
    id: 'rotateKey',
    method: 'POST',
    path: '/api/v1/key/rotate',
    group: 'Account',
    since: '2026-11-23',
    summary: 'Replace this key by a new one',
    description:
      'Makes a key that may do the same, from the same addresses, until the same end; webhook endpoints made with this key go on with the new one. This key works for `overlapHours` more. The new key is in the reply and never again. If the reply was lost, send `replace: true` with the key you have: the key you never got is thrown away and another made. Takes no Idempotency-Key: a kept reply would keep the key.',
    access: 'any-key',
    body: RotateRequest,
    bodyLimit: body64,
    replies: { 201: KeyRotation },
    badRequest: '`overlapHours` is missing or not a whole number of hours up to 72.',
    reasons: ['rotation-off', 'rotation-open'],
  },

  getUsage: {
    id: 'getUsage',
    method: 'GET',
    path: '/api/v1/usage',
    group: 'Account',
    since: '2026-11-23',
    summary: 'How much this key was used',
    description:
      'The requests of this key by day, status and endpoint, and what came of deliveries to its webhook endpoints. Days are those of UTC. Counted in memory and added up every few seconds, so the latest are missing and a crash loses some: for watching, not for accounts. Addresses and their queries are never kept, only which endpoint it was.',
    access: 'any-key',
    query: {
      days: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        maximum: limits.usageDaysMost,
        default: limits.usageDaysDefault,
        description: 'How many days, today included.',
      }),
    },
    replies: { 200: ref(Usage) },
    badRequest: `\`days\` is not a whole number from 1 to ${limits.usageDaysMost}.`,
  },
} as const satisfies Record<string, Endpoint>
