import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { anyObject, inputName, inputWord, integerOrNull, record, ref, textOrNull } from './shapes.ts'

/**
 * The kinds of records that come in batches. Not reservations: a batch of requests would compete with the evening's
 * guests for tables.
 */
export const batchKinds = ['guest', 'subscriber', 'lead', 'task'] as const
export type BatchKind = (typeof batchKinds)[number]

export const batchModes = ['check', 'write'] as const
export type BatchMode = (typeof batchModes)[number]

export const batchStatuses = ['waiting', 'running', 'done', 'cancelled'] as const
export type BatchStatus = (typeof batchStatuses)[number]

/** The result of an item; in a check, what its result would be. */
export const batchOutcomes = ['made', 'matched', 'refused', 'would-make', 'would-match'] as const
export type BatchOutcome = (typeof batchOutcomes)[number]

const words = (list: readonly string[]): string => list.map((word) => `\`${word}\``).join(', ')

const word = <Word extends string>(description: string, list: readonly Word[]) =>
  Type.Unsafe<Word>({
    type: 'string',
    description: `${description} One of ${words(list)}; the list may grow.`,
    examples: [...list],
  })

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Batch = record(
  'Batch',
  'Records sent in one request, and their progress.',
  {
    id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
    kind: 'guest',
    mode: 'write',
    status: 'running',
    total: 500,
    done: 120,
    made: 98,
    matched: 19,
    refused: 3,
  },
  {
    id: Type.String({ description: 'Identifier of the batch, in UUID form.' }),
    kind: word('The kind of its records.', batchKinds),
    mode: word('Whether its records are written or only checked.', batchModes),
    status: word('Its progress. `cancelled`: its key may no longer do this.', batchStatuses),
    total: count('Items sent.'),
    done: count('Items with a result.'),
    made: count('Records that were created, or would be.'),
    matched: count('Items that matched a record, or would.'),
    refused: count('Items that were refused, or would be.'),
  },
)
export type Batch = Static<typeof Batch>

export const BatchResult = record(
  'BatchResult',
  'The result of one item; it contains nothing about the person.',
  { ref: 'crm-1042', status: 'matched', id: 3107, reason: null, error: null, conflicting: ['phone'] },
  {
    ref: Type.String({ description: 'Your name for the item.' }),
    status: word(
      'The result: 201 is `made`, 200 is `matched`; after a check `would-make` and `would-match`.',
      batchOutcomes,
    ),
    id: integerOrNull('The id of the record; `null` when there is none.'),
    reason: textOrNull('Why it was refused: a reason, including those of the problem form.'),
    error: textOrNull('The sentence of the refusal.'),
    conflicting: Type.Optional(
      Type.Array(Type.String(), {
        description: 'For a matched guest: the fields that differ from the guest record.',
        examples: [['phone']],
      }),
    ),
    outcome: Type.Optional(
      Type.String({
        description: 'For a subscriber: the `status` that a single POST would answer.',
        examples: ['suppressed'],
      }),
    ),
  },
)
export type BatchResult = Static<typeof BatchResult>

const item = Type.Object({
  ref: inputName(
    `Your name for the item, unique in the batch: up to ${limits.batchRefCharacters} characters, nothing personal.`,
    limits.batchRefCharacters,
  ),
  body: anyObject('The body that a single POST of this kind takes.'),
})

export const NewBatch = Type.Object(
  {
    kind: inputWord('The kind of the records.', batchKinds),
    mode: inputWord('`write` them, or only `check` what the result of each would be.', batchModes),
    items: Type.Array(item, {
      minItems: 1,
      maxItems: limits.batchItems,
      description: `1 to ${limits.batchItems} records, in the order in which they are written.`,
    }),
  },
  {
    title: 'NewBatch',
    description: 'Records of one kind.',
    examples: [
      {
        kind: 'guest',
        mode: 'write',
        items: [{ ref: 'crm-1042', body: { name: 'Maya Okafor', email: 'maya.okafor@example.com' } }],
      },
    ],
  },
)
export type NewBatch = Static<typeof NewBatch>

export const BatchReply = Type.Object(
  { batch: ref(Batch) },
  { title: 'BatchReply', description: 'The batch was accepted; its records are written soon.' },
)
