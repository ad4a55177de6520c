import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { anyObject, inputName, inputWord, integerOrNull, record, ref, textOrNull } from './shapes.ts'

/** The kinds of records that come in batches. Not reservations: a batch of requests would race the evening. */
export const batchKinds = ['guest', 'subscriber', 'lead', 'task'] as const
export type BatchKind = (typeof batchKinds)[number]

export const batchModes = ['check', 'write'] as const
export type BatchMode = (typeof batchModes)[number]

export const batchStatuses = ['waiting', 'running', 'done', 'cancelled'] as const
export type BatchStatus = (typeof batchStatuses)[number]

/** What came of an item; of one that was only checked, what would come of it. */
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
  'Records that were sent in one request, and how far they are.',
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
    kind: word('What its records are.', batchKinds),
    mode: word('Whether they are written, or only checked.', batchModes),
    status: word('How far it is. `cancelled`: its key may no longer do this.', batchStatuses),
    total: count('Items that were sent.'),
    done: count('Items that have a result.'),
    made: count('Records that were made, or would be.'),
    matched: count('Items that matched a record, or would.'),
    refused: count('Items that were refused, or would be.'),
  },
)
export type Batch = Static<typeof Batch>

export const BatchResult = record(
  'BatchResult',
  'What came of one item; nothing in it is about the person.',
  { ref: 'crm-1042', status: 'matched', id: 3107, reason: null, error: null, conflicting: ['phone'] },
  {
    ref: Type.String({ description: 'Your name for the item.' }),
    status: word(
      'What came of it: 201 is `made`, 200 is `matched`; after a check `would-make` and `would-match`.',
      batchOutcomes,
    ),
    id: integerOrNull('The id of the record; `null` where there is none.'),
    reason: textOrNull('Why it was refused: a reason, those of the problem form included.'),
    error: textOrNull('The sentence with which it was refused.'),
    conflicting: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a matched guest: the fields that differ from what is known.',
        examples: [['phone']],
      }),
    ),
    outcome: Type.Optional(
      Type.String({
        description: 'Of a subscriber: the `status` that a single POST answers.',
        examples: ['suppressed'],
      }),
    ),
  },
)
export type BatchResult = Static<typeof BatchResult>

const item = Type.Object({
  ref: inputName(
    `Your name for the item, only once in a batch: up to ${limits.batchRefCharacters} characters, nothing personal.`,
    limits.batchRefCharacters,
  ),
  body: anyObject('The body that a single POST of this kind takes.'),
})

export const NewBatch = Type.Object(
  {
    kind: inputWord('What the records are.', batchKinds),
    mode: inputWord('`write` them, or only `check` what would come of each.', batchModes),
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
  { title: 'BatchReply', description: 'It was taken; its records are written soon.' },
)
