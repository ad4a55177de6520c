import type { ReplyOf } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Queries } from '../../db/pool.ts'
import type { RowOf, Shape } from '../../db/sql.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { type ListAsked, type ListRow, readListAsked } from './list-asked.ts'
import { writeCursor } from './list-cursor.ts'
import { type ListSource, countListed, readListPage } from './list-page.ts'
import { type AnswerHead, type Route, route } from '../serve.ts'

/**
 * Serves a row that lists the records of a kind. What belongs to the page rather than its records goes into headers.
 */
export const listRoute = <E extends ListRow, S extends Shape>(
  endpoint: E,
  {
    source,
    present,
  }: {
    readonly source: (
      db: Queries,
      venue: Venue['id'],
      asked: ListAsked,
    ) => Promise<ListSource<S>> | ListSource<S>
    readonly present: (row: RowOf<S>, venue: Venue) => ReplyOf<E>['body'] extends (infer One)[] ? One : never
  },
): Route =>
  route<ListRow, ListAsked>(endpoint, {
    read: ({ query, venue }) => readListAsked(endpoint, { query, venue: venue.id }),
    answer: async ({ db, venue }, asked) => {
      const from = await source(db, venue.id, asked)
      const [{ rows, next }, matching] = await Promise.all([
        readListPage(db, asked, from),
        asked.isCounted ? countListed(db, asked, from) : undefined,
      ])
      const head: AnswerHead = {
        next: next && nextPage(asked, writeCursor(asked.about, next)),
        ...(matching !== undefined && { headers: { 'x-count': countInWords(matching) } }),
      }
      return { status: 200, body: rows.map((row) => present(row, venue)), ...head }
    },
  })

const nextPage = ({ query }: ListAsked, cursor: string): AnswerHead['next'] => ({
  query: new URLSearchParams([...query, ['after', cursor] as const].map((pair) => [...pair])).toString(),
  cursor,
})

const countInWords = (matching: number): string =>
  matching > limits.countMost ? `${limits.countMost}+` : String(matching)
