import { Type } from 'typebox'
import { Account, KeyRotation, RotateRequest } from '../records/account.ts'
import { body64, type Endpoint } from '../webhooks/endpoint.ts'
import { limits } from '../limits.ts'
import { ref } from '../shapes.ts'
import { Usage } from '../records/usage.ts'

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
    summary: 'Replace this key with a new one',
    description:
      'Creates a key with the same permissions, addresses and expiry; the new key takes over the webhook endpoints made with this one. This key works for `overlapHours` more. The new key is shown in the answer and never again. If the answer was lost, send `replace: true` with the key you have: the key you never got is discarded and another made. Takes no Idempotency-Key, because the stored answer would contain the key.',
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
      'Requests with this key by day, status and endpoint, and how deliveries to its webhook endpoints ended. Days are in UTC. Counts are kept in memory and written every few seconds, so the latest are missing and a crash loses a few: use them for monitoring, not for billing. URLs and queries are never stored, only which endpoint was called.',
    access: 'any-key',
    query: {
      days: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        maximum: limits.usageDaysMost,
        default: limits.usageDaysDefault,
        description: 'How many days, including today.',
      }),
    },
    replies: { 200: ref(Usage) },
    badRequest: `\`days\` is not a whole number from 1 to ${limits.usageDaysMost}.`,
  },
} as const satisfies Record<string, Endpoint>
