import { type Static, Type } from 'typebox'
import { ErasedPerson } from './webhooks/event-data.ts'
import { limits } from './limits.ts'
import { inputText, moment, record, recordId, ref } from './shapes.ts'

const { erasure: _, ...erasedIds } = ErasedPerson.properties
const { erasure: id, ...exampleIds } = (ErasedPerson as unknown as { examples: [ErasedPerson] }).examples[0]

/** A person's records, by kind; kinds that the key may not read are empty. */
export type ErasedIds = Omit<ErasedPerson, 'erasure'>

export const Erasure = record(
  'Erasure',
  'A person who was erased: which records were theirs, and whether this key has confirmed it.',
  { id, at: '2026-11-14T18:02:11.090Z', ...exampleIds, confirmed: false },
  {
    id: recordId('erasure'),
    at: moment('When they were erased.'),
    ...erasedIds,
    confirmed: Type.Boolean({ description: 'Whether this key has confirmed it.' }),
  },
)
export type Erasure = Static<typeof Erasure>

export const ErasuresPage = Type.Object(
  {
    erasures: Type.Unsafe<Erasure[]>({
      type: 'array',
      items: ref(Erasure),
      description: 'Oldest first; possibly empty.',
    }),
    next: Type.String({
      description: 'The cursor for `after` in the next call; always present.',
      examples: ['l1_mJ0kQ8s3b1w'],
    }),
    more: Type.Boolean({
      description: 'Whether there are more: if so, call again immediately.',
      examples: [false],
    }),
  },
  { title: 'ErasuresPage', description: 'The erasures after the cursor.' },
)

export const ErasureConfirmation = Type.Object(
  {
    note: Type.Optional(
      inputText('What you did, for the owner to read. Nothing about the person.', limits.shortTextCharacters),
    ),
  },
  {
    title: 'ErasureConfirmation',
    description: 'The statement that your copies are gone.',
    examples: [{ note: 'Removed from the mailing tool.' }],
  },
)
