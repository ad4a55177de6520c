import { type Static, Type } from 'typebox'
import { type ChangeWord, changeWords } from './change.ts'
import { Lead } from './records/lead.ts'
import { type RecordKind, recordKinds } from './kinds.ts'
import { limits } from './limits.ts'
import { anyObject, inputText, integerOrNull } from './shapes.ts'

const words = (list: readonly string[]): string => list.map((word) => `\`${word}\``).join(', ')

const lead = { ...(Lead as { examples?: Lead[] }).examples?.[0], id: null }

export const DryRunRequest = Type.Object(
  {
    method: inputText('`POST` or `PATCH`.'),
    path: inputText(
      'The address of the call, with its query if it has one: `/api/v1/leads`.',
      limits.urlCharacters,
    ),
    body: Type.Optional(anyObject('The body of the call.')),
  },
  {
    title: 'DryRunRequest',
    description: 'The call to try.',
    examples: [{ method: 'POST', path: '/api/v1/leads', body: { name: 'Maya Okafor', guestCount: '40' } }],
  },
)

export const DryRun = Type.Object(
  {
    wouldAnswer: Type.Object(
      {
        status: Type.Integer({ description: 'The status of the answer.', examples: [201] }),
        body: anyObject('Its body. The `id` of a record that would be created is `null`.', {
          examples: [{ lead }],
        }),
      },
      { description: 'The answer the call would get.' },
    ),
    events: Type.Array(
      Type.Object({
        event: Type.String({
          description: 'The most specific name of the event.',
          examples: ['lead.created'],
        }),
        data: anyObject('Its `data`.', { examples: [lead] }),
      }),
      {
        description: 'The events it would emit, in this order, for kinds that the key may read.',
      },
    ),
    changes: Type.Array(
      Type.Object({
        kind: Type.Unsafe<RecordKind>({
          type: 'string',
          description: `The kind of record: ${words(recordKinds)}; the list may grow.`,
          examples: ['lead'],
        }),
        id: integerOrNull('The id of the record; `null` for one that would be created.', {
          examples: [null],
        }),
        change: Type.Unsafe<ChangeWord>({
          type: 'string',
          description: `One of ${words(changeWords)}; the list may grow.`,
          examples: ['created'],
        }),
      }),
      { description: 'The records it would change, of kinds that the key may read.' },
    ),
  },
  { title: 'DryRun', description: 'What the call would do. Nothing was done.' },
)
export type DryRun = Static<typeof DryRun>
