import { Account } from '../account.ts'
import type { Endpoint } from '../endpoint.ts'
import { ref } from '../shapes.ts'

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
} as const satisfies Record<string, Endpoint>
