import { Type } from 'typebox'
import { Batch, BatchReply, BatchResult, NewBatch } from '../batch.ts'
import { type Endpoint, keyClash } from '../webhooks/endpoint.ts'
import { limits } from '../limits.ts'
import { windowQuery } from '../list-words.ts'
import { listOf, ref } from '../shapes.ts'

/** What the batch endpoints have in common. The scope they need depends on the kind of the batch. */
const batches = { group: 'Batches', since: '2026-11-23', access: 'write' } as const

export const batchEndpoints = {
  createBatch: {
    ...batches,
    id: 'createBatch',
    method: 'POST',
    path: '/api/v1/batches',
    summary: 'Send many records at once',
    description: `Each item is written exactly as a single POST would write it, one after the other, starting a few seconds after this answer; read the batch until it is \`done\`, then its results. With \`mode: "check"\` nothing is written, and the results say what would happen to each. Needs the scope to create the kind, such as \`guests:create\`. A venue may have one batch at a time, and at most ${limits.batchItemsPerHour.toLocaleString('en-US')} items an hour. A batch's events are sent slowly, so that they do not delay others. There are no batches of reservations.`,
    body: NewBatch,
    bodyLimit: { bytes: limits.batchBytes, status: 400 },
    idempotency: 'take-over',
    replies: { 202: BatchReply },
    badRequest: `A field is missing or cannot be read, a \`ref\` is used twice, or there are more than ${limits.batchItems} items.`,
    reasons: ['scope-missing', 'batch-running', ...keyClash],
  },

  getBatch: {
    ...batches,
    id: 'getBatch',
    method: 'GET',
    path: '/api/v1/batches/{id}',
    summary: 'See the progress of a batch',
    description: `Kept for ${limits.batchResultsDays} days after the batch has ended. Needs the scope to create its kind.`,
    replies: { 200: ref(Batch) },
    reasons: ['scope-missing'],
  },

  listBatchResults: {
    ...batches,
    id: 'listBatchResults',
    method: 'GET',
    path: '/api/v1/batches/{id}/results',
    summary: 'List the results of a batch',
    description: `The results of finished items, in the order of the batch; kept for ${limits.batchResultsDays} days after it has ended. \`Link\` and \`X-Next-Cursor\` lead to the next page. Needs the scope to create its kind.`,
    query: {
      limit: windowQuery.limit,
      after: Type.String({ description: 'The cursor of the previous page, from `X-Next-Cursor` or `Link`.' }),
    },
    paged: true,
    replies: { 200: listOf(BatchResult, 'In the order of the batch; possibly empty.') },
    badRequest: '`limit` cannot be read, or `after` is not a cursor of these results.',
    reasons: ['scope-missing'],
  },
} as const satisfies Record<string, Endpoint>
