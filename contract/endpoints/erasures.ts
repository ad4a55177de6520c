import { Type } from 'typebox'
import { type Endpoint, body64, keyClash } from '../webhooks/endpoint.ts'
import { Erasure, ErasureConfirmation, ErasuresPage } from '../erasure.ts'
import { windowQuery } from '../list-words.ts'
import { ref } from '../shapes.ts'

export const erasureEndpoints = {
  listErasures: {
    id: 'listErasures',
    method: 'GET',
    path: '/api/v1/erasures',
    group: 'Erasures',
    since: '2026-11-23',
    summary: 'List erasures',
    description:
      'People the venue erased, by the ids of their records and nothing else: delete your copies. Without `after`, starts with the first; continue with `next`. Ids of kinds that the key may not read are left out.',
    access: 'any-key',
    query: {
      after: Type.String({ description: 'The `next` of an earlier answer.' }),
      limit: windowQuery.limit,
    },
    replies: { 200: ErasuresPage },
    badRequest: '`after` is not a cursor, or `limit` cannot be read.',
  },

  confirmErasure: {
    id: 'confirmErasure',
    method: 'POST',
    path: '/api/v1/erasures/{id}/confirm',
    params: { id: 'record' },
    group: 'Erasures',
    since: '2026-11-23',
    summary: 'Confirm an erasure',
    description:
      'States that the copies your software had are gone. The owner sees which key confirmed, and when. Confirming again changes nothing.',
    access: 'write',
    scope: 'erasures:confirm',
    body: ErasureConfirmation,
    bodyOptional: true,
    bodyLimit: body64,
    idempotency: 'take-over',
    replies: {
      200: Type.Object({ erasure: ref(Erasure) }, { title: 'ErasureReply', description: 'It is confirmed.' }),
    },
    badRequest: 'The note cannot be read.',
    reasons: keyClash,
  },
} as const satisfies Record<string, Endpoint>
