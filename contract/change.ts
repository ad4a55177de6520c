import { type Static, type TSchema, Type } from 'typebox'
import { Guest } from './records/guest.ts'
import { type RecordKind, kinds, recordKinds } from './kinds.ts'
import { came, integerOrNull, moment, record, ref } from './shapes.ts'

export const changeWords = ['created', 'updated', 'deleted', 'merged', 'erased'] as const
export type ChangeWord = (typeof changeWords)[number]

const words = (list: readonly string[]): string => list.map((word) => `\`${word}\``).join(', ')

export const Change = record(
  'Change',
  'The latest change of a record.',
  {
    kind: 'guest',
    id: 3107,
    change: 'updated',
    revision: 14,
    at: '2026-10-06T18:02:11.090Z',
    data: (Guest as { examples?: unknown[] }).examples?.[0],
  },
  {
    kind: Type.Unsafe<RecordKind>({
      type: 'string',
      description: `The kind of record: ${words(recordKinds)}; the list may grow.`,
      examples: [...recordKinds],
    }),
    id: Type.Integer({ description: 'The id of the record.' }),
    change: Type.Unsafe<ChangeWord>({
      type: 'string',
      description: `One of ${words(changeWords)}; the list may grow. \`created\`: new since the cursor. \`erased\`: drop every copy of the person and keep what \`data\` shows.`,
      examples: [...changeWords],
    }),
    revision: Type.Integer({ minimum: 1, description: 'The revision after this change.' }),
    at: moment('When it changed.'),
    mergedInto: Type.Optional(
      Type.Integer({ description: 'The id of the record it was merged into; only with `merged`.' }),
    ),
    // Written as is: each kind's own presenter made it, and working out the kind from the schema would cost more.
    data: Type.Unsafe<unknown>({
      description:
        'The record as it is now, in the same shape as in its list; `null` when nothing is left of it, or with `data=none`.',
      'x-published': {
        anyOf: [
          ...Object.values<{ record: TSchema }>(kinds).map((kind) => ref(kind.record)),
          { type: 'null' },
        ],
      },
    }),
  },
)
export type Change = Static<typeof Change>

export const ChangesPage = Type.Object(
  {
    changes: Type.Unsafe<Change[]>({
      type: 'array',
      items: ref(Change),
      description: 'Each record at most once; possibly empty.',
    }),
    next: Type.String({
      description: 'The cursor for the next request; always present, even when nothing changed.',
      examples: ['c1_5xL1kQAAAAAAD3Kx'],
    }),
    more: Type.Boolean({
      description: 'Whether there is more: if so, call again immediately.',
      examples: [false],
    }),
    kinds: came(
      '2026-11-28',
      Type.Unsafe<RecordKind[]>({
        type: 'array',
        items: { type: 'string' },
        description:
          'The kinds that this answer covers: those asked for, or all that the key may read now. Of a kind that was not among those of the answer before, read the older records with `kinds` and without `after`.',
        examples: [['reservation', 'guest']],
      }),
    ),
  },
  { title: 'ChangesPage', description: 'The changes after the cursor, oldest first.' },
)

/** The sums of a copy, a block of ids at a time: how they are made is said in the endpoint's row. */
export const ChangesDigest = Type.Object(
  {
    kind: Type.String({ description: 'The kind that was asked for.', examples: ['reservation'] }),
    blocks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Type.Integer({ description: 'The first id of the block, which has a thousand.' }),
            count: Type.Integer({ minimum: 1, description: 'How many records it has.' }),
            digest: Type.String({
              description: 'Their sum: 32 hexadecimal digits.',
              pattern: '^[0-9a-f]{32}$',
            }),
          },
          { title: 'DigestBlock' },
        ),
        {
          description: 'In the order of their ids, without empty ones. Absent with `block`.',
          examples: [[{ from: 48_000, count: 994, digest: '5f0c9a41d7b2e6880b1d5ee0a3c47f92' }]],
        },
      ),
    ),
    records: Type.Optional(
      Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
        description: 'Only with `block`: each record of the block, its id and its revision.',
        examples: [[[48_001, 7]]],
      }),
    ),
    changedSince: Type.Array(Type.Integer(), {
      description:
        'The ids, in the range of this answer, of what has changed after the cursor. They are in no sum: leave them out of yours.',
      examples: [[48_213]],
    }),
    next: Type.Optional(
      integerOrNull('The `from` of the next request; `null` at the end. Absent with `block`.', {
        examples: [248_000],
      }),
    ),
  },
  {
    ...{ title: 'ChangesDigest', description: 'What a true copy has as of a cursor.' },
    examples: [
      {
        kind: 'reservation',
        blocks: [{ from: 48_000, count: 994, digest: '5f0c9a41d7b2e6880b1d5ee0a3c47f92' }],
        changedSince: [48_213],
        next: 248_000,
      },
    ],
  },
)
export type ChangesDigest = Static<typeof ChangesDigest>
