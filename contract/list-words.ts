import { type TSchema, Type } from 'typebox'
import { limits } from './limits.ts'

/* The parameters of lists. A row of the contract names the ones its list has; the reader, the OpenAPI document and the reference are made from them. A parameter that a row does not name is ignored, like every unknown one.
 */

/** The orders of lists; records with equal sort keys are ordered by id. */
export const listSorts = {
  '-createdAt': 'newest first',
  createdAt: 'oldest first',
  date: 'by date, earliest first',
  '-date': 'by date, latest first',
  changed: 'most recently changed last',
} as const
export type ListSort = keyof typeof listSorts

/** `closed`: the values cannot grow; any other is 400. `open`: any other matches nothing. */
type Words = { readonly closed: readonly string[] } | { readonly open: readonly string[] }

/** The filters of a list: some with their possible values, the others the same everywhere. */
type ListFilters = Readonly<
  Partial<Record<'status' | 'source' | 'stage' | 'priority' | 'category' | 'tag', Words>> &
    Partial<
      Record<
        | 'dateFrom'
        | 'dateTo'
        | 'email'
        | 'phone'
        | 'externalId'
        | 'guest'
        | 'reservation'
        | 'lead'
        | 'table'
        | 'occurrence'
        | 'done',
        true
      >
    >
>
export type ListFilter = keyof ListFilters

export type ListWords = {
  readonly filters: ListFilters
  /** The first is the default. */
  readonly sorts: readonly ListSort[]
  /** What `dateFrom`, `dateTo` and the sort `date` are about. */
  readonly date?: string
}

/** Exact to the millisecond: a bound either includes its own moment or does not. */
const momentAsked = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date-time', description })

/** The query parameters of every list. */
export const windowQuery = {
  limit: Type.Unsafe<string>({
    type: 'integer',
    minimum: 1,
    default: limits.listDefault,
    description: `The most records to return. A number over ${limits.listMost} is treated as ${limits.listMost}.`,
  }),
  since: Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    description: 'Only records created at or after this moment; a date and time with a zone.',
    examples: ['2026-10-06T15:00:00Z'],
  }),
}

/** Parameters with the day they were added to the lists of version 1. */
const came = (since: string, words: Record<string, TSchema>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(words).map(([word, shape]) => [word, { ...shape, 'x-since': since }]))

/** The query parameters of a list with these filters and sorts. */
export const listQuery = ({ filters, sorts, date = 'date' }: ListWords): Record<string, TSchema> => ({
  ...windowQuery,
  ...came('2026-11-23', wordsBeside({ filters, sorts, date })),
})

const wordsBeside = ({ filters, sorts, date }: Required<ListWords>): Record<string, TSchema> => ({
  until: momentAsked('Only records created before this moment.'),
  after: Type.String({
    description:
      'The cursor of the previous page, from `X-Next-Cursor` or `Link`. Use the same filters and sort.',
  }),
  sort: Type.Unsafe<string>({
    type: 'string',
    enum: [...sorts],
    default: sorts[0],
    description: `${sorts.map((sort) => `\`${sort}\`: ${listSorts[sort]}`).join('; ')}.`,
  }),
  updatedSince: momentAsked(
    'Only records last changed at or after this moment, the most recently changed last; it excludes any other sort.',
  ),
  count: Type.Unsafe<string>({
    type: 'string',
    const: 'true',
    description: `Adds \`X-Count\`: how many records match, or \`${limits.countMost}+\`.`,
  }),
  ...Object.fromEntries(
    Object.entries(filters).map(([word, known]) => [word, filterQuery(word as ListFilter, known, date)]),
  ),
})

const filterQuery = (word: ListFilter, known: Words | true, date: string): TSchema => {
  if (known !== true) return wordsQuery(word, known)
  switch (word) {
    case 'dateFrom':
      return Type.String({
        format: 'date',
        description: `Only with this ${date} or a later one, YYYY-MM-DD.`,
      })
    case 'dateTo':
      return Type.String({
        format: 'date',
        description: `Only with this ${date} or an earlier one, YYYY-MM-DD.`,
      })
    case 'email':
      return Type.String({
        description: 'Only with this email address, ignoring letter case; with `phone`, either is enough.',
      })
    case 'phone':
      return Type.String({
        description: `Only with this phone number, compared as in finding; at least ${limits.phoneDigitsLeast} digits.`,
      })
    case 'externalId':
      return Type.String({
        description: 'Only records with this id of yours, an exact match; several records may have the same.',
      })
    case 'reservation':
    case 'lead':
      return Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        description: `Only the guest that the ${word} with this id is linked to; none if it is linked to nobody.`,
      })
    case 'done':
      return Type.Unsafe<string>({
        type: 'string',
        enum: ['true', 'false'],
        description: '`true`: only those that are done; `false`: only those that are not.',
      })
    default:
      return Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        description: `Only those that belong to the ${word} with this id.`,
      })
  }
}

const wordsQuery = (word: string, known: Words): TSchema => {
  const words = 'closed' in known ? known.closed : known.open
  return Type.String({
    description: `Only with this ${word}; several are separated by commas, in any letter case.`,
    ...(words.length > 0 && { examples: [...words] }),
  })
}
