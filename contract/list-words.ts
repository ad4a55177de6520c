import { type TSchema, Type } from 'typebox'
import { limits } from './limits.ts'

/*
 * What may be asked of a list. A row of the contract names the words its list knows; the reader, the OpenAPI document and
 * the reference are made from them. A word that a row does not name is ignored, as every unknown word is.
 */

/** The orders of lists; records of one key are told apart by their id. */
export const listSorts = {
  '-createdAt': 'newest first',
  createdAt: 'oldest first',
  date: 'by date, earliest first',
  '-date': 'by date, latest first',
  changed: 'last changed last',
} as const
export type ListSort = keyof typeof listSorts

/** `closed`: words of a list that does not grow; another is 400. `open`: another matches nothing. */
type Words = { readonly closed: readonly string[] } | { readonly open: readonly string[] }

/** The filters of a list: words with what they may be, the others as they are everywhere. */
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
        | 'occurrence'
        | 'done',
        true
      >
    >
>
export type ListFilter = keyof ListFilters

export type ListWords = {
  readonly filters: ListFilters
  /** The first is that of a list that is asked for none. */
  readonly sorts: readonly ListSort[]
  /** What `dateFrom`, `dateTo` and the sort `date` are about. */
  readonly date?: string
}

/** Whole milliseconds matter: a bound holds for the moment itself or not, to the millisecond. */
const momentAsked = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date-time', description })

/** The query parameters of every list. */
export const windowQuery = {
  limit: Type.Unsafe<string>({
    type: 'integer',
    minimum: 1,
    default: limits.listDefault,
    description: `How many records at most. A number over ${limits.listMost} is treated as ${limits.listMost}.`,
  }),
  since: Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    description: 'Only records created at or after this moment; a date and time with a zone.',
    examples: ['2026-10-06T15:00:00Z'],
  }),
}

/** Words with the day they came to lists of version 1. */
const came = (since: string, words: Record<string, TSchema>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(words).map(([word, shape]) => [word, { ...shape, 'x-since': since }]))

/** The query parameters of a list that knows these words. */
export const listQuery = ({ filters, sorts, date = 'date' }: ListWords): Record<string, TSchema> => ({
  ...windowQuery,
  ...came('2026-11-23', wordsBeside({ filters, sorts, date })),
})

const wordsBeside = ({ filters, sorts, date }: Required<ListWords>): Record<string, TSchema> => ({
  until: momentAsked('Only records created before this moment.'),
  after: Type.String({
    description:
      'The cursor of the page before, from `X-Next-Cursor` or `Link`. Ask with the same filters and sort.',
  }),
  sort: Type.Unsafe<string>({
    type: 'string',
    enum: [...sorts],
    default: sorts[0],
    description: `${sorts.map((sort) => `\`${sort}\`: ${listSorts[sort]}`).join('; ')}.`,
  }),
  updatedSince: momentAsked(
    'Only records whose last change came at or after this moment, last changed last; no other sort goes with it.',
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
        description: 'Only with this email address, in whatever letter case; with `phone`, either is enough.',
      })
    case 'phone':
      return Type.String({
        description: `Only with this phone number, compared as in finding; at least ${limits.phoneDigitsLeast} digits.`,
      })
    case 'externalId':
      return Type.String({
        description: 'Only with this id of yours, to the letter; several records may have the same.',
      })
    case 'reservation':
    case 'lead':
      return Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        description: `Only whom the ${word} with this id is linked to; nobody where it is linked to none.`,
      })
    case 'done':
      return Type.Unsafe<string>({
        type: 'string',
        enum: ['true', 'false'],
        description: 'Only those that are done, or are not.',
      })
    default:
      return Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        description: `Only those of the ${word} with this id.`,
      })
  }
}

const wordsQuery = (word: string, known: Words): TSchema => {
  const words = 'closed' in known ? known.closed : known.open
  return Type.String({
    description: `Only with this ${word}; several with commas between them, letter case ignored.`,
    ...(words.length > 0 && { examples: [...words] }),
  })
}
