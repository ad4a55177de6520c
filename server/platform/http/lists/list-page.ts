import { limits } from '@venue-data/contract/limits.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Queries } from '../../db/pool.ts'
import {
  type Fragment,
  type RowOf,
  type Shape,
  columnsOf,
  fragment,
  joined,
  part,
  quickRead,
  seldom,
  sql,
} from '../../db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { ListAsked } from './list-asked.ts'
import type { ListPlace } from './list-cursor.ts'

/*
 * One page of a list, read from where the previous one ended (keyset). The last page costs as much as the first, and
 * new records shift nothing. The query walks the index that the order needs. Conditions that the index does not cover
 * are checked row by row, for a bounded number of rows, so a page can be short or empty with more to come.
 */

/** A list's records, and how a query selects them. */
export type ListSource<S extends Shape> = {
  readonly venue: VenueId
  readonly kind: RecordKind
  /** The columns shown for a record. */
  readonly row: S
  /** A select of all of the venue's records, with the columns of `row` and those that conditions need. */
  readonly records: Fragment
  /** What the sort `date` uses: `by_date`, and `by_time` where records have one. */
  readonly dates?: 'date' | 'date and time'
  /** The only records that can match, where they were looked up first. */
  readonly ids?: readonly number[] | undefined
  readonly where: readonly (Condition | false | undefined)[]
}

type Condition = {
  readonly test: Fragment
  /** The orders whose index covers this condition. */
  readonly walkedBy: readonly ('creation' | 'date')[]
}

/** A condition that is not the leading column of any index. */
export const judged = (test: Fragment): Condition => ({ test, walkedBy: [] })
/** A condition on the leading column of an index by creation, or by date. */
export const walked = (by: 'creation' | 'date', test: Fragment): Condition => ({ test, walkedBy: [by] })
/**
 * The requested words of a closed list, whose column leads an index by creation. A single word is written into the
 * statement: one word covers nearly all records and another none, and a generic plan would walk all records to find
 * none.
 */
export const oneOfWords = (
  column: 'status' | 'priority' | 'source',
  asked: readonly string[] | undefined,
): Condition | undefined => {
  if (asked === undefined) return undefined
  const [word, ...others] = asked
  if (word === undefined) return ofFew(fragment('false'))
  if (others.length > 0) return judged(part`${fragment(column)} = any(${asked})`)
  if (!/^[\w-]+$/.test(word)) throw new Error(`${word} is in no list of words`)
  return walked('creation', part`${fragment(column)} = ${fragment(`'${word}'`)}`)
}
/**
 * The requested status, and the requested sources of those known: that list is open, but only we write them, so no record
 * has another. One index leads by one of the two; the other is then checked row by row, however few have both.
 */
export const ofStatusAndSource = (
  known: readonly string[],
  { status, source }: ListAsked['filters'],
): (Condition | undefined)[] => {
  const byStatus = oneOfWords('status', status)
  const bySource = oneOfWords(
    'source',
    source?.filter((word) => known.includes(word)),
  )
  const isLedByStatus = byStatus !== undefined && byStatus.walkedBy.length > 0
  return [byStatus, isLedByStatus && bySource ? judged(bySource.test) : bySource]
}
/** A condition with its own index that matches few enough records to sort. */
export const ofFew = (test: Fragment): Condition => ({ test, walkedBy: ['creation', 'date'] })

/** For kinds whose records have an id from their maker. */
export const withExternalId = ({ externalId }: ListAsked['filters']): Condition | false =>
  externalId !== undefined && ofFew(part`external_id = ${externalId}`)

export type Page<Row> = {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined on the last page. */
  readonly next: ListPlace | undefined
}

export const readListPage = async <const S extends Shape>(
  db: Queries,
  asked: ListAsked,
  source: ListSource<S>,
): Promise<Page<RowOf<S>>> => {
  if (source.ids?.length === 0) return { rows: [], next: undefined }
  const order = orderOf(asked, source)
  const { walk, judge } = conditionsOf(asked, source, order)
  const shape = { ...source.row, ...order.shape }
  const columns = columnsOf(shape)
  // Conditions checked after the join must see all rows, so no limit may apply before it.
  const changes = order.changes(judge.length + walk.length > 0 ? order.looks : pageMost(asked.limit))
  const found = part`from (${source.records}) as listed ${changes}`
  const { limit } = asked
  if (judge.length === 0) {
    const statement = sql(shape)`
      select ${columns} ${found} ${where(walk)} order by ${order.by} limit ${limit + 1}`
    const isUsual = order.family === 'creation' && source.ids === undefined
    const rows = await db.many(isUsual ? quickRead(statement) : seldom(statement))
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return { rows: page, next: last && order.placeOf(last) }
  }
  const rows = await db.many(
    seldom(sql({ ...shape, is_edge: 'bool' })`
    with looked as materialized (
      select listed.*${order.beside} ${found} ${where(walk)} order by ${order.by} limit ${order.looks}
    ), page as materialized (
      select * from looked ${where(judge)} order by ${order.by} limit ${limit + 1}
    )
    select ${columns}, false as is_edge from page
    union all
    select ${columns}, true as is_edge from (select * from looked order by ${order.backwards} limit 1) as edge
     where (select count(*) from page) <= ${limit} and (select count(*) from looked) = ${order.looks}
    order by is_edge, ${order.by}`),
  )
  const page = rows.filter(({ is_edge }) => !is_edge).slice(0, limit)
  const edge = rows.find(({ is_edge }) => is_edge) ?? (rows.length > limit ? page.at(-1) : undefined)
  return { rows: page, next: edge && order.placeOf(edge) }
}

/** How many records match in total, up to a limit plus one. Ordered, so that an index is walked. */
export const countListed = async <const S extends Shape>(
  db: Queries,
  asked: ListAsked,
  source: ListSource<S>,
): Promise<number> => {
  const everything = { ...asked, after: undefined }
  const order = orderOf(everything, source)
  const { walk, judge } = conditionsOf(everything, source, order)
  const changes = asked.updatedSince ? order.changes() : fragment('')
  const { n } = await db.one(
    seldom(sql({ n: 'int8' })`
    select count(*) as n from (
      select from (${source.records}) as listed ${changes} ${where([...walk, ...judge])}
       order by created_at desc, id desc limit ${countMost}
    ) as counted`),
  )
  return n
}

/** Written into statements, because a generic plan would not fit this number. */
const looksOfPage = fragment(String(limits.looksOfPage))
/** By change, each record is looked up by id; for more, the planner would read the whole table instead. */
const looksByChange = fragment(String(limits.looksOfPage / 10))
const countMost = fragment(String(limits.countMost + 1))
const pageMost = (limit: number): Fragment =>
  fragment(String((limit <= limits.listDefault ? limits.listDefault : limits.listMost) + 1))

const where = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? fragment('') : part`where ${joined(conditions, ' and ')}`

/** The query's conditions: those of the index walk, and those checked row by row. */
const conditionsOf = (
  { since, until }: ListAsked,
  { ids, where: own }: ListSource<Shape>,
  { family, after }: Order,
): { walk: Fragment[]; judge: Fragment[] } => {
  const conditions: Condition[] = own.filter((one) => one !== undefined && one !== false)
  if (since) conditions.unshift(walked('creation', part`created_at >= ${since}`))
  if (until) conditions.unshift(walked('creation', part`created_at < ${until}`))
  const isWalked = ({ walkedBy }: Condition): boolean =>
    ids !== undefined || walkedBy.some((one) => one === family)
  const walk = conditions.filter(isWalked).map(({ test }) => test)
  if (after && family !== 'change') walk.push(after)
  if (ids) walk.push(part`id = any(${ids})`)
  return { walk, judge: conditions.filter((one) => !isWalked(one)).map(({ test }) => test) }
}

type Order = {
  readonly family: 'creation' | 'date' | 'change'
  readonly by: Fragment
  readonly backwards: Fragment
  /** How many records a page may examine. */
  readonly looks: Fragment
  /** After the position where the previous page ended. */
  readonly after: Fragment | undefined
  /** Columns that the order needs in addition to the record's, and their types. */
  readonly beside: Fragment
  readonly shape: Shape
  /** The latest changes, joined when the order is by change. */
  readonly changes: (most?: Fragment) => Fragment
  readonly placeOf: (row: object) => ListPlace
}

const orderOf = (asked: ListAsked, source: ListSource<Shape>): Order => {
  const { sort, after } = asked
  const isDown = sort.startsWith('-')
  const way = (columns: readonly string[], down: boolean): Fragment =>
    fragment(columns.map((column) => `${column} ${down ? 'desc' : 'asc'}`).join(', '))
  const none = fragment('')
  const orderBy = (columns: readonly string[]) => ({
    by: way(columns, isDown),
    backwards: way(columns, !isDown),
    looks: looksOfPage,
    beside: none,
    shape: {},
    changes: () => none,
  })
  const beyond = fragment(isDown ? '<' : '>')

  if (sort === 'changed') {
    return {
      ...orderBy(['changed_at', 'id']),
      family: 'change',
      // Contact lookups find few records, which are fetched by id anyway.
      looks: source.ids ? looksOfPage : looksByChange,
      after: undefined,
      beside: fragment(', changed_at'),
      shape: { changed_at: 'timestamptz' },
      changes: (most) => lastChanges(asked, source, most),
      placeOf: (row) => {
        const { changed_at, id } = row as { changed_at: string; id: number }
        return [changed_at, id]
      },
    }
  }
  if (sort === 'date' || sort === '-date') {
    const hasTime = source.dates === 'date and time'
    const [day, time, id] = after?.length === 3 ? after : []
    const [date, last] = [day ?? null, id ?? null]
    return {
      ...orderBy(hasTime ? ['by_date', 'by_time', 'id'] : ['by_date', 'id']),
      family: 'date',
      after:
        after &&
        (hasTime
          ? part`(by_date, by_time, id) ${beyond} (${date}, ${time ?? null}, ${last})`
          : part`(by_date, id) ${beyond} (${date}, ${last})`),
      shape: { by_date: 'date', ...(hasTime && { by_time: 'time' as const }) },
      placeOf: (row) => {
        const found = row as { by_date: string; by_time?: string; id: number }
        return [found.by_date, found.by_time ?? '00:00', found.id]
      },
    }
  }
  const [at, id] = after?.length === 2 ? after : []
  return {
    ...orderBy(['created_at', 'id']),
    family: 'creation',
    after: after && part`(created_at, id) ${beyond} (${at ?? null}, ${id ?? null})`,
    placeOf: (row) => {
      const { created_at, id: last } = row as { created_at: string; id: number }
      return [created_at, last]
    },
  }
}

/** In order and limited to what may be examined: joining everything would mean sorting everything. */
const lastChanges = (
  { after, updatedSince }: ListAsked,
  { venue, kind, ids }: ListSource<Shape>,
  most: Fragment | undefined,
): Fragment => {
  const [at, id] = after?.length === 2 ? after : []
  const behind = after ? part`and (changed_at, record_id) > (${at ?? null}, ${id ?? null})` : fragment('')
  const since = updatedSince ? part`and changed_at >= ${updatedSince}` : fragment('')
  const among = ids ? part`and record_id = any(${ids})` : fragment('')
  return part`
    join (select record_id, changed_at from record_change
           where venue_id = ${venue} and kind = ${kind} and not gone ${behind} ${since} ${among}
           ${most ? part`order by changed_at, record_id limit ${most}` : fragment('')}) as change
      on record_id = listed.id`
}
