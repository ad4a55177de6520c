import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import type { ListSort, ListWords } from '@venue-data/contract/list-words.ts'
import { emailKey } from '../../kernel/email.ts'
import { isExternalId, visibleIdRule } from '../../kernel/external-id.ts'
import { inQuery } from '../../kernel/problem.ts'
import { badRequest } from '../../kernel/refusal.ts'
import type { LocalDate } from '../../kernel/time/written-time.ts'
import { type Contact, phoneOf } from '../contact-query.ts'
import { type ListPlace, readCursor } from './list-cursor.ts'
import { type ListWindow, readListWindow } from './list-window.ts'
import { recordIdPattern } from '../path.ts'
import { type QueryValue, dateAsked, momentAsked, onlyValue, wordAsked } from '../query-words.ts'

/** A list's query, read from the parameters named in its row. */
export type ListAsked = ListWindow & {
  readonly until: Temporal.Instant | undefined
  readonly updatedSince: Temporal.Instant | undefined
  readonly sort: ListSort
  /** Where the previous page ended. */
  readonly after: ListPlace | undefined
  readonly isCounted: boolean
  readonly filters: ListFilters
  /** The filters and sort that a cursor is bound to. */
  readonly about: readonly unknown[]
  /** The query as it was sent, without its cursor. */
  readonly query: readonly (readonly [word: string, value: string])[]
}

type ListFilters = {
  readonly status?: readonly string[]
  readonly source?: readonly string[]
  readonly stage?: readonly string[]
  readonly priority?: readonly string[]
  readonly category?: readonly string[]
  readonly tag?: readonly string[]
  readonly dateFrom?: LocalDate
  readonly dateTo?: LocalDate
  /** By `email`, `phone` or either. */
  readonly contact?: Contact
  readonly externalId?: string
  readonly guest?: number
  readonly reservation?: number
  readonly lead?: number
  readonly table?: number
  readonly occurrence?: number
  readonly done?: boolean
}

export type ListRow = Endpoint & { readonly list: ListWords; readonly query: NonNullable<Endpoint['query']> }

type Asked = { readonly query: Readonly<Record<string, QueryValue>>; readonly venue: number }

/**
 * @throws Refusal 400 for a parameter of this list that is repeated, empty or invalid. Other parameters are ignored.
 */
export const readListAsked = (
  { id, list, query: words }: ListRow,
  { query: sent, venue }: Asked,
): ListAsked => {
  const window = readListWindow(sent)
  const query = Object.keys(words).flatMap((word) => {
    const value = onlyValue(word, sent[word])
    return value === undefined || word === 'after' ? [] : [[word, value] as const]
  })
  const values = new Map<string, string>(query)
  const updatedSince = momentAsked('updatedSince', values.get('updatedSince'))
  const asked = {
    ...window,
    until: momentAsked('until', values.get('until')),
    updatedSince,
    sort: sortOf(list.sorts, values.get('sort'), updatedSince !== undefined),
    isCounted: countOf(values.get('count')),
    filters: filtersOf(list, values),
    query,
  }
  // By value: filters spelled differently are the same walk.
  const about = [venue, id, asked.sort, window.since, asked.until, updatedSince, asked.filters]
  const cursor = onlyValue('after', sent['after'])
  const after = cursor === undefined ? undefined : readCursor(about, cursor)
  if (cursor !== undefined && !after) {
    throw badRequest(
      'after must be a cursor of this list, asked with the same filters and sort.',
      inQuery('after', 'not-a-word', 'cursor-invalid'),
    )
  }
  return { ...asked, after, about }
}

const sortOf = (sorts: readonly ListSort[], text: string | undefined, byChange: boolean): ListSort => {
  const usual = byChange ? 'changed' : (sorts[0] as ListSort)
  const sort = text === undefined ? usual : sorts.find((one) => one === text)
  const wrong = inQuery('sort', 'not-a-word')
  if (!sort) throw badRequest(`sort must be one of ${sorts.join(', ')}.`, wrong)
  if (byChange && sort !== 'changed') throw badRequest('updatedSince goes with no sort but changed.', wrong)
  return sort
}

const countOf = (text: string | undefined): boolean => {
  if (text !== undefined && text !== 'true') {
    throw badRequest('count must be true.', inQuery('count', 'not-a-word'))
  }
  return text !== undefined
}

const filtersOf = ({ filters }: ListWords, values: ReadonlyMap<string, string>): ListFilters => {
  const read: Record<string, unknown> = {}
  for (const [word, known] of Object.entries(filters)) {
    const text = values.get(word)
    if (text === undefined) continue
    if (text === '') {
      throw badRequest(`${word} is empty; leave it out or say which.`, inQuery(word, 'missing'))
    }
    if (known !== true) read[word] = wordsOf(word, text, known)
    else if (word === 'dateFrom' || word === 'dateTo') read[word] = dateAsked(word, text)
    else if (word === 'done') read[word] = wordAsked(word, text, ['true', 'false']) === 'true'
    else if (word === 'externalId') read[word] = externalIdOf(text)
    else if (word !== 'email' && word !== 'phone') read[word] = idOf(word, text)
  }
  const { dateFrom, dateTo } = read as ListFilters
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo) {
    throw badRequest('dateFrom must not be after dateTo.', inQuery('dateFrom', 'out-of-range'))
  }
  const contact = contactOf(
    'email' in filters ? values.get('email') : undefined,
    'phone' in filters ? values.get('phone') : undefined,
  )
  return { ...read, ...(contact && { contact }) }
}

type Known = Exclude<ListWords['filters'][keyof ListWords['filters']], true | undefined>

/** Values of a closed list as spelled there, of an open one in lower case; sorted, without duplicates. */
const wordsOf = (word: string, text: string, known: Known): readonly string[] => {
  const asked = text.split(',').map((one) => one.toLowerCase())
  if ('open' in known) {
    if (asked.includes('')) {
      throw badRequest(`${word} has an empty word between its commas.`, inQuery(word, 'not-a-word'))
    }
    if (text.includes('\0')) {
      throw badRequest(`${word} holds the character U+0000.`, inQuery(word, 'not-text'))
    }
    return [...new Set(asked)].toSorted()
  }
  const found = known.closed.filter((one) => asked.includes(one.toLowerCase()))
  if (asked.some((one) => !known.closed.some((other) => other.toLowerCase() === one))) {
    throw badRequest(
      `${word} must be made of ${known.closed.join(', ')}, with commas between them.`,
      inQuery(word, 'not-a-word'),
    )
  }
  return found
}

/** An impossible value is an error: it was truncated or built incorrectly. */
const externalIdOf = (text: string): string => {
  if (!isExternalId(text)) {
    throw badRequest(`externalId must be ${visibleIdRule}.`, inQuery('externalId', 'not-text'))
  }
  return text
}

const idOf = (word: string, text: string): number => {
  if (!recordIdPattern.test(text)) {
    throw badRequest(`${word} must be the id of a record.`, inQuery(word, 'not-an-id'))
  }
  return Number(text)
}

/**
 * Unlike in a find request, an invalid number is an error even next to an email: otherwise it would be silently
 * ignored.
 */
const contactOf = (email: string | undefined, phone: string | undefined): Contact | undefined => {
  if (email === undefined && phone === undefined) return undefined
  const key = email === undefined ? undefined : emailKey(email)
  if (key === '' || key?.includes('\0')) {
    throw badRequest('email must be an email address.', inQuery('email', 'not-an-email'))
  }
  const number = phone === undefined ? undefined : phoneOf(phone)
  if (phone !== undefined && !number) {
    throw badRequest('phone must have at least 7 digits.', inQuery('phone', 'out-of-range'))
  }
  return { emailKey: key, phone: number }
}
